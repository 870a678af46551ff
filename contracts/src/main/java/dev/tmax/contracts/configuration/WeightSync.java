package dev.tmax.contracts.configuration;

import static dev.tmax.contracts.configuration.Check.requirePositive;

/** How often weights go to generators, and whether as the whole or as the difference to the version before. */
public record WeightSync(Mode mode, int everySteps) {

    public static final WeightSync DEFAULT = new WeightSync(Mode.PATCH, 1);

    public WeightSync {
        mode = mode == null ? Mode.PATCH : mode;
        requirePositive(everySteps, "weightSync.everySteps");
    }

    /** PATCH falls back to FULL where the patch would be no smaller. */
    public enum Mode {
        PATCH,
        FULL
    }
}
