package dev.tmax.contracts.configuration;

import static dev.tmax.contracts.configuration.Check.require;
import static dev.tmax.contracts.configuration.Check.requirePositive;

/**
 * Snapshots of the run.
 *
 * @param path folder that outlives the trainer
 * @param keep newest snapshots that are kept
 * @param exportHuggingFace write the model beside each snapshot in Hugging Face layout
 */
public record Checkpoints(String path, int everySteps, int keep, boolean exportHuggingFace) {

    public Checkpoints {
        require(path != null && !path.isBlank(), "checkpoints.path", path, "name a folder that outlives the trainer");
        requirePositive(everySteps, "checkpoints.everySteps");
        requirePositive(keep, "checkpoints.keep");
    }
}
