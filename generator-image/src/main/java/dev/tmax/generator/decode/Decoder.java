package dev.tmax.generator.decode;

import dev.tmax.model.decode.DecodeEngine;
import dev.tmax.model.decode.DecodeStatistics;
import dev.tmax.model.decode.Prompt;
import dev.tmax.model.decode.SamplingParameters;
import dev.tmax.model.decode.SequenceEvent;
import dev.tmax.model.weights.WeightSource;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;

/**
 * Owns a {@link DecodeEngine} with one thread, which takes requests between two steps and otherwise only decodes.
 * Conversations begin once the first weights have come by {@link #swap}. Thread-safe.
 */
public final class Decoder implements AutoCloseable {

    private final Supplier<DecodeEngine> opener;
    private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Thread thread;
    private volatile DecodeStatistics statistics;
    private volatile boolean stopped;

    // Owned by the thread.
    private final Map<Long, Conversation> decoding = new HashMap<>();
    private final ArrayDeque<Request.Turn> waiting = new ArrayDeque<>();
    private boolean held = true;
    private boolean stopping;

    private Decoder(Supplier<DecodeEngine> opener) {
        this.opener = opener;
        this.thread = Thread.ofPlatform().name("decoder").unstarted(this::run);
    }

    /**
     * Opens the engine in its own thread and waits for it.
     *
     * @param opener what it throws is thrown here
     */
    public static Decoder open(Supplier<DecodeEngine> opener) {
        Decoder decoder = new Decoder(opener);
        decoder.thread.start();
        try {
            decoder.opened.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
        return decoder;
    }

    /** A new conversation; nothing is computed before its first turn is asked for. */
    public Conversation converse(int[] prompt, SamplingParameters sampling, long seed) {
        return new Conversation(this, new Prompt(prompt), sampling, seed);
    }

    /** Starts no further conversation until the next {@link #swap}; those that run go on. */
    public void hold() {
        ask(new Request.Hold());
    }

    /**
     * Decodes with these weights from the next step on.
     *
     * @param weights read before this returns, not after
     * @throws IllegalArgumentException where they are not of this model
     */
    public void swap(long version, WeightSource weights) throws InterruptedException, DecodingException {
        CompletableFuture<Void> done = new CompletableFuture<>();
        ask(new Request.Swap(version, weights, done));
        try {
            done.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IllegalArgumentException mismatch) {
                throw mismatch;
            }
            throw new DecodingException(e.getCause());
        }
    }

    /** As of the last step. */
    public DecodeStatistics statistics() {
        return statistics;
    }

    /** Completes when the thread ends: exceptionally where the engine failed, which nothing but a new process heals. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    void ask(Request request) {
        requests.add(request);
        if (stopped) {
            refuseAll(new CancellationException("the decoder has ended"));
        }
    }

    private void run() {
        try (DecodeEngine engine = opener.get()) {
            statistics = engine.statistics();
            opened.complete(null);
            while (!stopping) {
                takeRequests(engine);
                startWaiting(engine);
                if (!decoding.isEmpty()) {
                    engine.step().forEach(this::deliver);
                }
                statistics = engine.statistics();
            }
            end(new CancellationException("the decoder has ended"));
            ended.complete(null);
        } catch (Throwable e) {
            opened.completeExceptionally(e);
            end(e);
            ended.completeExceptionally(e);
        }
    }

    private void takeRequests(DecodeEngine engine) throws InterruptedException {
        boolean idle = decoding.isEmpty() && !startable(engine);
        Request request = idle ? requests.take() : requests.poll();
        while (request != null) {
            take(engine, request);
            request = requests.poll();
        }
    }

    private boolean startable(DecodeEngine engine) {
        return !held && !waiting.isEmpty() && engine.freeSlots() > 0;
    }

    private void take(DecodeEngine engine, Request request) {
        switch (request) {
            case Request.Turn turn when turn.conversation().sequence == Conversation.NOT_STARTED -> waiting.add(turn);
            case Request.Turn turn -> resume(engine, turn);
            case Request.Close close -> close(engine, close.conversation());
            case Request.Swap swap -> swap(engine, swap);
            case Request.Hold _ -> held = true;
            case Request.Stop _ -> stopping = true;
        }
    }

    private void startWaiting(DecodeEngine engine) {
        while (startable(engine)) {
            Request.Turn turn = waiting.remove();
            Conversation conversation = turn.conversation();
            try {
                conversation.sequence = engine.start(
                        conversation.prompt(), turn.limits(), conversation.sampling(), conversation.seed());
                begin(turn);
            } catch (IllegalArgumentException e) {
                turn.result().completeExceptionally(e);
            }
        }
    }

    private void resume(DecodeEngine engine, Request.Turn turn) {
        try {
            engine.resume(turn.conversation().sequence, turn.appended(), turn.limits());
            begin(turn);
        } catch (IllegalArgumentException e) {
            turn.result().completeExceptionally(e);
        }
    }

    private void begin(Request.Turn turn) {
        Conversation conversation = turn.conversation();
        conversation.turn = new TurnBuilder();
        conversation.wanted = turn.result();
        decoding.put(conversation.sequence, conversation);
    }

    private void deliver(SequenceEvent event) {
        switch (event) {
            case SequenceEvent.Token token ->
                decoding.get(token.sequence()).turn.add(token);
            case SequenceEvent.Stopped stop -> {
                Conversation conversation = decoding.remove(stop.sequence());
                conversation.wanted.complete(conversation.turn.build(stop.reason()));
            }
        }
    }

    private void close(DecodeEngine engine, Conversation conversation) {
        waiting.removeIf(turn -> turn.conversation() == conversation);
        if (conversation.sequence != Conversation.NOT_STARTED) {
            decoding.remove(conversation.sequence);
            engine.finish(conversation.sequence);
            conversation.sequence = Conversation.NOT_STARTED;
        }
    }

    private void swap(DecodeEngine engine, Request.Swap swap) {
        try {
            engine.swap(swap.version(), swap.weights());
            held = false;
            swap.done().complete(null);
        } catch (IllegalArgumentException e) {
            swap.done().completeExceptionally(e);
        }
    }

    private void end(Throwable cause) {
        stopped = true;
        decoding.values().forEach(conversation -> conversation.wanted.completeExceptionally(cause));
        waiting.forEach(turn -> turn.result().completeExceptionally(cause));
        refuseAll(cause);
    }

    private void refuseAll(Throwable cause) {
        for (Request request = requests.poll(); request != null; request = requests.poll()) {
            switch (request) {
                case Request.Turn turn -> turn.result().completeExceptionally(cause);
                case Request.Swap swap -> swap.done().completeExceptionally(cause);
                case Request.Close _, Request.Hold _, Request.Stop _ -> {}
            }
        }
    }

    /** Ends the thread after the step it is in and frees the engine; turns in the middle fail. */
    @Override
    public void close() {
        ask(new Request.Stop());
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
