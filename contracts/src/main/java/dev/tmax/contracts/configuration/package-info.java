/**
 * The configuration of one run as trainer and generators read it: the operator renders the {@code TrainingRun} into this
 * file, a person may write it by hand to run without Kubernetes.
 */
package dev.tmax.contracts.configuration;
