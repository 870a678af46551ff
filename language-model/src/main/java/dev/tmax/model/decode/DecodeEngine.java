package dev.tmax.model.decode;

import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.program.AttentionWindow;
import dev.tmax.model.program.FusedLayout;
import dev.tmax.model.program.RotaryTable;
import dev.tmax.model.text.Tokenizer;
import dev.tmax.model.torch.Program;
import dev.tmax.model.torch.Scope;
import dev.tmax.model.torch.Torch;
import dev.tmax.model.torch.Value;
import dev.tmax.model.weights.WeightSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Continuous batched decoding of one model. Each {@link #step} advances every active sequence by one token; sequences
 * start, stop, wait and resume independently, and weights can be swapped between steps.
 *
 * <p>Caches are bounded by {@link DecodeOptions#cacheBytes}. A turn that begins gets room for its longest end, so it is
 * never interrupted; where that room is missing it waits for turns that run, in the order of {@link #start} and
 * {@link #resume}. A sequence between turns may lose its cache and is then computed again, with the weights of that time.
 *
 * <p>Not thread-safe: one thread at a time uses an engine.
 */
public final class DecodeEngine implements AutoCloseable {
    /** Tokens of a prompt computed at once, which bounds the memory of its attention scores. */
    private static final int PREFILL_CHUNK = 512;

    private final DecodeOptions options;
    private final int vocabulary;
    private final Tokenizer tokenizer;
    private final FusedLayout layout;
    private final Scope scope = Scope.shared();
    private final Program program;
    private final Sampler sampler;
    private final CacheBudget budget;
    private final RowCaches caches;
    private final PrefixCache prefixes;
    private final Residency residency;
    private final SequenceTable sequences;
    private final RotaryTable rotary;
    private final Value iota;
    private LoadedWeights weights;
    private long nextSequence = 1;
    private long turns;
    private long generatedTokens;
    private long prefillTokens;
    private long reusedTokens;
    private long prefixHits;
    private long steps;

    private DecodeEngine(ModelFolder model, DecodeOptions options) {
        ModelConfiguration configuration = model.configuration();
        this.options = options;
        vocabulary = configuration.vocabulary();
        tokenizer = model.tokenizer();
        layout = new FusedLayout(configuration, model.layout());
        program = new Program(DecodeProgram.source(configuration, options));
        sampler = new Sampler(program);
        sequences = new SequenceTable(options.slots());
        budget = CacheBudget.of(configuration, options);
        prefixes = new PrefixCache(budget.promptBytes());
        weights = LoadedWeights.load(program, layout, options, 0, model.weights());
        caches = RowCaches.allocate(program, configuration, options);
        residency = new Residency(budget, caches, prefixes);
        rotary = RotaryTable.of(configuration, options.maxContextTokens(), scope);
        int positions = Math.max(AttentionWindow.of(options.maxContextTokens()), options.slots());
        iota = scope.tensor(LongStream.range(0, positions).toArray());
    }

    /**
     * Loads a model's weights as version 0.
     *
     * @throws IllegalArgumentException if the options exceed the model's positions
     */
    public static DecodeEngine open(ModelFolder model, DecodeOptions options) {
        int positions = model.configuration().maxPositions();
        if (options.maxContextTokens() > positions) {
            throw new IllegalArgumentException("maxContextTokens: " + options.maxContextTokens() + "; the model has "
                    + positions + " positions, give at most that");
        }
        Torch.enter(options.threads(), false);
        return new DecodeEngine(model, options);
    }

    /**
     * Takes a slot for a sequence. Its prompt is computed at the beginning of the next step for which the caches have room,
     * or taken from the prompt cache; its first token comes with that step.
     *
     * @param seed of the sequence's own random stream: the same seed, prompt and weights give the same tokens whatever
     *     else is in the batch
     * @return the sequence's id, never reused
     * @throws IllegalStateException if no slot is free
     * @throws IllegalArgumentException if the prompt does not leave room for a token, or the turn alone exceeds the bytes of
     *     caches
     */
    public long start(Prompt prompt, GenerationLimits limits, SamplingParameters sampling, long seed) {
        int[] tokens = prompt.tokens();
        requireRoom("prompt", tokens.length);
        requireVocabulary(tokens);
        Sequence sequence = new Sequence(nextSequence, turns, tokens, limits, sampling, seed, tokenizer);
        budget.requireRoomFor("prompt and turn", sequence.longestOfTurn(options.maxContextTokens()));
        sequences.add(sequence);
        turns++;
        return nextSequence++;
    }

    /**
     * Begins the next turn of a stopped sequence, on its cache if that was kept.
     *
     * @param appendedTokens context after the last generated token (end of turn, observation, generation prompt); at
     *     least one
     * @throws IllegalArgumentException if the sequence is unknown, or the tokens do not leave room for another, or the turn
     *     alone exceeds the bytes of caches; the sequence is then as before
     * @throws IllegalStateException if its turn has not ended
     */
    public void resume(long sequence, int[] appendedTokens, GenerationLimits limits) {
        Sequence waiting = sequences.get(sequence);
        if (waiting.active()) {
            throw new IllegalStateException("sequence " + sequence + ": its turn has not ended");
        }
        if (appendedTokens.length == 0) {
            throw new IllegalArgumentException("appendedTokens: empty; give what follows the turn");
        }
        requireRoom("sequence " + sequence + " with appendedTokens", waiting.length() + appendedTokens.length);
        requireVocabulary(appendedTokens);
        long longest = (long) waiting.length() + appendedTokens.length + limits.maxNewTokens();
        budget.requireRoomFor("sequence " + sequence, (int) Math.min(options.maxContextTokens(), longest));
        waiting.resume(turns++, appendedTokens, limits, tokenizer);
    }

    private void requireRoom(String what, int tokens) {
        if (tokens >= options.maxContextTokens()) {
            throw new IllegalArgumentException(what + ": " + tokens + " tokens leave no room in a context of "
                    + options.maxContextTokens() + "; shorten it or raise maxContextTokens");
        }
    }

    private void requireVocabulary(int[] tokens) {
        for (int token : tokens) {
            if (token < 0 || token >= vocabulary) {
                throw new IllegalArgumentException("token " + token + ": outside the vocabulary of " + vocabulary
                        + "; use this model's tokenizer");
            }
        }
    }

    /**
     * Samples one token for every active sequence that has room in the caches, which the one that is active for longest
     * always has. A sequence's token comes before its stop; empty if none is active.
     */
    public List<SequenceEvent> step() {
        Torch.enter(options.threads(), false);
        try (Scope step = new Scope()) {
            List<Sequence> running = residency.admit(sequences.active());
            List<Sequence> prefilling =
                    running.stream().filter(sequence -> !sequence.decoding()).toList();
            List<Sequence> decoding = residency.compact();
            List<Value> hidden = new ArrayList<>();
            if (!decoding.isEmpty()) {
                hidden.add(decode(step, decoding));
            }
            for (Sequence sequence : prefilling) {
                hidden.add(prefill(step, sequence));
            }
            if (hidden.isEmpty()) {
                return List.of();
            }
            List<Sequence> rows = new ArrayList<>(decoding);
            rows.addAll(prefilling);
            Value logits = program.run(step, "logits", step.list(hidden), weights.head());
            return events(rows, sampler.draw(step, logits, rows));
        }
    }

    private List<SequenceEvent> events(List<Sequence> rows, Sampler.Drawn drawn) {
        List<SequenceEvent> events = new ArrayList<>(rows.size() + 1);
        for (int row = 0; row < rows.size(); row++) {
            Sequence sequence = rows.get(row);
            int token = (int) drawn.tokens()[row];
            sequence.computed();
            events.add(new SequenceEvent.Token(sequence.id(), token, drawn.logProbabilities()[row], weights.version()));
            Optional<StopReason> stop = sequence.sampled(token, options.maxContextTokens());
            stop.ifPresent(reason -> {
                residency.ended(sequence);
                events.add(new SequenceEvent.Stopped(sequence.id(), reason));
            });
        }
        steps++;
        generatedTokens += rows.size();
        return events;
    }

    private Value decode(Scope step, List<Sequence> rows) {
        long[] ids = new long[rows.size()];
        long[] positions = new long[rows.size()];
        int longest = 0;
        for (int row = 0; row < ids.length; row++) {
            ids[row] = rows.get(row).pending()[0];
            positions[row] = rows.get(row).cached();
            longest = Math.max(longest, rows.get(row).length());
        }
        return program.run(
                step,
                "step",
                weights.layers(),
                weights.embedding(),
                caches.keyValues().layers(),
                caches.states().windows(),
                caches.states().matrices(),
                step.tensor(ids),
                step.tensor(positions),
                iota,
                step.number(AttentionWindow.of(longest)),
                rotary.cosine(),
                rotary.sine());
    }

    /** Fills the cache with the pending tokens; gives the last one's hidden state. */
    private Value prefill(Scope step, Sequence sequence) {
        int row = residency.row(sequence);
        int[] pending = sequence.pending();
        if (sequence.cached() > 0) {
            return extend(step, row, sequence.cached(), pending);
        }
        // An evicted sequence's prompt is computed alone, as it was before, and may still be in the prompt cache.
        int[] prompt = sequence.prompt();
        Value hidden = prompt(step, row, prompt);
        return pending.length == prompt.length
                ? hidden
                : extend(step, row, prompt.length, Arrays.copyOfRange(pending, prompt.length, pending.length));
    }

    private Value prompt(Scope step, int row, int[] tokens) {
        Optional<PrefixCache.Entry> known = prefixes.find(tokens);
        if (known.isPresent()) {
            caches.keyValues().insert(row, known.get().keyValues());
            caches.states().insert(row, known.get().recurrent());
            prefixHits++;
            reusedTokens += tokens.length;
            return step.share(known.get().hidden());
        }
        Value hidden = extend(step, row, 0, tokens);
        remember(tokens, row, hidden);
        return hidden;
    }

    private Value extend(Scope step, int row, int start, int[] tokens) {
        Value hidden = null;
        prefillTokens += tokens.length;
        for (int from = 0; from < tokens.length; from += PREFILL_CHUNK) {
            int[] chunk = Arrays.copyOfRange(tokens, from, Math.min(tokens.length, from + PREFILL_CHUNK));
            hidden = program.run(
                    step,
                    "extend",
                    weights.layers(),
                    weights.embedding(),
                    caches.keyValues().layers(),
                    caches.states().windows(),
                    caches.states().matrices(),
                    step.tensor(chunk),
                    step.number(start + from),
                    step.number(row),
                    step.number(AttentionWindow.of(start + from + chunk.length)),
                    rotary.cosine(),
                    rotary.sine());
        }
        return hidden;
    }

    private void remember(int[] tokens, int row, Value hidden) {
        long bytes = budget.promptBytes(tokens.length);
        if (!prefixes.makeRoom(bytes)) {
            return;
        }
        Scope owner = Scope.shared();
        Value keyValues = caches.keyValues().extract(owner, row, tokens.length);
        Value recurrent = caches.states().extract(owner, row);
        prefixes.put(tokens, new PrefixCache.Entry(owner, keyValues, recurrent, owner.share(hidden), bytes));
    }

    /** Gives the sequence's slot back, whatever its state. */
    public void finish(long sequence) {
        residency.remove(sequences.remove(sequence));
    }

    /**
     * Replaces the weights between two steps. Sequences go on with their caches, but one that was evicted is computed
     * again wholly with the weights of the step in which it goes on; prompt caches of older versions are dropped.
     *
     * @param version policy version of the new weights
     * @throws IllegalArgumentException if a tensor is missing or has another shape; the weights are then as before
     */
    public void swap(long version, WeightSource source) {
        Torch.enter(options.threads(), false);
        LoadedWeights next = LoadedWeights.load(program, layout, options, version, source);
        prefixes.clear();
        weights.close();
        weights = next;
    }

    /** Policy version of the weights in use. */
    public long version() {
        return weights.version();
    }

    /** Slots free for {@link #start}. */
    public int freeSlots() {
        return sequences.free();
    }

    public DecodeStatistics statistics() {
        int active = sequences.active().size();
        return new DecodeStatistics(
                generatedTokens,
                prefillTokens,
                reusedTokens,
                prefixHits,
                steps,
                active,
                active - residency.running(),
                sequences.held(),
                options.slots(),
                prefixes.bytes(),
                residency.bytes() + prefixes.bytes(),
                residency.evictions());
    }

    /** Frees all native memory. */
    @Override
    public void close() {
        prefixes.close();
        caches.close();
        weights.close();
        scope.close();
        program.close();
    }
}
