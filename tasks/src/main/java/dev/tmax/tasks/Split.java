package dev.tmax.tasks;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.Predicate;

/**
 * One of the two parts of a set. A task's id and the seed alone say in which part it is, so a task keeps its part when
 * others are added or taken away.
 *
 * @param part the part meant
 * @param heldOutPercent of the tasks that are held out, 1 to 99; met on average, not exactly
 * @param seed another seed divides in another way
 */
public record Split(Part part, int heldOutPercent, long seed) implements Predicate<Task> {

    private static final int PERCENT = 100;
    private static final int DIGITS = 15;

    /** The two parts. */
    public enum Part {
        TRAIN,
        HELD_OUT
    }

    /** @throws IllegalArgumentException for a percentage that leaves a part empty */
    public Split {
        if (heldOutPercent < 1 || heldOutPercent >= PERCENT) {
            throw new IllegalArgumentException("heldOutPercent: " + heldOutPercent + " is not usable; give 1 to 99");
        }
    }

    @Override
    public boolean test(Task task) {
        String digest = new Sha256()
                .add(Long.toString(seed).getBytes(StandardCharsets.UTF_8))
                .add(task.id().getBytes(StandardCharsets.UTF_8))
                .hex();
        long number = HexFormat.fromHexDigitsToLong(digest, 0, DIGITS);
        return number % PERCENT < heldOutPercent == (part == Part.HELD_OUT);
    }
}
