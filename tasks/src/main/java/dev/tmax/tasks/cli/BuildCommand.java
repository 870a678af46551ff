package dev.tmax.tasks.cli;

import dev.tmax.tasks.Environment;
import dev.tmax.tasks.LoadedTaskSet;
import dev.tmax.tasks.Task;
import dev.tmax.tasks.build.BuildFailedException;
import dev.tmax.tasks.build.Builders;
import dev.tmax.tasks.build.ImageBuild;
import dev.tmax.tasks.build.ImageBuilder;
import dev.tmax.tasks.build.ImageLock;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "build",
        description = "Builds the images of tasks that have a Dockerfile, with Docker where it runs, else with buildah."
                + " Equal layers are built once; digests go into tasks.lock.json. Each image is tried without the"
                + " network first, and the lock tells which ones need it. Exit status 0 only where all were built.",
        mixinStandardHelpOptions = true)
final class BuildCommand implements Callable<Integer> {
    @Mixin
    private TaskFolder folder;

    @Mixin
    private ImageStore images;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BuildFailedException {
        LoadedTaskSet set = folder.load();
        PrintWriter out = spec.commandLine().getOut();
        ImageLock lock = ImageLock.read(images.lock(folder.directory()));
        int failed = set.invalid().size();
        set.invalid().forEach(task -> out.println("invalid     " + task.path() + ": " + task.reason()));
        int images = 0;
        try (ImageBuilder builder = Builders.find(this.images.store())) {
            ImageBuild build = new ImageBuild(builder, lock);
            for (Task task : set.tasks()) {
                for (Map.Entry<String, Environment> entry :
                        ImageBuild.environments(task).entrySet()) {
                    images++;
                    failed += build(build, lock, entry.getKey(), entry.getValue(), out) ? 0 : 1;
                }
            }
        }
        out.printf("%d images, %d tasks; %d failed%n", images, set.tasks().size(), failed);
        return failed == 0 ? 0 : 1;
    }

    private static boolean build(
            ImageBuild build, ImageLock lock, String name, Environment environment, PrintWriter out) {
        try {
            String result = switch (build.build(name, environment)) {
                case BUILT -> "built       ";
                case UP_TO_DATE -> "up to date  ";
            };
            out.println(result + name + "  " + lock.images().get(name).digest()
                    + (lock.images().get(name).network() ? "  (needed the network)" : ""));
            return true;
        } catch (BuildFailedException e) {
            out.println("failed      " + name + ": " + e.getMessage());
            return false;
        }
    }
}
