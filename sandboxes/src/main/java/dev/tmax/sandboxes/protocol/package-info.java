/** JSON shapes of the env-runner's HTTP API, used by its server and its client. Times are milliseconds. */
package dev.tmax.sandboxes.protocol;
