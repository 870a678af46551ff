/** What a task set is made of: counts and balance, duplicates, and overlap with another set. */
package dev.tmax.tasks.statistics;
