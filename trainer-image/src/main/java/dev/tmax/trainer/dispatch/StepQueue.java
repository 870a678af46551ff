package dev.tmax.trainer.dispatch;

import dev.tmax.trainer.buffer.Batch;
import dev.tmax.trainer.buffer.CompleteGroup;
import dev.tmax.trainer.buffer.RolloutTally;
import dev.tmax.trainer.schedule.Prompt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Groups on their way to the learner: filters those without signal, and takes a step's groups when no other group would
 * become too old by it. Guarded by the dispatcher's lock.
 */
final class StepQueue {

    private static final Logger LOG = LoggerFactory.getLogger(StepQueue.class);

    private final DispatchSettings settings;
    private final Board board;
    private final Set<Long> settled = new HashSet<>();
    private RolloutTally tally = new RolloutTally();
    private long learnerVersion;
    private int failedInARow;
    private String lastFailure = "";

    StepQueue(DispatchSettings settings, Board board) {
        this.settings = settings;
        this.board = board;
    }

    RolloutTally tally() {
        return tally;
    }

    /** Version of the learner that takes the next batch. */
    long learnerVersion() {
        return learnerVersion;
    }

    void learner(long version) {
        learnerVersion = version;
    }

    /** All attempts of a group came to an end. */
    void resolved(OpenGroup group) {
        settled.add(group.prompt().number());
        if (group.trajectories().size() < Math.min(2, settings.groupSize())) {
            tally.failed();
            failedInARow++;
            lastFailure = group.lastFailure();
            LOG.warn(
                    "group {} of task {} failed: {}", group.id(), group.prompt().taskId(), lastFailure);
            return;
        }
        failedInARow = 0;
        CompleteGroup complete = group.complete();
        boolean counts = complete.hasSignal() || !settings.activeSampling();
        if (counts) {
            board.waiting.add(new Board.Waiting(complete, settings.staleness().deadline(group.weightsVersion())));
        } else {
            tally.filtered(complete);
        }
    }

    /** A group was dropped for its age. */
    void stale(Prompt prompt) {
        settled.add(prompt.number());
        tally.stale(prompt.taskId());
    }

    /** Forgets everything since the last batch. */
    void forget() {
        board.waiting.clear();
        settled.clear();
        tally = new RolloutTally();
        failedInARow = 0;
    }

    /** Why no batch will come, if so. */
    Optional<String> hopeless() {
        if (failedInARow >= settings.mostFailedGroups()) {
            return Optional.of(
                    "%d groups in a row came to no reward, the last one by %s: mend that, then resume the run"
                            .formatted(failedInARow, lastFailure));
        }
        if (tally.filtered() >= settings.mostWithoutSignal()) {
            var rollouts = tally.result();
            return Optional.of(
                    "%d groups since the last step have all-equal rewards (%d all 0, %d all 1; solve rate %.3f), %d were useful: nothing can be learned from them. Choose tasks that the model solves sometimes, or larger groups"
                            .formatted(
                                    tally.filtered(),
                                    rollouts.filteredAllZero(),
                                    rollouts.filteredAllOne(),
                                    rollouts.reward(),
                                    board.waiting.size()));
        }
        return Optional.empty();
    }

    /** The next batch, if it can be taken now. */
    Optional<Awaited.Ready> take() {
        dropTooOld();
        List<Board.Waiting> chosen = chosen();
        if (chosen.size() < settings.staleness().groupsPerStep() || !othersStayInTime(chosen)) {
            return Optional.empty();
        }
        board.waiting.removeAll(chosen);
        List<CompleteGroup> groups = chosen.stream()
                .map(Board.Waiting::group)
                .sorted(Comparator.comparingLong(CompleteGroup::number))
                .toList();
        groups.forEach(group -> {
            if (group.hasSignal() || settings.keepsWithoutSignal()) {
                tally.trained(group);
            } else {
                tally.filtered(group);
            }
        });
        Batch batch = new Batch(
                groups.stream()
                        .filter(group -> group.hasSignal() || settings.keepsWithoutSignal())
                        .toList(),
                tally.result(),
                settledBy(chosen));
        settled.removeAll(batch.settled());
        tally = new RolloutTally();
        learnerVersion++;
        return Optional.of(new Awaited.Ready(batch));
    }

    /** Whether a step's groups are there and only the age of others holds them back. */
    boolean waitsForAge() {
        return chosen().size() == settings.staleness().groupsPerStep();
    }

    /** The training group under way that is due first. */
    Optional<OpenGroup> oldestOpen() {
        return board.training.values().stream()
                .filter(group -> group.begun() || group.generator().isPresent())
                .min(Comparator.comparingLong(OpenGroup::weightsVersion)
                        .thenComparingLong(group -> group.prompt().number()));
    }

    private List<Board.Waiting> chosen() {
        return board.byDeadline().stream()
                .limit(settings.staleness().groupsPerStep())
                .toList();
    }

    private boolean othersStayInTime(List<Board.Waiting> chosen) {
        List<Long> chosenDeadlines =
                chosen.stream().map(Board.Waiting::deadline).toList();
        List<Long> others = new ArrayList<>(board.deadlines(settings));
        chosenDeadlines.forEach(others::remove);
        return settings.staleness().feasible(others, learnerVersion + 1);
    }

    /** Prompts that came to an end, without the groups that still wait for a later step. */
    private Set<Long> settledBy(List<Board.Waiting> chosen) {
        Set<Long> numbers = new HashSet<>(settled);
        board.waiting.forEach(ready -> numbers.remove(ready.group().number()));
        chosen.forEach(ready -> numbers.add(ready.group().number()));
        return numbers;
    }

    /** Admission keeps this from happening; a generator that records older versions than it said would show here. */
    private void dropTooOld() {
        List<Board.Waiting> tooOld = board.waiting.stream()
                .filter(ready ->
                        ready.group().oldestVersion() + settings.staleness().asyncSteps() < learnerVersion)
                .toList();
        for (Board.Waiting ready : tooOld) {
            LOG.warn(
                    "group {} is dropped: tokens of version {} for a learner of version {}",
                    ready.group().number(),
                    ready.group().oldestVersion(),
                    learnerVersion);
            board.waiting.remove(ready);
            tally.stale(ready.group().taskId());
        }
    }
}
