package dev.tmax.tasks.build;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds with buildah: as root, without a daemon. */
final class Buildah implements ImageBuilder {
    private static final Duration SHORT = Duration.ofMinutes(2);

    private final List<String> program;
    private final Map<String, String> containers = new LinkedHashMap<>();

    /**
     * @param store folder that holds its images and layers; empty for the one of this machine
     */
    Buildah(Optional<Path> store) {
        List<String> command = new ArrayList<>(List.of("buildah"));
        store.ifPresent(folder -> command.addAll(List.of(
                "--root",
                folder.resolve("root").toString(),
                "--runroot",
                folder.resolve("run").toString(),
                "--storage-driver",
                "overlay")));
        this.program = List.copyOf(command);
    }

    @Override
    public String name() {
        return "buildah";
    }

    @Override
    public boolean has(String image) throws BuildFailedException {
        return Program.run(with("inspect", "--type", "image", "--format", "{{.FromImageID}}", image), SHORT)
                        .status()
                == 0;
    }

    @Override
    public void build(String image, Path dockerfile, Path context, boolean network, Duration timeout)
            throws BuildFailedException {
        List<String> command = new ArrayList<>();
        if (!network) {
            // RUN steps in chroot isolation have the network of buildah itself.
            command.addAll(List.of("unshare", "--net"));
        }
        // Without times, the same files give the same layers.
        command.addAll(with(
                "bud",
                "--format",
                "docker",
                "--isolation",
                "chroot",
                "--layers",
                "--force-rm",
                "--timestamp",
                "0",
                "--tag",
                image,
                "--file",
                dockerfile.toString(),
                context.toString()));
        Program.succeed(command, timeout);
    }

    @Override
    public Inspected inspect(String image) throws BuildFailedException {
        String json = Program.succeed(with("inspect", "--type", "image", image), SHORT);
        try {
            JsonNode node = JsonMapper.builder().build().readTree(json);
            return new Inspected(
                    node.path("FromImageDigest").asText(),
                    ImageConfiguration.read(node.path("OCIv1").path("config")));
        } catch (JsonProcessingException e) {
            throw new BuildFailedException("buildah inspect " + image + " printed no JSON", e);
        }
    }

    @Override
    public Path rootFileSystem(String image) throws BuildFailedException {
        String container = containers.get(image);
        if (container == null) {
            container =
                    Program.succeed(with("from", "--pull-never", image), SHORT).strip();
            containers.put(image, container);
        }
        return Path.of(Program.succeed(with("mount", container), SHORT).strip());
    }

    @Override
    public void close() {
        for (String container : containers.values()) {
            try {
                Program.succeed(with("rm", container), SHORT);
            } catch (BuildFailedException e) {
                System.getLogger(Buildah.class.getName())
                        .log(
                                System.Logger.Level.WARNING,
                                "container {0} is left behind: {1}",
                                container,
                                e.getMessage());
            }
        }
        containers.clear();
    }

    private List<String> with(String... arguments) {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(arguments));
        return command;
    }
}
