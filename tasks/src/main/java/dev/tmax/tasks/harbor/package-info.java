/**
 * Tasks in the Harbor format: {@code task.toml}, {@code instruction.md}, {@code environment/}, {@code tests/}, {@code
 * solution/}. Where the format's own loader lets a mistake through, this one says what is wrong.
 */
package dev.tmax.tasks.harbor;
