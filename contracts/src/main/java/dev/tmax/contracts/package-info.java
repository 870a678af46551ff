/** What crosses pods: the run's configuration file, the rollout and weights protocols, and the trainer's status. */
package dev.tmax.contracts;
