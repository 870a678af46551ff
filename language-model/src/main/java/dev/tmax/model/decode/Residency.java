package dev.tmax.model.decode;

import dev.tmax.model.program.AttentionWindow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Decides which sequences have a row in the caches, within the {@link CacheBudget}. A turn gets a row when the longest
 * that it and the running turns can become fits, so that a turn that runs is never interrupted; the others wait in the
 * order in which they were asked for. Rows of sequences between turns are kept as long as nothing else needs the room,
 * after prompts; then the one whose turn began longest ago loses its row, and is computed again when it goes on.
 */
final class Residency {
    private final CacheBudget budget;
    private final RowCaches caches;
    private final PrefixCache prefixes;
    private final RowTable rows = new RowTable();
    private final List<Sequence> running = new ArrayList<>();
    private long evictions;

    Residency(CacheBudget budget, RowCaches caches, PrefixCache prefixes) {
        this.budget = budget;
        this.caches = caches;
        this.prefixes = prefixes;
    }

    /**
     * Gives rows to the turns that run in the next step.
     *
     * @param active sequences in the middle of a turn, the longest asked for first
     * @return those of them that have a row
     */
    List<Sequence> admit(List<Sequence> active) {
        for (Sequence sequence : active) {
            if (!running.contains(sequence)) {
                int tokens = Math.max(sequence.longestOfTurn(budget.maxContextTokens()), longestOfTurns());
                if (budget.rows(tokens) <= running.size()) {
                    break;
                }
                running.add(sequence);
            }
        }
        makeRoom();
        for (Sequence sequence : running) {
            if (!rows.holds(sequence)) {
                rows.add(sequence);
            }
        }
        return List.copyOf(running);
    }

    private int longestOfTurns() {
        return running.stream()
                .mapToInt(sequence -> sequence.longestOfTurn(budget.maxContextTokens()))
                .max()
                .orElse(0);
    }

    private void makeRoom() {
        int longest = running.stream().mapToInt(Sequence::length).max().orElse(0);
        int now = caches.keyValues().positions();
        int preferred = longest <= now ? now : budget.roomierPositions(now, longest);
        int positions = budget.rows(preferred) >= running.size() ? preferred : AttentionWindow.of(longestOfTurns());
        if (positions != now || rows.size() < running.size()) {
            resize(Math.max(running.size(), budget.rowsBesidePrompts(positions)), positions);
        }
        evictUntilFree(newcomers(), rows.size());
    }

    private void resize(int size, int positions) {
        prefixes.limit(budget.promptBytesBeside(size, positions));
        idle().stream().filter(sequence -> sequence.cached() > positions).forEach(this::evict);
        evictUntilFree(newcomers(), size);
        rows.resize(size, caches);
        caches.resize(size, positions);
    }

    private int newcomers() {
        return (int) running.stream().filter(sequence -> !rows.holds(sequence)).count();
    }

    /** Evicts until that many of {@code size} rows would be free. */
    private void evictUntilFree(int wanted, int size) {
        int surplus = rows.sequences().size() + wanted - size;
        idle().stream().limit(Math.max(0, surplus)).forEach(this::evict);
    }

    /** Sequences with a row that do not run, least recently used first. */
    private List<Sequence> idle() {
        return rows.sequences().stream()
                .filter(sequence -> !running.contains(sequence))
                .sorted(Comparator.comparingLong(Sequence::turn))
                .toList();
    }

    private void evict(Sequence sequence) {
        rows.remove(sequence);
        sequence.evicted();
        evictions++;
    }

    /** Notes that a running turn has ended; its sequence keeps its row until another needs it. */
    void ended(Sequence sequence) {
        running.remove(sequence);
    }

    /** Takes the row of a sequence that is finished. */
    void remove(Sequence sequence) {
        rows.remove(sequence);
        running.remove(sequence);
    }

    /** Brings the sequences that decode to the first rows; returns them in row order. */
    List<Sequence> compact() {
        return rows.compact(caches);
    }

    int row(Sequence sequence) {
        return rows.row(sequence);
    }

    /** Turns that have a row and have not ended. */
    int running() {
        return running.size();
    }

    /** Sequences that lost their row between two turns. */
    long evictions() {
        return evictions;
    }

    /** Bytes of all rows. */
    long bytes() {
        return rows.size() * budget.rowBytes(caches.keyValues().positions());
    }
}
