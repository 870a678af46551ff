package dev.tmax.tasks.harbor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** What the format allows and this project does not run: reported by name, never passed over in silence. */
final class Unsupported {
    private static final String REMEDY = "take the task out of the task set, or rewrite it without";
    private static final List<String> COMPOSE_FILES =
            List.of("docker-compose.yaml", "docker-compose.yml", "compose.yaml", "compose.yml");

    private Unsupported() {}

    static void report(Path folder, Section root, Section environment, Section verifier, Problems problems) {
        reportIfPresent(root, "steps", "tasks of several steps");
        reportIfPresent(environment, "gpu_types", "GPUs in sandboxes");
        reportIfPresent(environment, "tpu", "TPUs in sandboxes");
        reportIfPresent(environment, "mcp_servers", "MCP servers");
        reportIfPresent(environment, "healthcheck", "health checks of environments");
        reportIfPresent(verifier, "environment", "verifiers with an environment of their own");
        reportIfPresent(verifier, "collect", "commands that collect results after the agent");
        if (environment.has("gpus")
                && !environment.scalars().getOrDefault("gpus", "").equals("0")) {
            environment.report("gpus", "GPUs in sandboxes are not supported yet", REMEDY);
        }
        environment
                .string("os")
                .filter(os -> !os.toLowerCase(Locale.ROOT).equals("linux"))
                .ifPresent(os -> environment.report("os", "only linux is supported", REMEDY));
        for (String name : COMPOSE_FILES) {
            if (Files.exists(folder.resolve("environment").resolve(name))) {
                problems.addFile(
                        "environment/" + name, "environments of several containers are not supported yet", REMEDY);
            }
        }
    }

    private static void reportIfPresent(Section section, String key, String what) {
        if (section.entries(key) > 0) {
            section.report(key, what + " are not supported yet", REMEDY);
        }
    }
}
