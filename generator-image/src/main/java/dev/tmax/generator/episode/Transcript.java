package dev.tmax.generator.episode;

import dev.tmax.contracts.rollout.Author;
import dev.tmax.contracts.rollout.FromGenerator;
import dev.tmax.contracts.rollout.Turn;
import dev.tmax.generator.connect.Outbound;
import dev.tmax.generator.connect.StreamClosedException;
import dev.tmax.generator.decode.SampledTurn;

/** Sends the segments of an episode in order, as tokens. */
final class Transcript {

    private static final int SHOWN = 4000;

    private final String episodeId;
    private final Dialogue dialogue;
    private final Outbound trainer;
    private int segments;
    private int responseTokens;

    Transcript(String episodeId, Dialogue dialogue, Outbound trainer) {
        this.episodeId = episodeId;
        this.dialogue = dialogue;
        this.trainer = trainer;
    }

    void prompt(int[] tokens) throws StreamClosedException, InterruptedException {
        send(segment(Author.PROMPT, tokens));
    }

    void said(SampledTurn turn) throws StreamClosedException, InterruptedException {
        Turn.Builder segment = segment(Author.MODEL, turn.tokens());
        for (float logProbability : turn.logProbabilities()) {
            segment.addLogProbabilities(logProbability);
        }
        for (long version : turn.policyVersions()) {
            segment.addPolicyVersions(version);
        }
        responseTokens += turn.tokens().length;
        send(segment);
    }

    void observed(int[] tokens) throws StreamClosedException, InterruptedException {
        responseTokens += tokens.length;
        send(segment(Author.OBSERVATION, tokens));
    }

    private Turn.Builder segment(Author author, int[] tokens) {
        String text = dialogue.text(tokens);
        Turn.Builder segment = Turn.newBuilder()
                .setEpisodeId(episodeId)
                .setIndex(segments++)
                .setAuthor(author)
                .setText(text.substring(0, Math.min(SHOWN, text.length())));
        for (int token : tokens) {
            segment.addTokens(token);
        }
        return segment;
    }

    private void send(Turn.Builder segment) throws StreamClosedException, InterruptedException {
        trainer.send(FromGenerator.newBuilder().setTurn(segment).build());
    }

    int segments() {
        return segments;
    }

    /** Tokens after the prompt so far. */
    int responseTokens() {
        return responseTokens;
    }
}
