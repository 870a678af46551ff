/** Metrics and health over HTTP. */
package dev.tmax.generator.serve;
