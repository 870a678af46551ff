package dev.tmax.generator.episode;

import dev.tmax.contracts.configuration.Agent;
import dev.tmax.contracts.configuration.ModelSource;
import dev.tmax.contracts.rollout.Assign;
import dev.tmax.contracts.rollout.Finished;
import dev.tmax.contracts.rollout.Outcome;
import dev.tmax.contracts.rollout.Truncation;
import dev.tmax.generator.connect.Outbound;
import dev.tmax.generator.connect.StreamClosedException;
import dev.tmax.generator.decode.Conversation;
import dev.tmax.generator.decode.DecodingException;
import dev.tmax.generator.decode.SampledTurn;
import dev.tmax.model.decode.GenerationLimits;
import dev.tmax.model.decode.SamplingParameters;
import dev.tmax.model.decode.StopReason;
import dev.tmax.sandboxes.CommandResult;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.tasks.Task;
import java.time.Duration;
import java.util.List;

/** One attempt at one task, from its assignment to what came of it. Runs in a virtual thread of its own. */
final class Episode {

    private final EpisodeContext context;
    private final Assign assign;
    private final Transcript transcript;
    private final Effort effort = new Effort();
    private String lastOutput = "";

    Episode(EpisodeContext context, Assign assign, Outbound trainer) {
        this.context = context;
        this.assign = assign;
        this.transcript = new Transcript(assign.getEpisodeId(), context.dialogue(), trainer);
    }

    /**
     * Runs to the end.
     *
     * @return what to tell the trainer; a failure of infrastructure is an outcome, never a reward
     * @throws InterruptedException where the episode was cancelled
     * @throws StreamClosedException where the trainer that assigned it is gone
     */
    Finished run() throws InterruptedException, StreamClosedException {
        try {
            Task task = context.tasks().task(assign.getSplit(), assign.getTaskId());
            return attempt(task);
        } catch (SandboxFailure e) {
            if (e.reason() == SandboxFailure.Reason.INTERRUPTED) {
                throw new InterruptedException(e.getMessage());
            }
            return failed("sandbox " + assign.getSandbox().getPod() + ": " + e.getMessage());
        } catch (DecodingException e) {
            return failed("decoding: " + e.getMessage());
        } catch (UnknownTaskException | IllegalArgumentException e) {
            return failed(e.getMessage());
        }
    }

    private Finished attempt(Task task)
            throws SandboxFailure, DecodingException, InterruptedException, StreamClosedException {
        int[] prompt = context.dialogue().prompt(task.instruction());
        ModelSource model = context.configuration().model();
        if (prompt.length > model.maxPromptTokens()) {
            return failed("task " + task.id() + ": its prompt has " + prompt.length + " tokens, more than "
                    + "model.maxPromptTokens, " + model.maxPromptTokens());
        }
        transcript.prompt(prompt);
        SamplingParameters sampling = new SamplingParameters(
                assign.getSampling().getTemperature(),
                assign.getSampling().getTopP() == 0 ? 1 : assign.getSampling().getTopP(),
                0);
        try (Workplace workplace = new Workplace(
                context.hosts().host(assign.getSandbox()), assign.getSandbox().getCellId(), task)) {
            Truncation truncation;
            try (Conversation conversation = context.decoder().converse(prompt, sampling, assign.getSeed())) {
                truncation = converse(conversation, workplace);
            }
            return judge(workplace, truncation);
        }
    }

    /** The agent loop; returns which limit cut it short. */
    private Truncation converse(Conversation conversation, Workplace workplace)
            throws SandboxFailure, DecodingException, InterruptedException, StreamClosedException {
        Agent agent = context.configuration().agent();
        SampledTurn turn = conversation.first(limits());
        for (int turns = 1; ; turns++) {
            transcript.said(turn);
            if (turn.stop() == StopReason.CONTEXT || turn.stop() == StopReason.LIMIT) {
                return remainingTokens() > 0 ? Truncation.TURN_TOKENS : Truncation.RESPONSE_TOKENS;
            }
            String observation;
            switch (Answer.of(context.dialogue().said(turn))) {
                case Answer.Malformed malformed -> observation = malformed.reminder();
                case Answer.Command command -> {
                    CommandResult result = run(workplace, command);
                    if (Observation.submits(result)) {
                        return Truncation.NONE;
                    }
                    observation = Observation.of(result);
                }
            }
            if (turns == agent.maxTurns()) {
                // Where one turn is all there is, its block is the answer.
                return agent.maxTurns() == 1 ? Truncation.NONE : Truncation.TURNS;
            }
            int[] appended = context.dialogue().continuation(turn, observation);
            if (appended.length >= remainingTokens()) {
                return Truncation.RESPONSE_TOKENS;
            }
            transcript.observed(appended);
            turn = conversation.next(appended, limits());
        }
    }

    private CommandResult run(Workplace workplace, Answer.Command command) throws SandboxFailure {
        Agent agent = context.configuration().agent();
        CommandResult result = workplace.run(
                command.text(), Duration.ofSeconds(agent.commandTimeoutSeconds()), agent.observationLimit());
        effort.add(result);
        context.metrics().commandEnded(result);
        lastOutput = result.output();
        return result;
    }

    private GenerationLimits limits() {
        return new GenerationLimits(
                Math.min(context.configuration().model().maxTurnTokens(), remainingTokens()),
                List.of(Answer.END_OF_BLOCK),
                context.dialogue().endOfTurn());
    }

    private int remainingTokens() {
        return context.configuration().model().maxResponseTokens() - transcript.responseTokens();
    }

    private Finished judge(Workplace workplace, Truncation truncation) throws SandboxFailure, InterruptedException {
        long start = System.nanoTime();
        var outcome = workplace.verify(lastOutput);
        if (Thread.interrupted()) {
            throw new InterruptedException("cancelled during verification");
        }
        Finished.Builder finished =
                finished().setTruncation(truncation).setVerifierSeconds((System.nanoTime() - start) / 1e9);
        switch (outcome) {
            case dev.tmax.sandboxes.verify.Outcome.Rewarded rewarded ->
                finished.setOutcome(Outcome.REWARDED).setReward(rewarded.reward());
            case dev.tmax.sandboxes.verify.Outcome.VerifierFailed failure ->
                finished.setOutcome(Outcome.VERIFIER_FAILED)
                        .setReason("task " + assign.getTaskId() + ": " + failure.reason());
            case dev.tmax.sandboxes.verify.Outcome.InfraFailed failure ->
                finished.setOutcome(Outcome.INFRA_FAILED)
                        .setReason("sandbox " + assign.getSandbox().getPod() + ": " + failure.reason());
        }
        return finished.build();
    }

    /** What to tell the trainer where something other than the model failed. */
    Finished failed(String reason) {
        return finished().setOutcome(Outcome.INFRA_FAILED).setReason(reason).build();
    }

    private Finished.Builder finished() {
        return Finished.newBuilder()
                .setEpisodeId(assign.getEpisodeId())
                .setSegments(transcript.segments())
                .setCommands(effort.commands())
                .setCommandTimeouts(effort.timeouts())
                .setCommandSeconds(effort.commandSeconds())
                .setEpisodeSeconds(effort.seconds());
    }

    /** Tokens after the prompt. */
    int responseTokens() {
        return transcript.responseTokens();
    }
}
