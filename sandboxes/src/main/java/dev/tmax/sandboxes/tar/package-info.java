/** Tar archives in memory: what the files API carries. */
package dev.tmax.sandboxes.tar;
