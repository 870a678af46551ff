package dev.tmax.operator.run.children;

import dev.tmax.api.v1alpha1.AgentSpec;
import dev.tmax.api.v1alpha1.GuardrailsSpec;
import dev.tmax.api.v1alpha1.ModelSpec;
import dev.tmax.api.v1alpha1.RecipeSpec;
import dev.tmax.api.v1alpha1.SandboxesSpec;
import dev.tmax.api.v1alpha1.TaskSetSpec;
import dev.tmax.api.v1alpha1.TrainingRunSpec;
import dev.tmax.contracts.configuration.Agent;
import dev.tmax.contracts.configuration.Checkpoints;
import dev.tmax.contracts.configuration.Endpoints;
import dev.tmax.contracts.configuration.EvaluationSource;
import dev.tmax.contracts.configuration.Guardrails;
import dev.tmax.contracts.configuration.InvalidConfigurationException;
import dev.tmax.contracts.configuration.ModelSource;
import dev.tmax.contracts.configuration.Recipe;
import dev.tmax.contracts.configuration.RunConfiguration;
import dev.tmax.contracts.configuration.SandboxSource;
import dev.tmax.contracts.configuration.TaskSelection;
import dev.tmax.contracts.configuration.TaskSource;
import dev.tmax.contracts.configuration.WeightSync;

/** Turns a run's spec, defaults filled in by the API server, into the file that its trainer and generators read. */
public final class ConfigurationRenderer {

    private static final int RETIRE_AFTER_ATTEMPTS = 1000;

    private static final int ROLLOUT_PORT = 7070;
    private static final int HTTP_PORT = 9090;

    private ConfigurationRenderer() {}

    /** @throws InvalidConfigurationException with field, value and remedy */
    public static RunConfiguration render(RunNames names, TrainingRunSpec spec, References references) {
        return new RunConfiguration(
                names.name(),
                names.namespace(),
                model(spec.model(), references.model()),
                new TaskSource(
                        Mounts.below(Mounts.TASKS, references.tasks().path()),
                        format(references.tasks()),
                        selection(references.tasks()),
                        spec.tasks().shuffleSeed()),
                references
                        .heldOut()
                        .map(heldOut -> new EvaluationSource(
                                Mounts.below(
                                        Mounts.EVALUATION_TASKS, heldOut.tasks().path()),
                                format(heldOut.tasks()),
                                selection(heldOut.tasks()),
                                heldOut.evaluation().attempts()))
                        .orElse(null),
                recipe(spec.recipe()),
                agent(spec.agent(), references),
                sandboxes(names, spec.sandboxes(), spec.recipe()),
                new WeightSync(
                        WeightSync.Mode.valueOf(spec.weightSync().mode().name()),
                        spec.weightSync().everySteps()),
                new Checkpoints(
                        Mounts.below(
                                Mounts.CHECKPOINTS, references.checkpoints().folder()),
                        spec.checkpoints().everySteps(),
                        spec.checkpoints().keep(),
                        spec.checkpoints().exportHuggingFace()),
                guardrails(spec.guardrails()),
                new Endpoints(
                        names.trainer() + "." + names.namespace() + ".svc",
                        ROLLOUT_PORT,
                        HTTP_PORT,
                        Mounts.below(Mounts.CONFIGURATION, Mounts.TOKEN)));
    }

    private static ModelSource model(ModelSpec spec, References.Model model) {
        String path = switch (model) {
            case References.Model.InImage ignored -> Mounts.MODEL;
            case References.Model.OnClaim onClaim -> Mounts.below(Mounts.MODEL, onClaim.path());
        };
        return new ModelSource(path, spec.maxPromptTokens(), spec.maxResponseTokens(), spec.maxTurnTokens());
    }

    private static String format(TaskSetSpec tasks) {
        return switch (tasks.format()) {
            case HARBOR -> "Harbor";
            case TERMINAL_BENCH -> "TerminalBench";
            case AUTO -> "Auto";
        };
    }

