package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CommandRequest;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/**
 * Divides a shell's output among commands: a secret mark ends each. What comes between two commands, from processes left
 * in the background, begins the output of the next.
 */
final class ShellOutput {

    private OutputWindow window = new OutputWindow(CommandRequest.DEFAULT_OUTPUT_LIMIT);
    private byte[] mark = new byte[0];
    private CompletableFuture<OutputWindow.Text> complete = new CompletableFuture<>();

    /** Bytes of the mark seen at the end of what was fed so far. */
    private int matched;

    /** Before a command is sent: its output ends with this id's mark. */
    synchronized CompletableFuture<OutputWindow.Text> expect(String id, int limit) {
        OutputWindow.Text before = window.text();
        window = new OutputWindow(limit);
        byte[] carried = before.text().getBytes(StandardCharsets.UTF_8);
        window.append(carried, 0, carried.length);
        byte[] name = id.getBytes(StandardCharsets.US_ASCII);
        mark = new byte[name.length + 1];
        mark[0] = ShellProgram.MARK;
        System.arraycopy(name, 0, mark, 1, name.length);
        matched = 0;
        complete = new CompletableFuture<>();
        return complete;
    }

    /** What there is so far, for a command whose mark never came. */
    synchronized OutputWindow.Text soFar() {
        return window.text();
    }

    synchronized void feed(byte[] data, int length) {
        int start = 0; // of what is not given on yet
        for (int i = 0; i < length; i++) {
            if (mark.length > 0 && data[i] == mark[matched]) {
                matched++;
                if (matched == mark.length) {
                    int markStart = i + 1 - mark.length; // negative: it began in an earlier read
                    window.append(data, start, Math.max(0, markStart - start));
                    finish();
                    start = i + 1;
                }
            } else if (matched > 0) {
                // No mark after all: what earlier reads held back of it is output.
                window.append(mark, 0, Math.max(0, matched - i));
                // The mark's first byte is nowhere else in it, so only this byte can begin another.
                matched = data[i] == mark[0] ? 1 : 0;
            }
        }
        int held = Math.min(matched, length - start);
        window.append(data, start, length - start - held);
    }

    private void finish() {
        complete.complete(window.text());
        window = new OutputWindow(CommandRequest.DEFAULT_OUTPUT_LIMIT);
        mark = new byte[0];
        matched = 0;
    }
}
