package dev.tmax.envrunner;

import java.util.List;

/** How a container starts the env-runner, wherever its image is mounted at {@link #HOME}. */
public final class EnvRunnerCommand {

    /** Where the env-runner's image must be mounted: its programs have this path built in. */
    public static final String HOME = "/opt/tmax";

    /** Where a volume for the cells' files must be mounted; not an overlay. */
    public static final String STATE = "/sandboxes";

    /**
     * The container's {@code command}. It needs nothing of the image it runs in: no shell, no libc. The first process
     * reaps what the cells leave behind and passes signals on.
     */
    public static final List<String> COMMAND = List.of(
            HOME + "/bin/tini",
            "--",
            HOME + "/jre/bin/java",
            "-XX:AOTCache=" + HOME + "/env-runner.aot",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xmx96m",
            "-Xss512k",
            "-Dsun.net.httpserver.nodelay=true",
            "-cp",
            HOME + "/env-runner.jar",
            "dev.tmax.envrunner.EnvRunner");

    private EnvRunnerCommand() {}
}
