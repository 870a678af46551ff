package dev.tmax.sandboxes;

import java.util.List;

/**
 * What came of a {@link VerifierRun}.
 *
 * @param process how the program ended
 * @param files those of {@link VerifierRun#results} that it wrote, in that order
 */
public record VerifierResult(CommandResult process, List<WrittenFile> files) {

    public VerifierResult {
        files = List.copyOf(files);
    }

    /**
     * What lies at a path.
     *
     * @param path as asked for
     * @param kind what it is
     * @param size of a regular file, in bytes
     * @param content of a regular file that is no larger than asked for, else empty
     */
    public record WrittenFile(String path, Kind kind, long size, byte[] content) {}

    /** Kinds of files. */
    public enum Kind {
        REGULAR_FILE("a regular file"),
        FOLDER("a folder"),
        SYMBOLIC_LINK("a symbolic link"),
        OTHER("a FIFO, socket or device");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** With its article, for messages. */
        public String words() {
            return words;
        }
    }
}
