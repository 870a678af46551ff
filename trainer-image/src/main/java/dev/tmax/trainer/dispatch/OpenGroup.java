package dev.tmax.trainer.dispatch;

import dev.tmax.contracts.rollout.TaskSplit;
import dev.tmax.tasks.Task;
import dev.tmax.trainer.buffer.CompleteGroup;
import dev.tmax.trainer.buffer.Trajectory;
import dev.tmax.trainer.schedule.Prompt;
import dev.tmax.trainer.schedule.UsableTasks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The attempts at one task while some of them are still to be made. Guarded by the dispatcher's lock. */
final class OpenGroup {

    /** Of one attempt. */
    private enum State {
        WAITING,
        RUNNING,
        DONE,
        GIVEN_UP
    }

    private final String id;
    private final Prompt prompt;
    private final TaskSplit split;
    private final Task task;
    private final State[] states;
    private final Instant[] notBefore;
    private final int[] failures;
    private final int[] losses;
    private final List<Trajectory> done = new ArrayList<>();
    private Optional<GeneratorSession> generator = Optional.empty();
    private long weightsVersion;
    private String lastFailure = "";

    OpenGroup(String id, Prompt prompt, TaskSplit split, Task task, int size) {
        this.id = id;
        this.prompt = prompt;
        this.split = split;
        this.task = task;
        this.states = new State[size];
        Arrays.fill(states, State.WAITING);
        this.notBefore = new Instant[size];
        Arrays.fill(notBefore, Instant.MIN);
        this.failures = new int[size];
        this.losses = new int[size];
    }

    String id() {
        return id;
    }

    Prompt prompt() {
        return prompt;
    }

    TaskSplit split() {
        return split;
    }

    Task task() {
        return task;
    }

    String image() {
        return UsableTasks.image(task);
    }

    int size() {
        return states.length;
    }

    /** The generator that has computed the prompt; all attempts go there while it lives. */
    Optional<GeneratorSession> generator() {
        return generator;
    }

    /** Weights that the group was begun on: none of its tokens is older. */
    long weightsVersion() {
        return weightsVersion;
    }

    /** Why an attempt failed last; empty if none did. */
    String lastFailure() {
        return lastFailure;
    }

    /** Gives the group to a generator. Finished attempts keep it as old as it was. */
    void bind(GeneratorSession to) {
        generator = Optional.of(to);
        if (done.isEmpty()) {
            weightsVersion = to.version();
        }
    }

    /** Its generator is gone. */
    void unbind() {
        generator = Optional.empty();
    }

    /** Whether finished attempts fix the age of the group, whoever goes on with it. */
    boolean begun() {
        return !done.isEmpty();
    }

    /** The first attempt that can be issued now. */
    Optional<Integer> nextWaiting(Instant now) {
        for (int attempt = 0; attempt < states.length; attempt++) {
            if (states[attempt] == State.WAITING && !now.isBefore(notBefore[attempt])) {
                return Optional.of(attempt);
            }
        }
        return Optional.empty();
    }

    int unfinished() {
        return (int) Arrays.stream(states)
                .filter(state -> state == State.WAITING || state == State.RUNNING)
                .count();
    }

    void issued(int attempt) {
        states[attempt] = State.RUNNING;
    }

    void done(Trajectory trajectory) {
        states[trajectory.attempt()] = State.DONE;
        done.add(trajectory);
    }

    /** Whether prompts of all attempts are the same tokens. */
    boolean agreesWith(Trajectory trajectory) {
        return done.isEmpty() || Arrays.equals(done.getFirst().prompt(), trajectory.prompt());
    }

    /**
     * The attempt ended without a reward. Each time it waits twice as long before it is issued again: what failed may
     * need a moment.
     *
     * @return whether it is to be issued again
     */
    boolean failed(int attempt, String reason, int mostTries, Instant now, Duration firstPause) {
        lastFailure = reason;
        notBefore[attempt] = now.plus(firstPause.multipliedBy(1L << failures[attempt]));
        return again(attempt, failures, mostTries);
    }

    /** As {@link #failed}, where generator or pod went away with it: no fault of the task. */
    boolean lost(int attempt, String reason, int mostLosses) {
        lastFailure = reason;
        return again(attempt, losses, mostLosses);
    }

    private boolean again(int attempt, int[] counts, int most) {
        boolean again = ++counts[attempt] < most;
        states[attempt] = again ? State.WAITING : State.GIVEN_UP;
        return again;
    }

    /** Whether nothing is left to wait for. */
    boolean resolved() {
        return unfinished() == 0;
    }

    List<Trajectory> trajectories() {
        return List.copyOf(done);
    }

    CompleteGroup complete() {
        return new CompleteGroup(prompt.number(), prompt.taskId(), done);
    }
}
