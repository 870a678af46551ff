package dev.tmax.tasks.harbor;

import dev.tmax.tasks.reading.Problems;
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

    static void report(Path folder, Section root, Problems problems) {
        reportEnvironment(root.sectionOrEmpty("environment"));
        reportVerifier(root.sectionOrEmpty("verifier"));
        reportComposeFiles(folder, "environment", problems);
        reportComposeFiles(folder, "tests", problems);
        root.sections("steps").forEach(step -> {
            reportVerifier(step.sectionOrEmpty("verifier"));
            step.string("name").ifPresent(name -> reportComposeFiles(folder, "steps/" + name + "/tests", problems));
        });
    }

    /** Another service than the agent's, as the place of an artifact or of a command. */
    static void service(Section section) {
        section.string("service")
                .filter(service -> !service.equals("main"))
                .ifPresent(service ->
                        section.report("service", "environments of several containers are not supported", REMEDY));
    }

    private static void reportVerifier(Section verifier) {
        verifier.section("environment").ifPresent(Unsupported::reportEnvironment);
    }

    private static void reportEnvironment(Section environment) {
        reportIfPresent(environment, "gpu_types", "GPUs in sandboxes");
        reportIfPresent(environment, "tpu", "TPUs in sandboxes");
        reportIfPresent(environment, "mcp_servers", "MCP servers");
        if (environment.has("gpus")
                && !environment.scalars().getOrDefault("gpus", "").equals("0")) {
            environment.report("gpus", "GPUs in sandboxes are not supported", REMEDY);
        }
        environment
                .string("os")
                .filter(os -> !os.toLowerCase(Locale.ROOT).equals("linux"))
                .ifPresent(os -> environment.report("os", "only linux is supported", REMEDY));
    }

    private static void reportComposeFiles(Path folder, String place, Problems problems) {
        for (String name : COMPOSE_FILES) {
            if (Files.exists(folder.resolve(place).resolve(name))) {
                problems.addFile(place + "/" + name, "environments of several containers are not supported", REMEDY);
            }
        }
    }

    private static void reportIfPresent(Section section, String key, String what) {
        if (section.entries(key) > 0) {
            section.report(key, what + " are not supported", REMEDY);
        }
    }
}
