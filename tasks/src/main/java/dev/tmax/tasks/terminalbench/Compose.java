package dev.tmax.tasks.terminalbench;

import dev.tmax.tasks.reading.Problems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The one container of a {@code docker-compose.yaml}.
 *
 * @param image to run; empty where it is to be built
 * @param dockerfile to build, where there is one
 * @param context that it is built in
 * @param workdir replaces the working directory of the image
 * @param user that the agent works as
 * @param variables of the container
 * @param cpus limit in cores
 * @param memoryMb limit in MiB
 */
record Compose(
        Optional<String> image,
        Optional<Path> dockerfile,
        Optional<Path> context,
        Optional<String> workdir,
        Optional<String> user,
        Map<String, String> variables,
        OptionalDouble cpus,
        OptionalInt memoryMb) {

    static final String FILE = "docker-compose.yaml";

    /** What makes no difference here: names and logs of the container, and a command that only keeps it alive. */
    private static final Set<String> WITHOUT_EFFECT = Set.of(
            "container_name",
            "command",
            "hostname",
            "stdin_open",
            "tty",
            "init",
            "ports",
            "expose",
            "restart",
            "platform",
            "pull_policy",
            "labels",
            "logging",
            "stop_grace_period");

    private static final Set<String> READ =
            Set.of("image", "build", "working_dir", "user", "environment", "volumes", "cpus", "mem_limit");

    /** What the format's own harness sets for compose files. */
    private static final Map<String, String> VARIABLES = Map.of(
            "T_BENCH_TEST_DIR", "/tests",
            "T_BENCH_CONTAINER_LOGS_PATH", "/logs",
            "T_BENCH_CONTAINER_AGENT_LOGS_PATH", "/agent-logs",
            "T_BENCH_TASK_LOGS_PATH", "",
            "T_BENCH_TASK_AGENT_LOGS_PATH", "",
            "T_BENCH_TASK_DOCKER_NAME_PREFIX", "tmax",
            "T_BENCH_TASK_DOCKER_CLIENT_CONTAINER_NAME", "client",
            "T_BENCH_TASK_DOCKER_CLIENT_IMAGE_NAME", "");

    private static final Pattern REFERENCE =
            Pattern.compile("\\$(?:\\$|([A-Za-z_][A-Za-z0-9_]*)|\\{([A-Za-z_][A-Za-z0-9_]*)(?::?-([^}]*))?})");
    private static final Pattern MEMORY = Pattern.compile("([0-9]{1,9})([kKmMgG])[bB]?");
    private static final String ONE_CONTAINER =
            "take the task out of the task set, or rewrite it for one container without it";

    Compose {
        variables = Map.copyOf(variables);
    }

    /** Reads the file; what cannot be mapped is reported, and empty returned where nothing can be made of it. */
    static Optional<Compose> read(Path folder, Problems problems) {
        Optional<YamlSection> services = YamlFile.mapping(folder, FILE, problems)
                .flatMap(root -> {
                    if (!root.has("services")) {
                        root.report("services", "is missing", "add the service client");
                    }
                    return root.section("services");
                });
        if (services.isEmpty()) {
            return Optional.empty();
        }
        services.get().keys().stream()
                .filter(name -> !name.equals("client"))
                .forEach(name -> services.get()
                        .report(name, "environments of several containers are not supported", ONE_CONTAINER));
        if (!services.get().has("client")) {
            services.get().report("client", "is missing", "name the service that the agent works in client");
        }
        return services.get().section("client").map(client -> read(folder, client));
    }

    private static Compose read(Path folder, YamlSection client) {
        client.keys().stream()
                .filter(key -> !READ.contains(key) && !WITHOUT_EFFECT.contains(key))
                .forEach(key -> client.report(key, "this setting of compose is not supported", ONE_CONTAINER));
        client.texts("volumes").stream()
                .filter(volume -> !volume.startsWith("${T_BENCH_") && !volume.startsWith("$T_BENCH_"))
                .forEach(volume -> client.report(
                        "volumes", "the volume '" + volume + "' is not supported", "copy it in the Dockerfile"));
        Optional<Path> dockerfile = Optional.empty();
        Optional<Path> context = Optional.empty();
        Optional<String> image = interpolated(client, "image").filter(name -> !name.isBlank());
        if (client.has("build")) {
            context = Optional.of(folder.resolve(context(client)).normalize());
            dockerfile =
                    Optional.of(context.get().resolve(dockerfileName(client)).normalize());
            image = Optional.empty();
            checkBuild(folder, client, dockerfile.get());
        } else if (image.isEmpty()) {
            client.report("build", "is missing, and there is no image", "write build: . or image: NAME");
        }
        return new Compose(
                image,
                dockerfile,
                context,
                interpolated(client, "working_dir"),
                interpolated(client, "user"),
                environment(client),
                cpus(client),
                memory(client));
    }

    private static String context(YamlSection client) {
        return client.isMapping("build")
                ? client.section("build")
                        .flatMap(build -> build.text("context"))
                        .orElse(".")
                : client.text("build").orElse(".");
    }

    private static String dockerfileName(YamlSection client) {
        return client.isMapping("build")
                ? client.section("build")
                        .flatMap(build -> build.text("dockerfile"))
                        .orElse("Dockerfile")
                : "Dockerfile";
    }

    private static void checkBuild(Path folder, YamlSection client, Path dockerfile) {
        if (client.isMapping("build")) {
            YamlSection build = client.section("build").orElseThrow();
            build.keys().stream()
                    .filter(key -> !Set.of("context", "dockerfile", "platforms").contains(key))
                    .forEach(key -> build.report(
                            key, "this setting of a build is not supported", "write it into the Dockerfile"));
        }
        if (!dockerfile.startsWith(folder)) {
            client.report("build", "leads out of the task", "copy the Dockerfile into the task");
        } else if (!Files.isRegularFile(dockerfile)) {
            client.report(
                    "build",
                    "there is no file " + folder.relativize(dockerfile),
                    "add it, or name the file that it is");
        }
    }

    private static Map<String, String> environment(YamlSection client) {
        Map<String, String> variables = new TreeMap<>();
        if (client.isMapping("environment")) {
            client.section("environment")
                    .orElseThrow()
                    .scalars()
                    .forEach((name, value) -> variables.put(name, interpolate(client, "environment", value)));
            return variables;
        }
        for (String line : client.texts("environment")) {
            int sign = line.indexOf('=');
            if (sign > 0) {
                variables.put(line.substring(0, sign), interpolate(client, "environment", line.substring(sign + 1)));
            } else {
                client.report(
                        "environment",
                        "'" + line + "' takes a variable of the host, which is not lent to tasks",
                        "write " + line + "=value");
            }
        }
        return variables;
    }

    private static OptionalDouble cpus(YamlSection client) {
        Optional<String> written = client.text("cpus");
        if (written.isEmpty()) {
            return OptionalDouble.empty();
        }
        if (written.get().matches("[0-9]{1,6}(\\.[0-9]{1,6})?") && Double.parseDouble(written.get()) > 0) {
            return OptionalDouble.of(Double.parseDouble(written.get()));
        }
        client.report("cpus", "is not a finite number above 0", "write a number such as 2 or 0.5");
        return OptionalDouble.empty();
    }

    private static OptionalInt memory(YamlSection client) {
        Optional<String> written = client.text("mem_limit");
        if (written.isEmpty()) {
            return OptionalInt.empty();
        }
        Matcher size = MEMORY.matcher(written.get());
        if (size.matches()) {
            long number = Long.parseLong(size.group(1));
            long mib = switch (size.group(2)) {
                case "g", "G" -> number * 1024;
                case "m", "M" -> number;
                default -> number / 1024;
            };
            if (mib > 0 && mib <= Integer.MAX_VALUE) {
                return OptionalInt.of((int) mib);
            }
        }
        client.report("mem_limit", "is not a size of at least 1 MiB", "write it as 2g or 512m");
        return OptionalInt.empty();
    }

    private static Optional<String> interpolated(YamlSection section, String key) {
        return section.text(key).map(text -> interpolate(section, key, text));
    }

    /** With variables in place of their names, as compose does. */
    private static String interpolate(YamlSection section, String key, String text) {
        List<String> unknown = new ArrayList<>();
        String result = REFERENCE.matcher(text).replaceAll(match -> {
            if (match.group().equals("$$")) {
                return Matcher.quoteReplacement("$");
            }
            String name = match.group(1) == null ? match.group(2) : match.group(1);
            Optional<String> value =
                    Optional.ofNullable(VARIABLES.get(name)).or(() -> Optional.ofNullable(match.group(3)));
            if (value.isEmpty()) {
                unknown.add(name);
            }
            return Matcher.quoteReplacement(value.orElse(""));
        });
        unknown.forEach(name -> section.report(
                key,
                "refers to the variable " + name + " of the host, which is not lent to tasks",
                "write the value, or a default: ${" + name + ":-value}"));
        return result;
    }
}
