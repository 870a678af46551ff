package dev.tmax.tasks.build;

import dev.tmax.tasks.Environment;
import dev.tmax.tasks.Sha256;
import dev.tmax.tasks.Step;
import dev.tmax.tasks.Task;
import dev.tmax.tasks.Verifier.Separate;
import dev.tmax.tasks.archive.FolderTar;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Builds the images that tasks have a Dockerfile for, and records them. */
public final class ImageBuild {
    private static final String NAMES = "localhost/tmax-task/";

    private final ImageBuilder builder;
    private final ImageLock lock;

    /**
     * @param builder what builds
     * @param lock gets what was built
     */
    public ImageBuild(ImageBuilder builder, ImageLock lock) {
        this.builder = builder;
        this.lock = lock;
    }

    /** What came of the image of an environment. */
    public enum Result {
        /** Built now. */
        BUILT,
        /** It is there, of the same files. */
        UP_TO_DATE
    }

    /** The environments of a task that are to be built, by the name that the lock has for them. */
    public static Map<String, Environment> environments(Task task) {
        Map<String, Environment> built = new LinkedHashMap<>();
        if (isBuilt(task.environment())) {
            built.put(task.id(), task.environment());
        }
        for (Step step : task.steps()) {
            step.verifier()
                    .separate()
                    .filter(Separate::bundlesTests)
                    .map(Separate::environment)
                    .filter(ImageBuild::isBuilt)
                    .ifPresent(environment -> built.put(
                            task.id() + (step.name().isEmpty() ? "" : "/" + step.name()) + "/verifier", environment));
        }
        return built;
    }

    static boolean isBuilt(Environment environment) {
        return environment.image().isEmpty() && environment.dockerfile().isPresent();
    }

    /**
     * Builds the image of an environment, where it is not there of the same files: at first without the network, so that
     * what needs it is known.
     *
     * @param name in the lock
     */
    public Result build(String name, Environment environment) throws BuildFailedException {
        String source = source(environment);
        Optional<LockedImage> before = lock.ofSource(source);
        if (before.isPresent() && builder.has(before.get().image())) {
            lock.put(name, before.get());
            lock.write();
            return Result.UP_TO_DATE;
        }
        String image =
                NAMES + name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9/]+", "-") + ":" + source.substring(0, 12);
        Path dockerfile = environment.dockerfile().orElseThrow();
        Path context = environment.buildContext().orElseThrow();
        boolean network = false;
        try {
            builder.build(image, dockerfile, context, false, environment.startTimeout());
        } catch (BuildFailedException withoutNetwork) {
            network = true;
            builder.build(image, dockerfile, context, true, environment.startTimeout());
        }
        lock.put(name, new LockedImage(image, builder.inspect(image).digest(), source, network));
        lock.write();
        return Result.BUILT;
    }

    /** A digest of all that goes into a build. */
    static String source(Environment environment) {
        Path context = environment.buildContext().orElseThrow();
        Path dockerfile = context.relativize(environment.dockerfile().orElseThrow());
        return new Sha256()
                .add(dockerfile.toString().getBytes(StandardCharsets.UTF_8))
                .add(FolderTar.of(context))
                .hex();
    }
}
