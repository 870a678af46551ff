/**
 * The program of a sandbox pod: makes cells, runs commands in them, and ends itself when nobody holds it any more.
 *
 * <p>{@link dev.tmax.envrunner.EnvRunner} starts it; {@code Api} is the HTTP API; {@code Life} decides when it ends.
 */
package dev.tmax.envrunner;
