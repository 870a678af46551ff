package dev.tmax.api.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** One reinforcement-learning run: a model, tasks and a recipe, and where its pods may run. */
@Group(Api.GROUP)
@Version(Api.VERSION)
@ShortNames("trun")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(name = "Step", jsonPath = ".status.step", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Steps", jsonPath = ".spec.recipe.steps", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Reward", jsonPath = ".status.reward.mean")
@AdditionalPrinterColumn(
        name = "Version",
        jsonPath = ".status.policyVersion",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Generators",
        jsonPath = ".status.generators.ready",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Message", jsonPath = ".status.message", priority = 1)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public class TrainingRun extends CustomResource<TrainingRunSpec, TrainingRunStatus> implements Namespaced {

    private static final long serialVersionUID = 1L;

    @Override
    protected TrainingRunSpec initSpec() {
        return null;
    }

    @Override
    protected TrainingRunStatus initStatus() {
        return null;
    }
}
