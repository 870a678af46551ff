package dev.tmax.model.openai;

import dev.tmax.model.decode.GenerationLimits;
import dev.tmax.model.decode.Prompt;
import dev.tmax.model.decode.SamplingParameters;
import dev.tmax.model.decode.SequenceEvent;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** One answer to generate, and what came of it so far. */
final class Generation {
    private sealed interface Item {
        record Happened(SequenceEvent event) implements Item {}

        record Failed(RuntimeException cause) implements Item {}
    }

    private final Prompt prompt;
    private final GenerationLimits limits;
    private final SamplingParameters sampling;
    private final long seed;
    private final BlockingQueue<Item> items = new LinkedBlockingQueue<>();

    Generation(Prompt prompt, GenerationLimits limits, SamplingParameters sampling, long seed) {
        this.prompt = prompt;
        this.limits = limits;
        this.sampling = sampling;
        this.seed = seed;
    }

    Prompt prompt() {
        return prompt;
    }

    GenerationLimits limits() {
        return limits;
    }

    SamplingParameters sampling() {
        return sampling;
    }

    long seed() {
        return seed;
    }

    void add(SequenceEvent event) {
        items.add(new Item.Happened(event));
    }

    void fail(RuntimeException cause) {
        items.add(new Item.Failed(cause));
    }

    /**
     * The next token or the end; waits for it.
     *
     * @throws RuntimeException what the engine failed with
     */
    SequenceEvent next() throws InterruptedException {
        return switch (items.take()) {
            case Item.Happened(SequenceEvent event) -> event;
            case Item.Failed(RuntimeException cause) -> throw cause;
        };
    }
}
