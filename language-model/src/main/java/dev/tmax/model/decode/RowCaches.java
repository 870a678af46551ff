package dev.tmax.model.decode;

import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.torch.Program;

/** Everything that is kept of the sequences in rows. */
record RowCaches(KeyValueCache keyValues, RecurrentStates states) implements RowTable.Mover, AutoCloseable {
    static RowCaches allocate(Program program, ModelConfiguration model, DecodeOptions options) {
        KeyValueCache keyValues = new KeyValueCache(program, model, options);
        try {
            return new RowCaches(keyValues, new RecurrentStates(program, model, options));
        } catch (RuntimeException e) {
            keyValues.close();
            throw e;
        }
    }

    void resize(int rows, int positions) {
        keyValues.resize(rows, positions);
        states.resize(rows);
    }

    @Override
    public void move(Sequence sequence, int from, int to) {
        keyValues.move(from, to, sequence.cached());
        states.move(from, to);
    }

    @Override
    public void exchange(Sequence first, int firstRow, Sequence second, int secondRow) {
        keyValues.exchange(firstRow, secondRow, Math.max(first.cached(), second.cached()));
        states.exchange(firstRow, secondRow);
    }

    @Override
    public void close() {
        keyValues.close();
        states.close();
    }
}
