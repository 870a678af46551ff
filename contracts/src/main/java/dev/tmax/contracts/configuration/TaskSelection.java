package dev.tmax.contracts.configuration;

import static dev.tmax.contracts.configuration.Check.require;

import java.util.List;

/**
 * Which tasks of a folder are meant; an empty list takes all.
 *
 * @param domains domains of the tasks
 * @param difficulties their difficulties
 * @param languages their languages
 * @param split one of two parts; null for both
 */
public record TaskSelection(List<String> domains, List<String> difficulties, List<String> languages, Split split) {

    /** Every task. */
    public static final TaskSelection ALL = new TaskSelection(null, null, null, null);

    public TaskSelection {
        domains = domains == null ? List.of() : List.copyOf(domains);
        difficulties = difficulties == null ? List.of() : List.copyOf(difficulties);
        languages = languages == null ? List.of() : List.copyOf(languages);
    }

    /**
     * One of two parts without a common task.
     *
     * @param heldOutPercent of the tasks, 1 to 99
     * @param seed another one divides in another way
     */
    public record Split(Part part, int heldOutPercent, long seed) {

        public Split {
            require(part != null, "split.part", part, "give TRAIN or HELD_OUT");
            require(
                    heldOutPercent >= 1 && heldOutPercent <= 99,
                    "split.heldOutPercent",
                    heldOutPercent,
                    "give a number from 1 to 99");
        }
    }

    /** The two parts. */
    public enum Part {
        TRAIN,
        HELD_OUT
    }
}
