package dev.tmax.trainer.buffer;

import java.util.List;
import java.util.Map;

/**
 * What was rolled out for one step: groups that it trains, and those that came to an end since the step before without
 * being trained.
 *
 * @param reward mean over all attempts with a reward, groups without signal included
 * @param trainedReward the same over trained groups only
 * @param solveRates number of groups by mean reward, in tenths: [0, 0.1), …, [0.9, 1), and exactly 1
 * @param stale groups dropped for their age, by task
 * @param failed groups in which too few attempts came to a reward
 * @param replaced attempts issued again
 * @param tokens generated ones of all groups
 * @param lengthMean generated tokens of an attempt
 * @param truncations attempts by the limit that cut them
 */
public record RolloutStatistics(
        double reward,
        double trainedReward,
        List<Integer> solveRates,
        int trained,
        int filteredAllZero,
        int filteredAllOne,
        Map<String, Integer> stale,
        int failed,
        int replaced,
        int verifierFailures,
        int infrastructureFailures,
        long tokens,
        double lengthMean,
        int lengthMax,
        Map<String, Integer> truncations,
        long commands,
        double commandSeconds,
        long commandTimeouts,
        double verifierSeconds,
        double episodeSecondsMean) {}
