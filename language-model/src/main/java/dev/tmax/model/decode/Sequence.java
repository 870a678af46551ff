package dev.tmax.model.decode;

import dev.tmax.model.text.Detokenizer;
import dev.tmax.model.text.Tokenizer;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;

/** A sequence's state between steps. */
final class Sequence {
    private enum Phase {
        /** Has tokens to compute before it can sample. */
        PREFILL,
        /** Has one sampled token to compute. */
        DECODE,
        /** Between turns. */
        WAITING
    }

    private final long id;
    private final SamplingParameters sampling;
    private final SplittableRandom random;
    private Phase phase = Phase.PREFILL;
    private GenerationLimits limits;
    private Detokenizer detokenizer;
    /** Text of this turn that may be the beginning of a stop string. */
    private String tail = "";

    private final int promptTokens;
    /** Order in which its present or last turn was asked for. */
    private long turn;
    /** The whole sequence, and room behind it. */
    private int[] tokens;

    private int length;
    /** Tokens in the cache. */
    private int cached;

    private int newTokens;

    Sequence(
            long id,
            long turn,
            int[] prompt,
            GenerationLimits limits,
            SamplingParameters sampling,
            long seed,
            Tokenizer tokenizer) {
        this.id = id;
        this.turn = turn;
        this.tokens = prompt;
        this.promptTokens = prompt.length;
        this.length = prompt.length;
        this.limits = limits;
        this.sampling = sampling;
        this.random = new SplittableRandom(seed);
        this.detokenizer = tokenizer.detokenizer();
    }

    long id() {
        return id;
    }

    SamplingParameters sampling() {
        return sampling;
    }

    /** The next uniform number of this sequence's stream. */
    float uniform() {
        return (float) random.nextDouble(0, Math.nextDown(1f));
    }

    boolean active() {
        return phase != Phase.WAITING;
    }

    boolean decoding() {
        return phase == Phase.DECODE;
    }

    long turn() {
        return turn;
    }

    int[] prompt() {
        return Arrays.copyOf(tokens, promptTokens);
    }

    /** Tokens not yet in the cache: a prompt, an observation, the last sampled token, or all of an evicted sequence. */
    int[] pending() {
        return Arrays.copyOfRange(tokens, cached, length);
    }

    int cached() {
        return cached;
    }

    /** Tokens of the whole sequence so far. */
    int length() {
        return length;
    }

    /** Most tokens that the sequence has at the end of its turn. */
    int longestOfTurn(int maxContextTokens) {
        return (int) Math.min(maxContextTokens, (long) length + limits.maxNewTokens() - newTokens);
    }

    /** Notes that the pending tokens are in the cache now. */
    void computed() {
        cached = length;
    }

    /** Notes that nothing of it is in the cache any more. */
    void evicted() {
        cached = 0;
    }

    private void append(int... more) {
        if (length + more.length > tokens.length) {
            tokens = Arrays.copyOf(tokens, Math.max(2 * length, length + more.length));
        }
        System.arraycopy(more, 0, tokens, length, more.length);
        length += more.length;
    }

    /** Takes a sampled token; tells whether the turn ends with it. */
    Optional<StopReason> sampled(int token, int maxContextTokens) {
        append(token);
        newTokens++;
        Optional<StopReason> reason = stopReason(token, maxContextTokens);
        phase = reason.isPresent() ? Phase.WAITING : Phase.DECODE;
        return reason;
    }

    private Optional<StopReason> stopReason(int token, int maxContextTokens) {
        if (limits.stopTokens().contains(token)) {
            return Optional.of(StopReason.STOP_TOKEN);
        }
        if (completesStopString(token)) {
            return Optional.of(StopReason.STOP_STRING);
        }
        if (newTokens == limits.maxNewTokens()) {
            return Optional.of(StopReason.LIMIT);
        }
        return length() == maxContextTokens ? Optional.of(StopReason.CONTEXT) : Optional.empty();
    }

    private boolean completesStopString(int token) {
        if (limits.stopStrings().isEmpty()) {
            return false;
        }
        tail += detokenizer.add(token);
        int longest = 0;
        for (String stop : limits.stopStrings()) {
            if (tail.contains(stop)) {
                return true;
            }
            longest = Math.max(longest, stop.length());
        }
        tail = tail.substring(Math.max(0, tail.length() - longest + 1));
        return false;
    }

    /** Begins a turn after appended context. */
    void resume(long turn, int[] appended, GenerationLimits next, Tokenizer tokenizer) {
        this.turn = turn;
        append(appended);
        limits = next;
        detokenizer = tokenizer.detokenizer();
        tail = "";
        newTokens = 0;
        phase = Phase.PREFILL;
    }
}
