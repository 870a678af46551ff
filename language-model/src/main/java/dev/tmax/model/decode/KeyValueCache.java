package dev.tmax.model.decode;

import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.Precision;
import dev.tmax.model.program.WeightLoader;
import dev.tmax.model.torch.Program;
import dev.tmax.model.torch.Scope;
import dev.tmax.model.torch.Value;

/** Keys and values of all slots: {@code [layers, 2, slots, keyValueHeads, positions, headSize]} in the compute type. */
final class KeyValueCache implements AutoCloseable {
    private final Program program;
    private final Scope scope = Scope.shared();
    private final Value cache;
    private final long bytesPerToken;

    KeyValueCache(Program program, ModelConfiguration model, DecodeOptions options) {
        this.program = program;
        bytesPerToken = model.cacheBytesPerToken(options.compute() == Precision.BF16 ? 2 : 4);
        try {
            // Zeroed, because attention multiplies what lies beyond a row's context by zero, and zero times NaN is NaN.
            cache = program.run(
                    scope,
                    "allocate",
                    scope.numbers(
                            model.layers(),
                            2,
                            options.slots(),
                            model.keyValueHeads(),
                            options.maxContextTokens(),
                            model.headSize()),
                    scope.number(WeightLoader.typeCode(options.compute())));
        } catch (RuntimeException e) {
            scope.close();
            throw e;
        }
    }

    Value value() {
        return cache;
    }

    long bytes(int tokens) {
        return bytesPerToken * tokens;
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
