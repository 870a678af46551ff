package dev.tmax.model.openai;

import dev.tmax.model.decode.DecodeEngine;
import dev.tmax.model.decode.SequenceEvent;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Owns a {@link DecodeEngine} with one thread, which takes answers to generate between two steps. Answers beyond the
 * engine's slots wait in order. Thread-safe.
 */
final class Batcher implements AutoCloseable {
    private sealed interface Request {
        record Begin(Generation generation) implements Request {}

        record Cancel(Generation generation) implements Request {}

        record Stop() implements Request {}
    }

    private final DecodeEngine engine;
    private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    private final ArrayDeque<Generation> waiting = new ArrayDeque<>();
    private final Map<Long, Generation> decoding = new HashMap<>();
    private volatile boolean stopped;
    private final Thread thread = Thread.ofPlatform().name("decoder").unstarted(this::run);

    /** @param engine closed with this */
    Batcher(DecodeEngine engine) {
        this.engine = engine;
        thread.start();
    }

    /** Generates; the events come from {@link Generation#next}. */
    void begin(Generation generation) {
        ask(new Request.Begin(generation));
    }

    /** Stops generating what nobody waits for any more. */
    void cancel(Generation generation) {
        ask(new Request.Cancel(generation));
    }

    private void ask(Request request) {
        requests.add(request);
        if (stopped) {
            failRequests(new IllegalStateException("the server has ended"));
        }
    }

    private void run() {
        RuntimeException cause = new IllegalStateException("the server has ended");
        try (engine) {
            while (takeRequests()) {
                startWaiting();
                engine.step().forEach(this::deliver);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            cause = e;
        }
        end(cause);
    }

    private void end(RuntimeException cause) {
        stopped = true;
        decoding.values().forEach(generation -> generation.fail(cause));
        waiting.forEach(generation -> generation.fail(cause));
        failRequests(cause);
    }

    /** Takes what is asked, waiting if there is nothing to decode; false when told to stop. */
    private boolean takeRequests() throws InterruptedException {
        Request request = decoding.isEmpty() && waiting.isEmpty() ? requests.take() : requests.poll();
        for (; request != null; request = requests.poll()) {
            switch (request) {
                case Request.Begin(Generation generation) -> waiting.add(generation);
                case Request.Cancel(Generation generation) -> cancelled(generation);
                case Request.Stop _ -> {
                    return false;
                }
            }
        }
        return true;
    }

    private void startWaiting() {
        while (!waiting.isEmpty() && engine.freeSlots() > 0) {
            Generation generation = waiting.remove();
            try {
                decoding.put(
                        engine.start(
                                generation.prompt(), generation.limits(), generation.sampling(), generation.seed()),
                        generation);
            } catch (IllegalArgumentException e) {
                generation.fail(e);
            }
        }
    }

    private void deliver(SequenceEvent event) {
        decoding.get(event.sequence()).add(event);
        if (event instanceof SequenceEvent.Stopped) {
            finish(event.sequence());
        }
    }

    private void cancelled(Generation generation) {
        waiting.remove(generation);
        decoding.entrySet().stream()
                .filter(entry -> entry.getValue() == generation)
                .mapToLong(Map.Entry::getKey)
                .findFirst()
                .ifPresent(this::finish);
    }

    private void finish(long sequence) {
        decoding.remove(sequence);
        engine.finish(sequence);
    }

    private void failRequests(RuntimeException cause) {
        for (Request request = requests.poll(); request != null; request = requests.poll()) {
            if (request instanceof Request.Begin(Generation generation)) {
                generation.fail(cause);
            }
        }
    }

    /** Ends after the step that runs now; answers in the middle fail. */
    @Override
    public void close() {
        requests.add(new Request.Stop());
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
