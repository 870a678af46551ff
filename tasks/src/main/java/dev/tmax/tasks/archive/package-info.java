/** Folders as archives, to be sent into sandboxes. */
package dev.tmax.tasks.archive;
