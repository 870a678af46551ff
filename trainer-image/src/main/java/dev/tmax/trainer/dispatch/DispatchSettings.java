package dev.tmax.trainer.dispatch;

import dev.tmax.contracts.configuration.InvalidConfigurationException;
import dev.tmax.contracts.configuration.RunConfiguration;
import dev.tmax.contracts.configuration.WeightSync;
import dev.tmax.trainer.buffer.StalenessBound;
import java.time.Duration;

/**
 * Numbers of the dispatcher.
 *
 * @param seed of the run
 * @param lookaheadGroups groups, beyond those under way, whose images are asked for ahead
 * @param activeSampling groups without signal do not count towards a step
 * @param keepsWithoutSignal groups without signal are trained too, because another term of the loss wants them
 * @param maxSequenceTokens longest episode that is believed
 * @param mostTries issues of an attempt that may fail before it is given up
 * @param retryPause before the second try; doubled before each further one
 * @param mostLosses issues of an attempt whose generator or pod may go away
 * @param mostWithoutSignal groups in a row, without a step between them, that may say nothing
 * @param mostFailedGroups groups in a row that may fail altogether
 * @param stalenessWait how long a step waits for groups that would become too old, before it drops them
 * @param episodeMargin what an episode may take beyond its commands and its verifier
 */
public record DispatchSettings(
        long seed,
        int groupSize,
        StalenessBound staleness,
        int lookaheadGroups,
        boolean activeSampling,
        boolean keepsWithoutSignal,
        double temperature,
        int vocabulary,
        int maxSequenceTokens,
        int maxTurns,
        Duration commandTimeout,
        int mostTries,
        Duration retryPause,
        int mostLosses,
        int mostWithoutSignal,
        int mostFailedGroups,
        Duration stalenessWait,
        Duration episodeMargin) {

    /** The settings of a run. */
    public static DispatchSettings of(RunConfiguration run, int vocabulary) {
        var recipe = run.recipe();
        checkSync(run.weightSync(), recipe.asyncSteps());
        int groups = recipe.promptsPerStep();
        return new DispatchSettings(
                recipe.seed(),
                recipe.groupSize(),
                new StalenessBound(recipe.asyncSteps(), groups),
                run.sandboxes().lookaheadSteps() * groups,
                recipe.activeSampling(),
                recipe.klCoefficient() > 0,
                recipe.sampling().temperature(),
                vocabulary,
                run.model().maxSequenceTokens(),
                run.agent().maxTurns(),
                Duration.ofSeconds(run.agent().commandTimeoutSeconds()),
                5,
                Duration.ofSeconds(1),
                20,
                Math.max(16, 16 * groups),
                4 * groups,
                Duration.ofMinutes(10),
                Duration.ofMinutes(20));
    }

    /** Weights that come more seldom than tokens may be old would leave generators with nothing they may do. */
    private static void checkSync(WeightSync sync, int asyncSteps) {
        if (sync.everySteps() > asyncSteps + 1) {
            throw new InvalidConfigurationException(
                    "weightSync.everySteps",
                    sync.everySteps(),
                    "tokens may be at most recipe.asyncSteps, " + asyncSteps + ", versions old: use at most "
                            + (asyncSteps + 1) + ", or more asyncSteps");
        }
    }
}
