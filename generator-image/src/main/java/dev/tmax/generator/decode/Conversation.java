package dev.tmax.generator.decode;

import dev.tmax.model.decode.GenerationLimits;
import dev.tmax.model.decode.Prompt;
import dev.tmax.model.decode.SamplingParameters;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** One sequence in the batch, from the side of its episode: turns are asked for one after another, by one thread. */
public final class Conversation implements AutoCloseable {

    /** Before the decoder has given it a slot. */
    static final long NOT_STARTED = -1;

    private final Decoder decoder;
    private final Prompt prompt;
    private final SamplingParameters sampling;
    private final long seed;

    // Owned by the decoder's thread.
    long sequence = NOT_STARTED;
    TurnBuilder turn;
    CompletableFuture<SampledTurn> wanted;

    Conversation(Decoder decoder, Prompt prompt, SamplingParameters sampling, long seed) {
        this.decoder = decoder;
        this.prompt = prompt;
        this.sampling = sampling;
        this.seed = seed;
    }

    /**
     * The turn after the prompt. Waits for a slot, for the first weights, and for the turn's last token.
     *
     * @throws DecodingException where the engine cannot take the prompt, or has failed
     */
    public SampledTurn first(GenerationLimits limits) throws InterruptedException, DecodingException {
        return turn(new int[0], limits);
    }

    /**
     * The next turn.
     *
     * @param appended tokens between the last turn and this one, at least one
     */
    public SampledTurn next(int[] appended, GenerationLimits limits) throws InterruptedException, DecodingException {
        return turn(appended, limits);
    }

    private SampledTurn turn(int[] appended, GenerationLimits limits) throws InterruptedException, DecodingException {
        CompletableFuture<SampledTurn> result = new CompletableFuture<>();
        decoder.ask(new Request.Turn(this, appended, limits, result));
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw new DecodingException(e.getCause());
        }
    }

    Prompt prompt() {
        return prompt;
    }

    SamplingParameters sampling() {
        return sampling;
    }

    long seed() {
        return seed;
    }

    /** Gives the slot back, also in the middle of a turn. */
    @Override
    public void close() {
        decoder.ask(new Request.Close(this));
    }
}
