/** The API {@code tmax.dev/v1alpha1} as Java classes; the CRD YAML is generated from them. */
package dev.tmax.api.v1alpha1;
