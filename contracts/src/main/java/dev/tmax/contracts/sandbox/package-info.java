/** What operator, trainer and env-runner must agree on about sandbox pods: labels, port, token. */
package dev.tmax.contracts.sandbox;
