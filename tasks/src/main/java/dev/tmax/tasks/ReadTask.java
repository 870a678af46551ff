package dev.tmax.tasks;

/** What reading one folder gave: a task, or what is wrong with it. */
public sealed interface ReadTask permits Task, InvalidTask {}
