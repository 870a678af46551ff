/** What readers of all formats share: files as text, checks of scripts and links, and the list of what is wrong. */
package dev.tmax.tasks.reading;
