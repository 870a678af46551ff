package dev.tmax.contracts.configuration;

import static dev.tmax.contracts.configuration.Check.require;

/**
 * Everything that a trainer and its generators need to know of a run. Immutable; every record of it checks its own
 * values and names the field, the value and the remedy in the error.
 *
 * @param run name of the run, for logs and metrics
 * @param namespace namespace of the run; {@code local} without Kubernetes
 * @param evaluation measured before the first and after the last step; null for none
 */
public record RunConfiguration(
        String run,
        String namespace,
        ModelSource model,
        TaskSource tasks,
        EvaluationSource evaluation,
        Recipe recipe,
        Agent agent,
        SandboxSource sandboxes,
        WeightSync weightSync,
        Checkpoints checkpoints,
        Guardrails guardrails,
        Endpoints endpoints) {

    public RunConfiguration {
        require(run != null && !run.isBlank(), "run", run, "give the run a name");
        require(namespace != null && !namespace.isBlank(), "namespace", namespace, "give a namespace, or 'local'");
        require(model != null, "model", null, "say where the model folder is: model.path");
        require(tasks != null, "tasks", null, "say where the tasks are: tasks.path");
        require(recipe != null, "recipe", null, "give a recipe");
        agent = agent == null ? Agent.DEFAULT : agent;
        require(sandboxes != null, "sandboxes", null, "say where cells run: sandboxes.backend");
        weightSync = weightSync == null ? WeightSync.DEFAULT : weightSync;
        require(checkpoints != null, "checkpoints", null, "say where checkpoints go: checkpoints.path");
        guardrails = guardrails == null ? Guardrails.NONE : guardrails;
        endpoints = endpoints == null ? Endpoints.DEFAULT : endpoints;
    }
}
