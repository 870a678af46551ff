package dev.tmax.operator.run.children;

import dev.tmax.api.v1alpha1.EvaluationSpec;
import dev.tmax.api.v1alpha1.TaskSetSpec;
import java.util.Optional;

/**
 * What a run's references point at, found and usable.
 *
 * @param systemPrompt text of the system message; empty for none
 */
public record References(
        Model model, TaskSetSpec tasks, Optional<HeldOut> heldOut, Optional<String> systemPrompt, Claim checkpoints) {

    /** Where the model's folder is. */
    public sealed interface Model {

        /** The root of an image. */
        record InImage(String image) implements Model {}

        /** A folder of a claim; the path is relative, empty for its root. */
        record OnClaim(String claim, String path) implements Model {}
    }

    /** Tasks that are measured and never trained on. */
    public record HeldOut(TaskSetSpec tasks, EvaluationSpec evaluation) {}

    /**
     * Where checkpoints go.
     *
     * @param name of the PersistentVolumeClaim
     * @param folder within it, relative; empty for its root
     * @param ours whether the operator makes and removes the claim
     */
    public record Claim(String name, String folder, boolean ours) {}
}
