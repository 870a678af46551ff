package dev.tmax.trainer.dispatch;

import dev.tmax.contracts.rollout.Author;
import dev.tmax.contracts.rollout.Finished;
import dev.tmax.contracts.rollout.Turn;
import dev.tmax.model.train.Sample;
import dev.tmax.trainer.buffer.Trajectory;
import dev.tmax.trainer.cells.Cells;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One attempt while a generator works on it: its segments so far. Guarded by the dispatcher's lock. */
final class OpenEpisode {

    /** A message of a generator that cannot be right. */
    static final class ProtocolException extends Exception {
        private static final long serialVersionUID = 1L;

        ProtocolException(String message) {
            super(message);
        }
    }

    /** Text kept for people, in characters. */
    private static final int TRANSCRIPT = 8_000;

    /** A log-probability may be above 0 by rounding only. */
    private static final float ROUNDING = 1e-4f;

    private final String id;
    private final OpenGroup group;
    private final int attempt;
    private final GeneratorSession generator;
    private final Cells.Place place;
    private final Instant deadline;
    private final DispatchSettings settings;
    private final List<Turn> turns = new ArrayList<>();
    private final StringBuilder transcript = new StringBuilder();
    private int tokens;

    OpenEpisode(
            String id,
            OpenGroup group,
            int attempt,
            GeneratorSession generator,
            Cells.Place place,
            Instant deadline,
            DispatchSettings settings) {
        this.id = id;
        this.group = group;
        this.attempt = attempt;
        this.generator = generator;
        this.place = place;
        this.deadline = deadline;
        this.settings = settings;
    }

    String id() {
        return id;
    }

    OpenGroup group() {
        return group;
    }

    int attempt() {
        return attempt;
    }

    GeneratorSession generator() {
        return generator;
    }

    Cells.Place place() {
        return place;
    }

    Instant deadline() {
        return deadline;
    }

    String transcript() {
        return transcript.toString();
    }

    /** Adds a segment. */
    void add(Turn turn) throws ProtocolException {
        if (turn.getIndex() != turns.size()) {
            throw new ProtocolException("segment %d came after %d segments".formatted(turn.getIndex(), turns.size()));
        }
        Author expected = turns.isEmpty() ? Author.PROMPT : null;
        if ((turn.getAuthor() == Author.PROMPT) != (expected == Author.PROMPT)) {
            throw new ProtocolException("segment %d is %s".formatted(turn.getIndex(), turn.getAuthor()));
        }
        checkTokens(turn);
        tokens += turn.getTokensCount();
        if (tokens > settings.maxSequenceTokens()) {
            throw new ProtocolException("%d tokens, more than the %d of model.maxPromptTokens + maxResponseTokens"
                    .formatted(tokens, settings.maxSequenceTokens()));
        }
        if (transcript.length() < TRANSCRIPT) {
            transcript
                    .append('[')
                    .append(turn.getAuthor().name().toLowerCase(java.util.Locale.ROOT))
                    .append("]\n")
                    .append(turn.getText(), 0, Math.min(turn.getText().length(), TRANSCRIPT - transcript.length()))
                    .append('\n');
        }
        // The text is for people only; the tokens are what is trained on.
        turns.add(turn.toBuilder().clearText().build());
    }

    private void checkTokens(Turn turn) throws ProtocolException {
        for (int token : turn.getTokensList()) {
            if (token < 0 || token >= settings.vocabulary()) {
                throw new ProtocolException(
                        "token %d is outside the vocabulary of %d".formatted(token, settings.vocabulary()));
            }
        }
        int recorded = turn.getAuthor() == Author.MODEL ? turn.getTokensCount() : 0;
        if (turn.getLogProbabilitiesCount() != recorded || turn.getPolicyVersionsCount() != recorded) {
            throw new ProtocolException("segment %d by %s: %d tokens, %d log-probabilities, %d versions"
                    .formatted(
                            turn.getIndex(),
                            turn.getAuthor(),
                            turn.getTokensCount(),
                            turn.getLogProbabilitiesCount(),
                            turn.getPolicyVersionsCount()));
        }
        for (float logProbability : turn.getLogProbabilitiesList()) {
            if (!Float.isFinite(logProbability) || logProbability > ROUNDING) {
                throw new ProtocolException("log-probability " + logProbability);
            }
        }
    }

    /** The attempt as a whole, of an episode that ended with a reward. */
    Trajectory finish(Finished finished) throws ProtocolException {
        if (finished.getSegments() != turns.size()) {
            throw new ProtocolException(
                    "%d segments announced, %d came".formatted(finished.getSegments(), turns.size()));
        }
        if (!(finished.getReward() >= 0 && finished.getReward() <= 1)) {
            throw new ProtocolException("reward " + finished.getReward());
        }
        List<Turn> response = turns.isEmpty() ? List.of() : turns.subList(1, upToLastGenerated());
        int length = response.stream().mapToInt(Turn::getTokensCount).sum();
        int[] responseTokens = new int[length];
        boolean[] generated = new boolean[length];
        float[] logProbabilities = new float[length];
        long[] versions = new long[length];
        int at = 0;
        int model = 0;
        int modelTurns = 0;
        for (Turn turn : response) {
            boolean byModel = turn.getAuthor() == Author.MODEL;
            modelTurns += byModel ? 1 : 0;
            for (int i = 0; i < turn.getTokensCount(); i++) {
                responseTokens[at] = turn.getTokens(i);
                generated[at++] = byModel;
                if (byModel) {
                    logProbabilities[model] = Math.min(0, turn.getLogProbabilities(i));
                    versions[model++] = turn.getPolicyVersions(i);
                }
            }
        }
        if (model == 0) {
            throw new ProtocolException("no token was generated");
        }
        return new Trajectory(
                attempt,
                turns.getFirst().getTokensList().stream()
                        .mapToInt(Integer::intValue)
                        .toArray(),
                new Sample(responseTokens, generated),
                Arrays.copyOf(logProbabilities, model),
                Arrays.copyOf(versions, model),
                finished.getReward(),
                finished.getTruncation(),
                new Trajectory.Effort(
                        modelTurns,
                        finished.getCommands(),
                        finished.getCommandTimeouts(),
                        finished.getCommandSeconds(),
                        finished.getVerifierSeconds(),
                        finished.getEpisodeSeconds()));
    }

    /** What follows the last generated token cannot change any gradient. */
    private int upToLastGenerated() {
        int end = turns.size();
        while (end > 1
                && (turns.get(end - 1).getAuthor() != Author.MODEL
                        || turns.get(end - 1).getTokensCount() == 0)) {
            end--;
        }
        return end;
    }
}
