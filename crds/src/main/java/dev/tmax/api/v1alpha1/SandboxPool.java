package dev.tmax.api.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** The sandbox pods of one run. Made by the operator; the run's trainer writes the demand. */
@Group(Api.GROUP)
@Version(Api.VERSION)
@AdditionalPrinterColumn(name = "Run", jsonPath = ".spec.runRef.name")
@AdditionalPrinterColumn(name = "Wanted", jsonPath = ".status.pods.wanted", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Warming",
        jsonPath = ".status.pods.warming",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.pods.ready", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Replaced",
        jsonPath = ".status.pods.replaced",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Reason", jsonPath = ".status.conditions[?(@.type=='Ready')].reason", priority = 1)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public class SandboxPool extends CustomResource<SandboxPoolSpec, SandboxPoolStatus> implements Namespaced {

    private static final long serialVersionUID = 1L;

    @Override
    protected SandboxPoolSpec initSpec() {
        return null;
    }

    @Override
    protected SandboxPoolStatus initStatus() {
        return null;
    }
}
