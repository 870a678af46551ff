package dev.tmax.api.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A set of tasks: validated, counted and measured by a Job that reads it where it lies. */
@Group(Api.GROUP)
@Version(Api.VERSION)
@AdditionalPrinterColumn(name = "Valid", jsonPath = ".status.conditions[?(@.type=='Valid')].status")
@AdditionalPrinterColumn(name = "Tasks", jsonPath = ".status.tasks", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Invalid", jsonPath = ".status.invalid", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Balance", jsonPath = ".status.balance")
@AdditionalPrinterColumn(name = "Reason", jsonPath = ".status.conditions[?(@.type=='Valid')].reason", priority = 1)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public class TaskSet extends CustomResource<TaskSetSpec, TaskSetStatus> implements Namespaced {

    private static final long serialVersionUID = 1L;

    @Override
    protected TaskSetSpec initSpec() {
        return null;
    }

    @Override
    protected TaskSetStatus initStatus() {
        return null;
    }
}
