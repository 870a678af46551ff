package dev.tmax.tasks.trial;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an image says about containers made of it.
 *
 * @param variables environment variables
 * @param user who runs commands; empty: root
 * @param workdir where they run; empty: {@code /}
 * @param entrypoint program and arguments that a container is started with, before a command
 */
public record ImageSettings(
        Map<String, String> variables, Optional<String> user, Optional<String> workdir, List<String> entrypoint) {

    /** Of a root file system that is no image. */
    public static final ImageSettings NONE = new ImageSettings(Map.of(), Optional.empty(), Optional.empty(), List.of());

    public ImageSettings {
        variables = Map.copyOf(variables);
        entrypoint = List.copyOf(entrypoint);
    }
}
