package dev.tmax.api.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** One snapshot of a run. Made by the operator for each; made by a person, it asks for a snapshot now. */
@Group(Api.GROUP)
@Version(Api.VERSION)
@AdditionalPrinterColumn(name = "Run", jsonPath = ".spec.runRef.name")
@AdditionalPrinterColumn(name = "Step", jsonPath = ".status.step", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Complete", jsonPath = ".status.complete", type = AdditionalPrinterColumn.Type.BOOLEAN)
@AdditionalPrinterColumn(name = "Reward", jsonPath = ".status.reward")
@AdditionalPrinterColumn(name = "Bytes", jsonPath = ".status.sizeBytes", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Parent", jsonPath = ".status.parent", priority = 1)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public class Checkpoint extends CustomResource<CheckpointSpec, CheckpointStatus> implements Namespaced {

    private static final long serialVersionUID = 1L;

    @Override
    protected CheckpointSpec initSpec() {
        return null;
    }

    @Override
    protected CheckpointStatus initStatus() {
        return null;
    }
}
