package dev.tmax.model.decode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Which sequence lies in which row of the caches. {@link #compact} brings those that decode to the front, so that a step
 * works on the first rows.
 */
final class RowTable {
    /** Moves of cached tokens that keep the caches in step with the table. */
    interface Mover {
        void move(Sequence sequence, int from, int to);

        void exchange(Sequence first, int firstRow, Sequence second, int secondRow);
    }

    private Sequence[] rows = new Sequence[0];
    private final Map<Sequence, Integer> rowOf = new HashMap<>();

    int size() {
        return rows.length;
    }

    boolean holds(Sequence sequence) {
        return rowOf.containsKey(sequence);
    }

    int row(Sequence sequence) {
        return rowOf.get(sequence);
    }

    List<Sequence> sequences() {
        return Arrays.stream(rows).filter(Objects::nonNull).toList();
    }

    /** Puts a sequence into a free row, which there must be. */
    void add(Sequence sequence) {
        place(sequence, firstFree());
    }

    private int firstFree() {
        int row = 0;
        while (rows[row] != null) {
            row++;
        }
        return row;
    }

    void remove(Sequence sequence) {
        Integer row = rowOf.remove(sequence);
        if (row != null) {
            rows[row] = null;
        }
    }

    private void place(Sequence sequence, int row) {
        rows[row] = sequence;
        rowOf.put(sequence, row);
    }

    /** Another number of rows, at least as many as there are sequences; those of rows that go are moved first. */
    void resize(int size, Mover mover) {
        for (int row = size; row < rows.length; row++) {
            if (rows[row] != null) {
                moveTo(firstFree(), row, mover);
            }
        }
        rows = Arrays.copyOf(rows, size);
    }

    private void moveTo(int free, int row, Mover mover) {
        Sequence sequence = rows[row];
        mover.move(sequence, row, free);
        rows[row] = null;
        place(sequence, free);
    }

    /** Moves sequences that decode into the first rows; returns them in row order. */
    List<Sequence> compact(Mover mover) {
        int hole = 0;
        for (int last = rows.length - 1; ; last--) {
            while (hole < rows.length && decodes(hole)) {
                hole++;
            }
            while (last > hole && !decodes(last)) {
                last--;
            }
            if (last <= hole) {
                break;
            }
            fill(hole, last, mover);
        }
        List<Sequence> decoding = new ArrayList<>(hole);
        for (int row = 0; row < hole; row++) {
            decoding.add(rows[row]);
        }
        return decoding;
    }

    private void fill(int hole, int last, Mover mover) {
        Sequence other = rows[hole];
        if (other == null) {
            moveTo(hole, last, mover);
            return;
        }
        Sequence decoding = rows[last];
        mover.exchange(decoding, last, other, hole);
        place(other, last);
        place(decoding, hole);
    }

    private boolean decodes(int row) {
        return rows[row] != null && rows[row].decoding();
    }
}
