package dev.tmax.envrunner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the container's environment says; every variable begins with {@code TMAX_} and is hidden from cells.
 *
 * @param port {@code TMAX_PORT}, 8080
 * @param token {@code TMAX_TOKEN}, or the content of the file {@code TMAX_TOKEN_FILE}
 * @param home {@code TMAX_HOME}, /opt/tmax: the env-runner's own files
 * @param state {@code TMAX_STATE}, /sandboxes: the cells' files
 * @param rootFileSystem {@code TMAX_ROOT}, /: what cells see as their root
 * @param firstLease {@code TMAX_FIRST_LEASE_SECONDS}, 3600: how long it waits for a lease
 * @param deadline {@code TMAX_DEADLINE_SECONDS}: when it ends in any case; none by default
 * @param terminationGrace {@code TMAX_TERMINATION_GRACE_SECONDS}, 10: between TERM and KILL at a command's timeout
 * @param imageEnvironment everything else: what the image sets for its processes
 */
record Settings(
        int port,
        String token,
        Path home,
        Path state,
        Path rootFileSystem,
        Duration firstLease,
        Optional<Duration> deadline,
        Duration terminationGrace,
        Map<String, String> imageEnvironment) {

    static Settings of(Map<String, String> environment) throws IOException {
        return new Settings(
                number(environment, "TMAX_PORT", 8080),
                token(environment),
                Path.of(environment.getOrDefault("TMAX_HOME", EnvRunnerCommand.HOME)),
                Path.of(environment.getOrDefault("TMAX_STATE", EnvRunnerCommand.STATE)),
                Path.of(environment.getOrDefault("TMAX_ROOT", "/")),
                Duration.ofSeconds(number(environment, "TMAX_FIRST_LEASE_SECONDS", 3600)),
                environment.containsKey("TMAX_DEADLINE_SECONDS")
                        ? Optional.of(Duration.ofSeconds(number(environment, "TMAX_DEADLINE_SECONDS", 0)))
                        : Optional.empty(),
                Duration.ofSeconds(number(environment, "TMAX_TERMINATION_GRACE_SECONDS", 10)),
                ofImage(environment));
    }

    private static String token(Map<String, String> environment) throws IOException {
        String token = environment.containsKey("TMAX_TOKEN_FILE")
                ? Files.readString(Path.of(environment.get("TMAX_TOKEN_FILE"))).strip()
                : environment.getOrDefault("TMAX_TOKEN", "");
        if (token.length() < 16) {
            throw new IllegalArgumentException(
                    "TMAX_TOKEN or TMAX_TOKEN_FILE: give a bearer token of at least 16 characters");
        }
        return token;
    }

    private static int number(Map<String, String> environment, String name, int otherwise) {
        String text = environment.get(name);
        if (text == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException(name + "='" + text + "': use a whole number above 0");
    }

    /** What Kubernetes and the runtime add is nothing of the image's. */
    private static Map<String, String> ofImage(Map<String, String> environment) {
        Map<String, String> image = new TreeMap<>(environment);
        image.keySet()
                .removeIf(name -> name.startsWith("TMAX_")
                        || name.startsWith("KUBERNETES_")
                        || name.equals("HOSTNAME")
                        || name.equals("HOME")
                        || name.equals("PWD")
                        || name.equals("OLDPWD")
                        || name.equals("SHLVL")
                        || name.equals("_")
                        || name.equals("LC_ALL")
                        || name.equals("LOCPATH"));
        // The launcher has its own of these and keeps the image's aside.
        for (String kept : List.of("LC_ALL", "LOCPATH")) {
            if (environment.containsKey("TMAX_IMAGE_" + kept)) {
                image.put(kept, environment.get("TMAX_IMAGE_" + kept));
            }
        }
        return image;
    }
}
