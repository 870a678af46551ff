package dev.tmax.tasks;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** How the rewards of steps make the reward of a task. */
public enum RewardStrategy {
    /** The mean over the steps that have a reward. */
    MEAN,
    /** The reward of the last step that was begun. */
    FINAL;

    /**
     * The reward of a task.
     *
     * @param rewards of the steps that were begun, in their order; empty where verification gave none
     * @return empty where there is nothing to make it of
     */
    public OptionalDouble combine(List<OptionalDouble> rewards) {
        return switch (this) {
            case MEAN ->
                rewards.stream()
                        .filter(OptionalDouble::isPresent)
                        .mapToDouble(OptionalDouble::getAsDouble)
                        .average();
            case FINAL ->
                Optional.of(rewards)
                        .filter(begun -> !begun.isEmpty())
                        .map(List::getLast)
                        .orElse(OptionalDouble.empty());
        };
    }
}
