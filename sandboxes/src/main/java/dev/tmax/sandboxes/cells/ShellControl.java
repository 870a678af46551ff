package dev.tmax.sandboxes.cells;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** What a shell says on its private descriptor: first which shell it is, then a prompt after each command. */
final class ShellControl {

    private static final int LONGEST_FIELD = 64 << 10;

    private final InputStream stream;
    private final CompletableFuture<String> kind = new CompletableFuture<>();
    private String awaitedId = "ready";
    private CompletableFuture<Prompt> awaited = new CompletableFuture<>();

    /**
     * The shell is ready for the next command.
     *
     * @param status of the last
     * @param cwd its folder
     */
    record Prompt(int status, String cwd) {}

    ShellControl(InputStream stream) {
        this.stream = new BufferedInputStream(stream);
    }

    /** {@code bash} or {@code sh}; fails where the stream ends before. */
    CompletableFuture<String> kind() {
        return kind;
    }

    /** The first prompt, before any command. */
    synchronized CompletableFuture<Prompt> first() {
        return awaited;
    }

    /** Before a command is sent: the prompt after it. */
    synchronized CompletableFuture<Prompt> expect(String id) {
        awaitedId = id;
        awaited = new CompletableFuture<>();
        return awaited;
    }

    /** Reads to the end of the stream. */
    void read() {
        try (stream) {
            String field = field();
            while (!field.equals("shell")) {
                field = field(); // crun's own warnings come before
            }
            kind.complete(field());
            while (true) {
                prompt(field(), field(), field());
            }
        } catch (IOException e) {
            kind.completeExceptionally(e);
            synchronized (this) {
                awaited.completeExceptionally(e);
            }
        }
    }

    private synchronized void prompt(String id, String status, String folder) {
        if (id.equals(awaitedId)) {
            String cwd = folder.endsWith("\n") ? folder.substring(0, folder.length() - 1) : folder;
            awaited.complete(new Prompt(Integer.parseInt(status), cwd));
        }
    }

    private String field() throws IOException {
        ByteArrayOutputStream field = new ByteArrayOutputStream();
        for (int b = stream.read(); b != 0; b = stream.read()) {
            if (b < 0) {
                throw new EOFException("the shell ended");
            }
            if (field.size() < LONGEST_FIELD) {
                field.write(b);
            }
        }
        return field.toString(StandardCharsets.UTF_8);
    }
}
