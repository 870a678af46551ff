package dev.tmax.envrunner;

import java.util.List;

/** How a container starts the env-runner. */
public final class EnvRunnerCommand {

    /** Where the env-runner's image must be mounted: its programs have this path built in. */
    public static final String HOME = "/opt/tmax";

    /** Where a volume for the cells' files must be mounted; not an overlay. */
    public static final String STATE = "/sandboxes";

    /** The container's {@code command}. It needs nothing of the image it runs in: no shell, no libc. */
    public static final List<String> COMMAND = List.of(HOME + "/bin/env-runner");

    private EnvRunnerCommand() {}
}
