package dev.tmax.model.decode;

import dev.tmax.model.LayerType;
import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.Precision;
import dev.tmax.model.program.AttentionWindow;
import dev.tmax.model.program.WeightLoader;
import dev.tmax.model.torch.Program;
import dev.tmax.model.torch.Scope;
import dev.tmax.model.torch.Value;

/**
 * Keys and values of all slots: {@code [attention layers, 2, slots, keyValueHeads, positions, headSize]} in the compute type. Grows
 * with the longest sequence, so that short episodes under a long limit cost little memory.
 */
final class KeyValueCache implements AutoCloseable {
    private static final int INITIAL_POSITIONS = 256;

    private final Program program;
    private final ModelConfiguration model;
    private final DecodeOptions options;
    private Scope scope;
    private Value cache;
    private int positions;

    KeyValueCache(Program program, ModelConfiguration model, DecodeOptions options) {
        this.program = program;
        this.model = model;
        this.options = options;
        positions = Math.min(INITIAL_POSITIONS, AttentionWindow.of(options.maxContextTokens()));
        scope = Scope.shared();
        try {
            cache = allocate(scope, positions);
        } catch (RuntimeException e) {
            scope.close();
            throw e;
        }
    }

    private Value allocate(Scope owner, int positions) {
        // Zeroed, because attention multiplies what lies beyond a row's context by zero, and zero times NaN is NaN.
        return program.run(
                owner,
                "allocate",
                owner.numbers(
                        model.layers(LayerType.ATTENTION),
                        2,
                        options.slots(),
                        model.keyValueHeads(),
                        positions,
                        model.headSize()),
                owner.number(WeightLoader.typeCode(options.compute())));
    }

    /** Makes room for sequences of that many tokens. */
    void ensure(int tokens) {
        if (tokens <= positions) {
            return;
        }
        int grown = AttentionWindow.of(Math.min(options.maxContextTokens(), Math.max(tokens, 2 * positions)));
        Scope larger = Scope.shared();
        try {
            Value next = allocate(larger, grown);
            program.run(larger, "enlarge", cache, next);
            scope.close();
            scope = larger;
            cache = next;
            positions = grown;
        } catch (RuntimeException e) {
            larger.close();
            throw e;
        }
    }

    Value value() {
        return cache;
    }

    long bytes(int tokens) {
        return model.cacheBytesPerToken(options.compute() == Precision.BF16 ? 2 : 4) * tokens;
    }

    /** A copy of a slot's first tokens. */
    Value extract(Scope owner, int slot, int tokens) {
        try (Scope arguments = new Scope()) {
            return program.run(owner, "extract", cache, arguments.number(slot), arguments.number(tokens));
        }
    }

    /** Overwrites a slot's first tokens with a copy made before. */
    void insert(int slot, Value tokens) {
        try (Scope arguments = new Scope()) {
            program.run(arguments, "insert", cache, arguments.number(slot), tokens);
        }
    }

    /** Copies a slot's first tokens to another slot. */
    void move(int from, int to, int tokens) {
        try (Scope arguments = new Scope()) {
            program.run(
                    arguments, "move", cache, arguments.number(from), arguments.number(to), arguments.number(tokens));
        }
    }

    @Override
    public void close() {
        scope.close();
    }
}
