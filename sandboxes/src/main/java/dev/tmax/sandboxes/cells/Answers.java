package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.SandboxFailure;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Remembers what came of each request, so that one asked again does not happen again.
 *
 * @param <T> what comes of a request
 */
final class Answers<T> {

    /** A lost answer is asked for within seconds: the last few are enough. */
    private static final int KEPT = 64;

    private final Map<String, CompletableFuture<T>> byId = new HashMap<>();
    private final Queue<String> order = new ArrayDeque<>();
    private int count;

    /** Runs the work, or waits for what the same id came to. */
    T once(String id, Cell.Work<T> work) throws SandboxFailure {
        CompletableFuture<T> mine = new CompletableFuture<>();
        CompletableFuture<T> first = begin(id, mine);
        try {
            if (first != mine) {
                return first.get();
            }
            T result = work.run();
            mine.complete(result);
            return result;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SandboxFailure failure) {
                throw new SandboxFailure(failure.reason(), failure.getMessage(), failure);
            }
            throw new SandboxFailure(
                    SandboxFailure.Reason.INTERNAL, "request " + id + " failed before: " + e.getCause(), e);
        } catch (InterruptedException e) {
            SandboxFailure interrupted = Interruption.of(e);
            mine.completeExceptionally(interrupted);
            throw interrupted;
        } catch (SandboxFailure | RuntimeException e) {
            mine.completeExceptionally(e);
            throw e;
        }
    }

    private synchronized CompletableFuture<T> begin(String id, CompletableFuture<T> mine) {
        CompletableFuture<T> first = byId.putIfAbsent(id, mine);
        if (first != null) {
            return first;
        }
        count++;
        order.add(id);
        if (order.size() > KEPT) {
            byId.remove(order.remove());
        }
        return mine;
    }

    /** Requests so far. */
    synchronized int count() {
        return count;
    }
}
