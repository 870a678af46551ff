package dev.tmax.tasks;

/** How a task is written down. */
public enum TaskFormat {
    /** A folder with {@code task.toml} and {@code instruction.md}. */
    HARBOR("Harbor"),
    /** A folder with {@code task.yaml}: Terminal-Bench 1. */
    TERMINAL_BENCH("TerminalBench"),
    /** Each folder by the file found in it. */
    AUTO("Auto");

    private final String title;

    TaskFormat(String title) {
        this.title = title;
    }

    /** The name used in the API and in reports. */
    public String title() {
        return title;
    }
}
