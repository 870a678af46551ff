package dev.tmax.tasks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A task in the Harbor format, written into a folder piece by piece. As first written it is a good one. */
public final class WrittenTask {
    private final Path folder;

    private WrittenTask(Path folder) {
        this.folder = folder;
    }

    public static WrittenTask in(Path folder) {
        return new WrittenTask(folder)
                .with("task.toml", "[environment]\ndocker_image = \"debian\"\n")
                .with("instruction.md", "Create the file " + folder.getFileName() + ".\n")
                .with("tests/test.sh", "#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n");
    }

    /** With this file, in place of the one that was there. */
    public WrittenTask with(String file, String content) {
        try {
            Files.createDirectories(folder.resolve(file).getParent());
            Files.writeString(folder.resolve(file), content);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With these settings after the image. */
    public WrittenTask withToml(String toml) {
        return with("task.toml", "[environment]\ndocker_image = \"debian\"\n" + toml);
    }

    public WrittenTask without(String file) {
        try {
            Files.delete(folder.resolve(file));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public WrittenTask withLink(String file, String target) {
        try {
            Files.createDirectories(folder.resolve(file).getParent());
            Files.createSymbolicLink(folder.resolve(file), Path.of(target));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path folder() {
        return folder;
    }
}
