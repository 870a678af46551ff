package dev.tmax.trainer;

import dev.tmax.contracts.rollout.Assign;
import dev.tmax.contracts.rollout.Author;
import dev.tmax.contracts.rollout.Finished;
import dev.tmax.contracts.rollout.FromGenerator;
import dev.tmax.contracts.rollout.Outcome;
import dev.tmax.contracts.rollout.Turn;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/** Episodes for {@link ScriptedGenerator}. */
public final class Scripts {

    private static final int TOKENS = 6;

    private Scripts() {}

    /** One turn of tokens drawn from the episode's seed. */
    public static ScriptedGenerator.Script rewarding(ToDoubleFunction<Assign> reward) {
        return (assign, version) ->
                List.of(prompt(assign), model(assign, version), rewarded(assign, reward.applyAsDouble(assign)));
    }

    /** Rewards that only the seed decides. */
    public static double bySeed(Assign assign) {
        return new SplittableRandom(assign.getSeed()).nextInt(3) == 0 ? 1 : 0;
    }

    public static FromGenerator prompt(Assign assign) {
        return FromGenerator.newBuilder()
                .setTurn(Turn.newBuilder()
                        .setEpisodeId(assign.getEpisodeId())
                        .setAuthor(Author.PROMPT)
                        .addAllTokens(List.of(
                                3, 5, 7, 3 + Math.floorMod(assign.getTaskId().hashCode(), 50)))
                        .setText("a prompt"))
                .build();
    }

    public static FromGenerator model(Assign assign, long version) {
        SplittableRandom random = new SplittableRandom(assign.getSeed());
        Turn.Builder turn = Turn.newBuilder()
                .setEpisodeId(assign.getEpisodeId())
                .setIndex(1)
                .setAuthor(Author.MODEL)
                .setText("an answer");
        for (int i = 0; i < TOKENS; i++) {
            turn.addTokens(random.nextInt(250)).addLogProbabilities(-5.5f).addPolicyVersions(version);
        }
        return FromGenerator.newBuilder().setTurn(turn).build();
    }

    public static FromGenerator rewarded(Assign assign, double reward) {
        return FromGenerator.newBuilder()
                .setFinished(Finished.newBuilder()
                        .setEpisodeId(assign.getEpisodeId())
                        .setOutcome(Outcome.REWARDED)
                        .setReward(reward)
                        .setSegments(2)
                        .setCommands(1))
                .build();
    }

    public static FromGenerator failed(Assign assign, Outcome outcome, String reason) {
        return FromGenerator.newBuilder()
                .setFinished(Finished.newBuilder()
                        .setEpisodeId(assign.getEpisodeId())
                        .setOutcome(outcome)
                        .setReason(reason))
                .build();
    }
}
