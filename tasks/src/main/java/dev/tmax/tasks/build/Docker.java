package dev.tmax.tasks.build;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds with Docker, where its daemon runs. */
final class Docker implements ImageBuilder {
    private static final Duration SHORT = Duration.ofMinutes(2);
    private static final Duration EXPORT = Duration.ofMinutes(10);

    private final Map<String, Path> folders = new LinkedHashMap<>();

    @Override
    public String name() {
        return "docker";
    }

    @Override
    public boolean has(String image) throws BuildFailedException {
        return Program.run(List.of("docker", "image", "inspect", image), SHORT).status() == 0;
    }

    @Override
    public void build(String image, Path dockerfile, Path context, boolean network, Duration timeout)
            throws BuildFailedException {
        Program.succeed(
                List.of(
                        "docker",
                        "build",
                        "--network",
                        network ? "default" : "none",
                        "--tag",
                        image,
                        "--file",
                        dockerfile.toString(),
                        context.toString()),
                timeout);
    }

    @Override
    public Inspected inspect(String image) throws BuildFailedException {
        String json = Program.succeed(List.of("docker", "image", "inspect", image), SHORT);
        try {
            JsonNode node = JsonMapper.builder().build().readTree(json).path(0);
            return new Inspected(node.path("Id").asText(), ImageConfiguration.read(node.path("Config")));
        } catch (JsonProcessingException e) {
            throw new BuildFailedException("docker image inspect " + image + " printed no JSON", e);
        }
    }

    /** Docker gives nobody a look at its layers: the files are copied. */
    @Override
    public Path rootFileSystem(String image) throws BuildFailedException {
        if (folders.containsKey(image)) {
            return folders.get(image);
        }
        try {
            Path folder = Files.createTempDirectory(Path.of("/var/tmp"), "tmax-image-");
            folders.put(image, folder);
            String container = Program.succeed(List.of("docker", "create", image, "true"), SHORT)
                    .strip();
            Program.succeed(
                    List.of(
                            "sh",
                            "-c",
                            "docker export \"$1\" | tar -x -p --numeric-owner -C \"$2\"; docker rm \"$1\"",
                            "sh",
                            container,
                            folder.toString()),
                    EXPORT);
            return folder;
        } catch (IOException e) {
            throw new BuildFailedException("no folder for the files of " + image + " can be made in /var/tmp", e);
        }
    }

    @Override
    public void close() {
        for (Path folder : folders.values()) {
            try {
                Program.succeed(List.of("rm", "-rf", "--one-file-system", folder.toString()), SHORT);
            } catch (BuildFailedException e) {
                System.getLogger(Docker.class.getName())
                        .log(System.Logger.Level.WARNING, "{0} is left behind: {1}", folder, e.getMessage());
            }
        }
        folders.clear();
    }
}
