package dev.tmax.trainer.dispatch;

import dev.tmax.contracts.rollout.Cancel;
import dev.tmax.contracts.rollout.Finished;
import dev.tmax.contracts.rollout.TaskSplit;
import dev.tmax.contracts.rollout.ToGenerator;
import dev.tmax.trainer.buffer.Trajectory;
import dev.tmax.trainer.cells.Cells;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of an attempt that is over, and of its group: it counts, is made again, or is given up. Every end frees
 * the attempt's slot and cell exactly once. Guarded by the dispatcher's lock.
 */
final class EpisodeEnds {

    private static final Logger LOG = LoggerFactory.getLogger(EpisodeEnds.class);

    private final DispatchSettings settings;
    private final Board board;
    private final Cells cells;
    private final Assignments assignments;
    private final StepQueue steps;
    private String sample = "";

    EpisodeEnds(DispatchSettings settings, Board board, Cells cells, Assignments assignments, StepQueue steps) {
        this.settings = settings;
        this.board = board;
        this.cells = cells;
        this.assignments = assignments;
        this.steps = steps;
    }

    /** A transcript to show to people: of the newest attempt with a reward above 0, where there is one. */
    String sample() {
        return sample;
    }

    /** Its generator says that it is over. */
    void finished(OpenEpisode episode, Finished finished) {
        switch (finished.getOutcome()) {
            case REWARDED -> rewarded(episode, finished);
            case VERIFIER_FAILED -> {
                close(episode, false);
                steps.tally().verifierFailed();
                retry(episode, "verifier: " + finished.getReason());
            }
            default -> {
                close(episode, true);
                steps.tally().infrastructureFailed();
                retry(episode, "infrastructure: " + finished.getReason());
            }
        }
    }

    private void rewarded(OpenEpisode episode, Finished finished) {
        OpenGroup group = episode.group();
        Trajectory trajectory;
        try {
            trajectory = episode.finish(finished);
            if (!group.agreesWith(trajectory)) {
                throw new OpenEpisode.ProtocolException("its prompt is not that of its group");
            }
        } catch (OpenEpisode.ProtocolException e) {
            broken(episode, e);
            return;
        }
        close(episode, false);
        group.done(trajectory);
        if (trajectory.reward() > 0 || sample.isEmpty()) {
            sample = "task %s, reward %s, version %d%n%s"
                    .formatted(
                            group.prompt().taskId(),
                            trajectory.reward(),
                            trajectory.oldestVersion(),
                            episode.transcript());
        }
        resolve(group);
    }

    /** Its generator sent what cannot be. */
    void broken(OpenEpisode episode, OpenEpisode.ProtocolException problem) {
        String reason = "generator " + episode.generator().id() + " broke the protocol: " + problem.getMessage();
        cancel(episode, reason);
        close(episode, false);
        steps.tally().infrastructureFailed();
        retry(episode, reason);
    }

    /** It should be over by now. */
    void overdue(OpenEpisode episode) {
        cancel(episode, "it is past its deadline");
        close(episode, true);
        steps.tally().infrastructureFailed();
        retry(episode, "past its deadline");
    }

    /** All attempts of a generator that is gone. */
    void lost(GeneratorSession generator, String reason) {
        generator.episodes().forEach(episode -> lost(episode, reason));
        board.training.values().stream()
                .filter(group -> group.generator().equals(Optional.of(generator)))
                .forEach(OpenGroup::unbind);
        board.heldOut.stream()
                .filter(group -> group.generator().equals(Optional.of(generator)))
                .forEach(OpenGroup::unbind);
    }

    /** All attempts in a sandbox pod that is gone. */
    void lost(String pod, String reason) {
        board.episodes.values().stream()
                .filter(episode -> episode.place().pod().equals(pod))
                .toList()
                .forEach(episode -> {
                    cancel(episode, reason);
                    lost(episode, reason);
                });
    }

    private void lost(OpenEpisode episode, String reason) {
        close(episode, false);
        steps.tally().infrastructureFailed();
        if (episode.group().lost(episode.attempt(), reason, settings.mostLosses())) {
            steps.tally().replaced();
        }
        resolve(episode.group());
    }

    private void retry(OpenEpisode episode, String reason) {
        LOG.info(
                "episode {} of task {} failed: {}",
                episode.id(),
                episode.group().prompt().taskId(),
                reason);
        if (episode.group()
                .failed(episode.attempt(), reason, settings.mostTries(), assignments.now(), settings.retryPause())) {
            steps.tally().replaced();
        }
        resolve(episode.group());
    }

    private void resolve(OpenGroup group) {
        if (!group.resolved()) {
            return;
        }
        if (group.split() == TaskSplit.HELD_OUT) {
            board.heldOut.remove(group);
        } else {
            board.training.remove(group.prompt().number());
            steps.resolved(group);
        }
    }

    /** Ends a group's attempts and forgets it. */
    void drop(OpenGroup group, String reason) {
        List<OpenEpisode> episodes = board.episodes.values().stream()
                .filter(episode -> episode.group() == group)
                .toList();
        episodes.forEach(episode -> {
            cancel(episode, reason);
            close(episode, false);
        });
        board.training.remove(group.prompt().number(), group);
        board.heldOut.remove(group);
    }

    private void cancel(OpenEpisode episode, String reason) {
        episode.generator()
                .send(ToGenerator.newBuilder()
                        .setCancel(
                                Cancel.newBuilder().setEpisodeId(episode.id()).setReason(reason))
                        .build());
    }

    private void close(OpenEpisode episode, boolean placeFailed) {
        board.episodes.remove(episode.id());
        episode.generator().end(episode);
        cells.release(episode.place(), placeFailed);
    }
}
