/** Images from the tasks' Dockerfiles, by buildah or Docker, what was built recorded in a lock file, and trials in them. */
package dev.tmax.tasks.build;
