package dev.tmax.model.decode;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The sequences that an engine holds, each in a slot. */
final class SequenceTable {
    private final int slots;
    private final Map<Long, Sequence> sequences = new LinkedHashMap<>();

    SequenceTable(int slots) {
        this.slots = slots;
    }

    int free() {
        return slots - sequences.size();
    }

    int held() {
        return sequences.size();
    }

    void add(Sequence sequence) {
        if (free() == 0) {
            throw new IllegalStateException(
                    "all " + slots + " slots are held; finish a sequence or open the engine with more slots");
        }
        sequences.put(sequence.id(), sequence);
    }

    Sequence get(long id) {
        Sequence sequence = sequences.get(id);
        if (sequence == null) {
            throw new IllegalArgumentException("sequence " + id + ": unknown or finished");
        }
        return sequence;
    }

    Sequence remove(long id) {
        Sequence sequence = get(id);
        sequences.remove(id);
        return sequence;
    }

    /** Sequences in the middle of a turn, in the order in which their turns were asked for. */
    List<Sequence> active() {
        return sequences.values().stream()
                .filter(Sequence::active)
                .sorted(Comparator.comparingLong(Sequence::turn))
                .toList();
    }
}
