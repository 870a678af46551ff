package dev.tmax.trainer.status;

import dev.tmax.contracts.status.RunStatus;
import dev.tmax.contracts.status.RunStatus.Phase;
import dev.tmax.trainer.cells.Cells;
import dev.tmax.trainer.checkpoint.GroupTotals;
import dev.tmax.trainer.checkpoint.HeldOut;
import dev.tmax.trainer.dispatch.Dispatcher;
import dev.tmax.trainer.dispatch.HeldOutResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Where the run stands. Written by the training loop, read by whoever asks. Thread-safe. */
public final class Progress {

    /** What the learner spends its time with. */
    public enum Activity {
        LOADING,
        EVALUATING,
        WAITING,
        LEARNING,
        PUBLISHING,
        CHECKPOINTING
    }

    /** Steps over which speed is averaged. */
    private static final int WINDOW = 8;

    private final int steps;
    private final Map<Activity, Double> seconds = new EnumMap<>(Activity.class);
    private final List<Double> rewards = new ArrayList<>();
    private final Deque<StepRecord> window = new ArrayDeque<>();
    private Phase phase = Phase.LOADING;
    private String message = "loading the model";
    private int step;
    private long policyVersion;
    private GroupTotals groups = GroupTotals.NONE;
    private List<RunStatus.Snapshot> snapshots = List.of();
    private HeldOut heldOut = new HeldOut(null, null, 0);
    private RunStatus.Guardrail guardrail;
    private Optional<StepRecord> last = Optional.empty();
    private Supplier<Optional<Dispatcher.Snapshot>> dispatcher = Optional::empty;
    private Supplier<Optional<Cells.Counts>> cells = Optional::empty;

    /** @param steps of the whole run; 0 while not known */
    public Progress(int steps) {
        this.steps = steps;
    }

    public synchronized void observe(Dispatcher newDispatcher, Cells newCells) {
        dispatcher = () -> Optional.of(newDispatcher.snapshot());
        cells = () -> Optional.of(newCells.counts());
    }

    /** @param what one sentence for people */
    public synchronized void phase(Phase now, String what) {
        phase = now;
        message = what;
    }

    public synchronized Phase phase() {
        return phase;
    }

    public synchronized void resumed(int atStep, List<Double> rewardsSoFar, GroupTotals totals) {
        step = atStep;
        rewards.clear();
        rewards.addAll(rewardsSoFar);
        groups = totals;
        window.clear();
    }

    public synchronized void stepped(StepRecord record, GroupTotals totals) {
        groups = totals;
        last = Optional.of(record);
        // A batch without signal is a step without an update; a step whose gradient was not finite is none.
        if (record.step() > step) {
            step = record.step();
            rewards.add(record.reward());
        }
        window.add(record);
        if (window.size() > WINDOW) {
            window.remove();
        }
    }

    public synchronized void published(long version) {
        policyVersion = version;
    }

    public synchronized void checkpoints(List<RunStatus.Snapshot> complete) {
        snapshots = List.copyOf(complete);
    }

    public synchronized void heldOut(HeldOut results) {
        heldOut = results;
    }

    public synchronized void guardrail(RunStatus.Guardrail acted) {
        guardrail = acted;
    }

    public synchronized void spent(Activity activity, double more) {
        seconds.merge(activity, more, Double::sum);
    }

    /** Mean reward of every step so far. */
    public synchronized List<Double> rewards() {
        return List.copyOf(rewards);
    }

    /** The newest step, applied or skipped. */
    public synchronized Optional<StepRecord> last() {
        return last;
    }

    public synchronized GroupTotals groups() {
        return groups;
    }

    public synchronized double seconds(Activity activity) {
        return seconds.getOrDefault(activity, 0.0);
    }

    public RunStatus status() {
        // Asked before taking this lock: both have locks of their own.
        Optional<Dispatcher.Snapshot> rollouts = suppliers().dispatcher().get();
        Optional<Cells.Counts> pods = suppliers().cells().get();
        synchronized (this) {
            return new RunStatus(
                    phase,
                    message + missing(rollouts, pods),
                    step,
                    steps,
                    policyVersion,
                    rewards,
                    tokensPerSecond(),
                    eta(),
                    rollouts.map(now -> new RunStatus.Generators(now.generators(), now.currentGenerators()))
                            .orElse(new RunStatus.Generators(0, 0)),
                    pods.map(now -> new RunStatus.Sandboxes(
                                    now.warming(), now.ready(), now.leased(), now.cells(), now.pods()))
                            .orElse(new RunStatus.Sandboxes(0, 0, 0, 0, 0)),
                    groups.status(),
                    snapshots,
                    mean(heldOut.before()),
                    mean(heldOut.after(steps).orElse(null)),
                    guardrail,
                    rollouts.map(Dispatcher.Snapshot::sampleEpisode)
                            .filter(text -> !text.isEmpty())
                            .orElse(null),
                    new RunStatus.PhaseSeconds(
                            seconds(Activity.LOADING),
                            seconds(Activity.EVALUATING),
                            seconds(Activity.WAITING),
                            seconds(Activity.LEARNING),
                            seconds(Activity.PUBLISHING),
                            seconds(Activity.CHECKPOINTING)));
        }
    }

    /** What an active run waits for, where that is plain. */
    private String missing(Optional<Dispatcher.Snapshot> rollouts, Optional<Cells.Counts> pods) {
        if (phase != Phase.RUNNING && phase != Phase.EVALUATING) {
            return "";
        }
        if (rollouts.isPresent() && rollouts.get().generators() == 0) {
            return "; no generator is connected";
        }
        boolean noPod = pods.isPresent() && pods.get().ready() + pods.get().leased() == 0;
        return noPod ? "; no sandbox is ready" : "";
    }

    private record Suppliers(
            Supplier<Optional<Dispatcher.Snapshot>> dispatcher, Supplier<Optional<Cells.Counts>> cells) {}

    private synchronized Suppliers suppliers() {
        return new Suppliers(dispatcher, cells);
    }

    private double tokensPerSecond() {
        double total =
                window.stream().mapToDouble(record -> record.seconds().total()).sum();
        long tokens =
                window.stream().mapToLong(record -> record.rollouts().tokens()).sum();
        return total == 0 ? 0 : tokens / total;
    }

    private double eta() {
        if (window.isEmpty() || phase != Phase.RUNNING) {
            return phase == Phase.SUCCEEDED ? 0 : -1;
        }
        double perStep = window.stream()
                .mapToDouble(record -> record.seconds().total())
                .average()
                .orElseThrow();
        return perStep * (steps - step);
    }

    private static Double mean(HeldOutResult result) {
        return result == null ? null : result.mean();
    }
}
