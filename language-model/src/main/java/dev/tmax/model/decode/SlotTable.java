package dev.tmax.model.decode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Which sequence lies in which slot. {@link #compact} brings those that decode to the front, so that a step works on
 * the first rows of the cache.
 */
final class SlotTable {
    /** Moves of cached tokens that keep the cache in step with the table. */
    interface Mover {
        void move(Sequence sequence, int from, int to);

        void exchange(Sequence first, int firstSlot, Sequence second, int secondSlot);
    }

    private final Sequence[] slots;
    private final Map<Long, Integer> slotOf = new HashMap<>();

    SlotTable(int slots) {
        this.slots = new Sequence[slots];
    }

    int free() {
        return slots.length - slotOf.size();
    }

    int held() {
        return slotOf.size();
    }

    int active() {
        return (int)
                slotOf.values().stream().filter(slot -> slots[slot].active()).count();
    }

    void add(Sequence sequence) {
        for (int slot = 0; slot < slots.length; slot++) {
            if (slots[slot] == null) {
                place(sequence, slot);
                return;
            }
        }
        throw new IllegalStateException(
                "all " + slots.length + " slots are held; finish a sequence or open the engine with more slots");
    }

    void remove(long sequence) {
        get(sequence);
        slots[slotOf.remove(sequence)] = null;
    }

    Sequence get(long sequence) {
        Integer slot = slotOf.get(sequence);
        if (slot == null) {
            throw new IllegalArgumentException("sequence " + sequence + ": unknown or finished");
        }
        return slots[slot];
    }

    int slot(Sequence sequence) {
        return slotOf.get(sequence.id());
    }

    /** Tokens of the longest sequence. */
    int longest() {
        return Arrays.stream(slots)
                .filter(Objects::nonNull)
                .mapToInt(Sequence::length)
                .max()
                .orElse(0);
    }

    /** Sequences with tokens to compute before they can sample, in order of id. */
    List<Sequence> prefilling() {
        return Arrays.stream(slots)
                .filter(sequence -> sequence != null && sequence.active() && !sequence.decoding())
                .sorted(Comparator.comparingLong(Sequence::id))
                .toList();
    }

    private void place(Sequence sequence, int slot) {
        slots[slot] = sequence;
        slotOf.put(sequence.id(), slot);
    }

    /** Moves sequences that decode into the first slots; returns them in slot order. */
    List<Sequence> compact(Mover mover) {
        int hole = 0;
        for (int last = slots.length - 1; ; last--) {
            while (hole < slots.length && decodes(hole)) {
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
        for (int slot = 0; slot < hole; slot++) {
            decoding.add(slots[slot]);
        }
        return decoding;
    }

    private void fill(int hole, int last, Mover mover) {
        Sequence decoding = slots[last];
        Sequence other = slots[hole];
        if (other == null) {
            mover.move(decoding, last, hole);
            slots[last] = null;
        } else {
            mover.exchange(decoding, last, other, hole);
            place(other, last);
        }
        place(decoding, hole);
    }

    private boolean decodes(int slot) {
        return slots[slot] != null && slots[slot].decoding();
    }
}
