package dev.tmax.sandboxes.cells;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Reads what a verifier's container prints, and sees when it starts. */
final class VerifierOutput {

    private static final Duration LAST_OUTPUT = Duration.ofSeconds(2);
    private static final long THREAD_STACK_BYTES = 256 << 10;

    private final OutputWindow window;
    private final CountDownLatch startedOrOver = new CountDownLatch(1);
    private final Thread reader;
    private volatile boolean started;

    VerifierOutput(Process container, int limit) {
        this.window = new OutputWindow(limit);
        this.reader = Thread.ofPlatform()
                .daemon()
                .name("verifier-" + container.pid())
                .stackSize(THREAD_STACK_BYTES)
                .start(() -> read(container.getInputStream()));
    }

    /** Whether the verifier started, within this time. */
    boolean awaitStart(Duration time) throws InterruptedException {
        return startedOrOver.await(time.toMillis(), TimeUnit.MILLISECONDS) && started;
    }

    /** What was printed by the end of the container. */
    OutputWindow.Text end() throws InterruptedException {
        reader.join(LAST_OUTPUT);
        return window.text();
    }

    private void read(InputStream output) {
        byte[] buffer = new byte[64 << 10];
        try (output) {
            byte[] first = output.readNBytes(VerifierProgram.STARTED.length);
            started = Arrays.equals(first, VerifierProgram.STARTED);
            if (!started) {
                window.append(first, 0, first.length);
            }
            if (started) {
                startedOrOver.countDown();
            }
            for (int n = output.read(buffer); n >= 0; n = output.read(buffer)) {
                window.append(buffer, 0, n);
            }
        } catch (IOException e) {
            // Closed under us: the same as its end.
        } finally {
            startedOrOver.countDown();
        }
    }
}