    private static TaskSelection selection(TaskSetSpec tasks) {
        TaskSetSpec.Filter filter = tasks.filter();
        TaskSetSpec.Split split = tasks.split();
        return new TaskSelection(
                filter == null ? null : filter.domains(),
                filter == null ? null : filter.difficulties(),
                filter == null ? null : filter.languages(),
                split == null
                        ? null
                        : new TaskSelection.Split(
                                TaskSelection.Part.valueOf(split.part().name()), split.heldOutPercent(), split.seed()));
    }

    private static Recipe recipe(RecipeSpec spec) {
        RecipeSpec.Optimizer optimizer = spec.optimizer();
        return new Recipe(
                Recipe.Algorithm.valueOf(spec.algorithm().name()),
                spec.steps(),
                spec.promptsPerStep(),
                spec.groupSize(),
                spec.asyncSteps(),
                Recipe.Advantage.valueOf(spec.advantage().name()),
                spec.activeSampling(),
                spec.dppo() == null
                        ? Recipe.Dppo.DEFAULT
                        : new Recipe.Dppo(
                                Recipe.Dppo.Divergence.valueOf(
                                        spec.dppo().divergence().name()),
                                number("recipe.dppo.threshold", spec.dppo().threshold())),
                number("recipe.klCoefficient", spec.klCoefficient()),
                new Recipe.Optimizer(
                        number("recipe.optimizer.learningRate", optimizer.learningRate()),
                        Recipe.Optimizer.Schedule.valueOf(optimizer.schedule().name()),
                        optimizer.warmupSteps(),
                        number("recipe.optimizer.betas[0]", optimizer.betas().get(0)),
                        number("recipe.optimizer.betas[1]", optimizer.betas().get(1)),
                        number("recipe.optimizer.weightDecay", optimizer.weightDecay()),
                        number("recipe.optimizer.maxGradNorm", optimizer.maxGradNorm())),
                new Recipe.Precision(
                        Recipe.Precision.Format.valueOf(
                                spec.precision().lmHead().name()),
                        Recipe.Precision.Format.valueOf(
                                spec.precision().compute().name())),
                new Recipe.Sampling(
                        number("recipe.sampling.temperature", spec.sampling().temperature()),
                        number("recipe.sampling.topP", spec.sampling().topP())),
                spec.seed());
    }

    private static Agent agent(AgentSpec spec, References references) {
        return new Agent(
                spec.maxTurns(),
                seconds(spec.commandTimeout()),
                spec.observationLimit(),
                references.systemPrompt().orElse(null));
    }

    private static SandboxSource sandboxes(RunNames names, SandboxesSpec spec, RecipeSpec recipe) {
        return new SandboxSource(
                SandboxSource.Backend.POOL,
                names.sandboxNamespace(),
                names.pool(),
                Mounts.below(Mounts.CONFIGURATION, Mounts.SANDBOX_TOKEN_KEY),
                null,
                spec.maxPods(),
                attemptsPerPod(spec, recipe),
                spec.lookaheadSteps(),
                spec.retireAfterAttempts() == null ? RETIRE_AFTER_ATTEMPTS : spec.retireAfterAttempts());
    }

    static int attemptsPerPod(SandboxesSpec spec, RecipeSpec recipe) {
        return spec.attemptsPerPod() == null ? recipe.groupSize() : spec.attemptsPerPod();
    }

    private static Guardrails guardrails(GuardrailsSpec spec) {
        if (spec == null) {
            return Guardrails.NONE;
        }
        return new Guardrails(
                spec.maxLogProbDifference() == null
                        ? null
                        : number("guardrails.maxLogProbDifference", spec.maxLogProbDifference()),
                spec.minEntropy() == null ? null : number("guardrails.minEntropy", spec.minEntropy()),
                Guardrails.Action.valueOf(spec.action().name()));
    }

    private static double number(String field, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new InvalidConfigurationException(field, text, "write a number");
        }
    }

    /** Of whole seconds, minutes or hours: {@code 120s}. */
    static int seconds(String text) {
        int amount = Integer.parseInt(text.substring(0, text.length() - 1));
        return switch (text.charAt(text.length() - 1)) {
            case 's' -> amount;
            case 'm' -> Math.multiplyExact(amount, 60);
            case 'h' -> Math.multiplyExact(amount, 3600);
            default ->
                throw new InvalidConfigurationException(
                        "agent.commandTimeout", text, "write whole seconds, minutes or hours such as 120s");
        };
    }
}
