package dev.tmax.generator.decode;

import dev.tmax.model.decode.GenerationLimits;
import dev.tmax.model.weights.WeightSource;
import java.util.concurrent.CompletableFuture;

/** What other threads ask of the decoder's thread. */
sealed interface Request {

    /** The first turn of a conversation, or with {@code appended} tokens a further one. */
    record Turn(
            Conversation conversation, int[] appended, GenerationLimits limits, CompletableFuture<SampledTurn> result)
            implements Request {}

    record Close(Conversation conversation) implements Request {}

    record Swap(long version, WeightSource weights, CompletableFuture<Void> done) implements Request {}

    /** Start no conversation before the next swap. */
    record Hold() implements Request {}

    record Stop() implements Request {}
}
