package dev.tmax.trainer.dispatch;

import dev.tmax.contracts.rollout.Announce;
import dev.tmax.contracts.rollout.Applied;
import dev.tmax.contracts.rollout.Author;
import dev.tmax.contracts.rollout.Drain;
import dev.tmax.contracts.rollout.Finished;
import dev.tmax.contracts.rollout.GeneratorStatus;
import dev.tmax.contracts.rollout.Hello;
import dev.tmax.contracts.rollout.TaskSplit;
import dev.tmax.contracts.rollout.ToGenerator;
import dev.tmax.contracts.rollout.Turn;
import dev.tmax.tasks.Task;
import dev.tmax.trainer.buffer.Trajectory;
import dev.tmax.trainer.cells.Cells;
import dev.tmax.trainer.schedule.Prompt;
import dev.tmax.trainer.schedule.PromptSchedule;
import dev.tmax.trainer.schedule.ScheduleState;
import io.grpc.stub.StreamObserver;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which attempt is made where, with which weights, and what counts. One lock guards everything below it; nothing
 * that blocks happens under it.
 */
public final class Dispatcher implements Cells.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    /** Versions back whose digests are remembered: generators that are slower than that fetch again. */
    private static final int KNOWN_DIGESTS = 64;

    /** Numbers for people and metrics. */
    public record Snapshot(
            int generators,
            int currentGenerators,
            int slots,
            int episodes,
            int openGroups,
            int waitingGroups,
            long generatedTokens,
            double generatorTokensPerSecond,
            String sampleEpisode) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final DispatchSettings settings;
    private final Map<String, Task> tasks;
    private final Cells cells;
    private final Board board = new Board();
    private final Assignments assignments;
    private final StepQueue steps;
    private final EpisodeEnds ends;
    private final Map<Long, String> digests = new HashMap<>();
    private PromptSchedule schedule;
    private Optional<Announce> announced = Optional.empty();
    private boolean issuing;
    private boolean stopped;
    private int groupsWanted;
    private int step;
    private long generatedTokens;

    /**
     * @param tasks that are trained on, by id
     * @param process names this process in episode ids
     */
    public Dispatcher(
            DispatchSettings settings,
            PromptSchedule schedule,
            Map<String, Task> tasks,
            Cells cells,
            Clock clock,
            String process) {
        this.settings = settings;
        this.schedule = schedule;
        this.tasks = Map.copyOf(tasks);
        this.cells = cells;
        this.assignments = new Assignments(settings, board, cells, clock, process);
        this.steps = new StepQueue(settings, board);
        this.ends = new EpisodeEnds(settings, board, cells, assignments, steps);
    }

    // ---- what the training loop says ----

    /**
     * New weights can be fetched; generators are told. Versions of other digests under the same number are no longer
     * believed.
     */
    public void publish(Announce announce) {
        locked(() -> {
            announced = Optional.of(announce);
            digests.put(announce.getPolicyVersion(), announce.getSha256());
            digests.keySet().removeIf(version -> version < announce.getPolicyVersion() - KNOWN_DIGESTS);
            board.generators.values().forEach(generator -> generator.send(announcement(announce)));
        });
    }

    /**
     * Starts or goes on issuing training groups.
     *
     * @param learnerVersion of the learner that takes the next batch
     * @param stepsDone optimizer steps done
     * @param stepsLeft optimizer steps to come: no more groups are begun than they need
     */
    public void train(long learnerVersion, int stepsDone, int stepsLeft) {
        locked(() -> {
            steps.learner(learnerVersion);
            step = stepsDone;
            groupsWanted = (int) Math.min(
                    Integer.MAX_VALUE, (long) stepsLeft * settings.staleness().groupsPerStep());
            issuing = stepsLeft > 0;
            stopped = false;
        });
    }

    /** Issues nothing new; what is running may finish. Generators are told when {@code drain}. */
    public void stop(boolean drain) {
        locked(() -> {
            issuing = false;
            stopped = true;
            if (drain) {
                board.generators
                        .values()
                        .forEach(generator -> generator.send(ToGenerator.newBuilder()
                                .setDrain(Drain.getDefaultInstance())
                                .build()));
            }
        });
    }

    /** Forgets all training groups under way and goes on from this state of the schedule. */
    public void restart(PromptSchedule from) {
        locked(() -> {
            List<OpenGroup> groups = List.copyOf(board.training.values());
            groups.forEach(group -> ends.drop(group, "the run went back to a checkpoint"));
            steps.forget();
            schedule = from;
        });
    }

    /** The schedule as of the last settled step. */
    public ScheduleState scheduleState() {
        lock.lock();
        try {
            return schedule.state();
        } finally {
            lock.unlock();
        }
    }

    /** A step is done and accounts for these prompts. */
    public void settle(Collection<Long> prompts) {
        locked(() -> schedule.settle(prompts));
    }

    /** Makes {@link #awaitBatch} and {@link #measure} look at their condition again. */
    public void wake() {
        locked(() -> {});
    }

    /** Waits for the groups of the next step. */
    public Awaited awaitBatch(BooleanSupplier interrupted) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long patience = settings.stalenessWait().toNanos();
            while (true) {
                if (interrupted.getAsBoolean()) {
                    return new Awaited.Interrupted();
                }
                Optional<String> hopeless = steps.hopeless();
                if (hopeless.isPresent()) {
                    issuing = false;
                    return new Awaited.Hopeless(hopeless.get());
                }
                Optional<Awaited.Ready> batch = steps.take();
                if (batch.isPresent()) {
                    groupsWanted -= settings.staleness().groupsPerStep();
                    assign();
                    return batch.get();
                }
                if (!steps.waitsForAge()) {
                    changed.await();
                } else {
                    patience = changed.awaitNanos(patience);
                    if (patience <= 0) {
                        dropOldest();
                        patience = settings.stalenessWait().toNanos();
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void dropOldest() {
        steps.oldestOpen().ifPresent(group -> {
            LOG.warn(
                    "group {} of task {} is dropped: its tokens would be too old",
                    group.id(),
                    group.prompt().taskId());
            steps.stale(group.prompt());
            ends.drop(group, "its tokens would be too old");
        });
        assign();
    }

    /**
     * Measures tasks that are never trained on, with the newest published weights.
     *
     * @param label begins the ids of these groups
     * @return empty if interrupted
     */
    public Optional<HeldOutResult> measure(String label, List<Task> heldOut, int attempts, BooleanSupplier interrupted)
            throws InterruptedException {
        lock.lockInterruptibly();
        try {
            List<OpenGroup> groups = new ArrayList<>();
            for (int i = 0; i < heldOut.size(); i++) {
                Task task = heldOut.get(i);
                groups.add(
                        new OpenGroup(label + "-" + i, new Prompt(i, task.id()), TaskSplit.HELD_OUT, task, attempts));
            }
            board.heldOut.addAll(groups);
            stopped = false;
            assign();
            while (!interrupted.getAsBoolean() && !groups.stream().allMatch(OpenGroup::resolved)) {
                changed.await();
            }
            boolean whole = groups.stream().allMatch(OpenGroup::resolved);
            List.copyOf(board.heldOut).forEach(group -> ends.drop(group, "the measurement was interrupted"));
            return whole ? Optional.of(result(groups)) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private static HeldOutResult result(List<OpenGroup> groups) {
        List<Trajectory> all =
                groups.stream().flatMap(group -> group.trajectories().stream()).toList();
        int made = groups.stream().mapToInt(OpenGroup::size).sum();
        return new HeldOutResult(
                all.stream().mapToDouble(Trajectory::reward).average().orElse(0), all.size(), made - all.size());
    }

    // ---- what generators say ----

    void connected(Hello hello, StreamObserver<ToGenerator> outbound) {
        locked(() -> {
            GeneratorSession before = board.generators.remove(hello.getGeneratorId());
            if (before != null) {
                ends.lost(before, "generator " + before.id() + " connected anew");
                before.close();
            }
            GeneratorSession session = new GeneratorSession(hello.getGeneratorId(), hello.getSlots(), outbound);
            board.generators.put(session.id(), session);
            LOG.info("generator {} connected with {} slots", session.id(), session.slots());
            announced.ifPresent(announce -> session.send(announcement(announce)));
        });
    }

    void disconnected(StreamObserver<ToGenerator> outbound, String reason) {
        locked(() -> board.generators.values().stream()
                .filter(generator -> generator.sendsTo(outbound))
                .findFirst()
                .ifPresent(generator -> {
                    board.generators.remove(generator.id());
                    LOG.info("generator {} is gone: {}", generator.id(), reason);
                    ends.lost(generator, "generator " + generator.id() + " is gone");
                }));
    }

    void applied(StreamObserver<ToGenerator> from, Applied applied) {
        locked(() -> session(from).ifPresent(generator -> {
            String expected = digests.get(applied.getPolicyVersion());
            if (!applied.getSha256().equals(expected)) {
                LOG.error(
                        "generator {} says it has version {} with digest {}, published was {}: it gets no work",
                        generator.id(),
                        applied.getPolicyVersion(),
                        applied.getSha256(),
                        expected);
                generator.applied(GeneratorSession.NO_VERSION);
                return;
            }
            generator.applied(applied.getPolicyVersion());
        }));
    }

    void reported(StreamObserver<ToGenerator> from, GeneratorStatus status) {
        locked(() -> session(from).ifPresent(generator -> generator.reported(status)));
    }

    void turn(Turn turn) {
        locked(() -> {
            OpenEpisode episode = board.episodes.get(turn.getEpisodeId());
            if (episode == null) {
                return;
            }
            try {
                episode.add(turn);
            } catch (OpenEpisode.ProtocolException e) {
                ends.broken(episode, e);
                return;
            }
            generatedTokens += turn.getAuthor() == Author.MODEL ? turn.getTokensCount() : 0;
        });
    }

    void finished(Finished finished) {
        locked(() -> {
            OpenEpisode episode = board.episodes.get(finished.getEpisodeId());
            if (episode == null) {
                return;
            }
            ends.finished(episode, finished);
        });
    }

    // ---- what cells say ----

    @Override
    public void placesFreed() {
        locked(() -> {});
    }

    @Override
    public void podLost(String pod, String reason) {
        locked(() -> ends.lost(pod, "sandbox " + pod + ": " + reason));
    }

    /** To be called every second or so: deadlines, and the demand for cells. */
    public void tick() {
        lock.lock();
        try {
            board.episodes.values().stream()
                    .filter(episode -> assignments.now().isAfter(episode.deadline()))
                    .toList()
                    .forEach(ends::overdue);
            assign();
            if (stopped) {
                cells.demand(List.of());
            } else if (issuing || !board.heldOut.isEmpty()) {
                int ahead = issuing ? Math.min(settings.lookaheadGroups(), groupsWanted) : 0;
                cells.demand(Demands.of(board, schedule, tasks, settings, step, ahead));
            }
            // Else the run is between two activities, and its pods stay warm.
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public Snapshot snapshot() {
        lock.lock();
        try {
            long newest = announced.map(Announce::getPolicyVersion).orElse(Long.MAX_VALUE);
            return new Snapshot(
                    board.generators.size(),
                    (int) board.generators.values().stream()
                            .filter(generator -> generator.version() == newest)
                            .count(),
                    board.slots(),
                    board.episodes.size(),
                    board.training.size(),
                    board.waiting.size(),
                    generatedTokens,
                    board.generators.values().stream()
                            .mapToDouble(generator -> generator.status().getTokensPerSecond())
                            .sum(),
                    ends.sample());
        } finally {
            lock.unlock();
        }
    }

    // ---- under the lock ----

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
            assign();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void assign() {
        while (issuing && board.outstanding() < Math.min(settings.staleness().maxOutstanding(), groupsWanted)) {
            Prompt prompt = schedule.next();
            board.training.put(
                    prompt.number(),
                    new OpenGroup(
                            "g" + prompt.number(),
                            prompt,
                            TaskSplit.TRAINING,
                            tasks.get(prompt.taskId()),
                            settings.groupSize()));
        }
        assignments.assign(
                steps.learnerVersion(),
                announced.map(Announce::getPolicyVersion).orElse(0L));
    }

    private Optional<GeneratorSession> session(StreamObserver<ToGenerator> outbound) {
        return board.generators.values().stream()
                .filter(generator -> generator.sendsTo(outbound))
                .findFirst();
    }

    private static ToGenerator announcement(Announce announce) {
        return ToGenerator.newBuilder().setAnnounce(announce).build();
    }
}
