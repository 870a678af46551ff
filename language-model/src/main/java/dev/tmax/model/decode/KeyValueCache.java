package dev.tmax.model.decode;

import dev.tmax.model.LayerType;
import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.torch.Program;
import dev.tmax.model.torch.Scope;
import dev.tmax.model.torch.Value;

/**
 * Keys and values of all rows: for each attention layer {@code [2, rows, keyValueHeads, positions, headSize]} in the
 * compute type. Grows with the longest sequence, so that short episodes under a long limit cost little memory.
 */
final class KeyValueCache implements AutoCloseable {
    private final Program program;
    private final ModelConfiguration model;
    private final LayerTensors layers;
    private int positions;

    KeyValueCache(Program program, ModelConfiguration model, DecodeOptions options) {
        this.program = program;
        this.model = model;
        layers = new LayerTensors(program, options.compute(), model.layers(LayerType.ATTENTION), shape(0, 0));
    }

    private long[] shape(int rows, int positions) {
        return new long[] {2, rows, model.keyValueHeads(), positions, model.headSize()};
    }

    /** Gives it another size; rows and positions of both sizes stay. */
    void resize(int rows, int nextPositions) {
        layers.resize(shape(rows, nextPositions));
        positions = nextPositions;
    }

    /** Tokens that a row has room for. */
    int positions() {
        return positions;
    }

    /** The layers' tensors. Not valid after {@link #resize}. */
    Value layers() {
        return layers.list();
    }

    /** A copy of a row's first tokens, a list with an entry for each layer. */
    Value extract(Scope owner, int row, int tokens) {
        try (Scope arguments = new Scope()) {
            return program.run(owner, "extract", layers(), arguments.number(row), arguments.number(tokens));
        }
    }

    /** Overwrites a row's first tokens with a copy made before. */
    void insert(int row, Value tokens) {
        try (Scope arguments = new Scope()) {
            program.run(arguments, "insert", layers(), arguments.number(row), tokens);
        }
    }

    /** Copies a row's first tokens to another row. */
    void move(int from, int to, int tokens) {
        try (Scope arguments = new Scope()) {
            program.run(
                    arguments,
                    "move",
                    layers(),
                    arguments.number(from),
                    arguments.number(to),
                    arguments.number(tokens));
        }
    }

    /** Exchanges the first tokens of two rows, as many as the longer of their sequences has. */
    void exchange(int first, int second, int tokens) {
        try (Scope arguments = new Scope()) {
            program.run(
                    arguments,
                    "exchange",
                    layers(),
                    arguments.number(first),
                    arguments.number(second),
                    arguments.number(tokens));
        }
    }

    @Override
    public void close() {
        layers.close();
    }
}
