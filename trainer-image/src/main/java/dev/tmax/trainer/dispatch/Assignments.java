package dev.tmax.trainer.dispatch;

import dev.tmax.contracts.rollout.Assign;
import dev.tmax.contracts.rollout.Sampling;
import dev.tmax.contracts.rollout.Sandbox;
import dev.tmax.contracts.rollout.TaskSplit;
import dev.tmax.contracts.rollout.ToGenerator;
import dev.tmax.tasks.Task;
import dev.tmax.trainer.cells.Cells;
import dev.tmax.trainer.schedule.Seeds;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/**
 * Matches groups, generators and cells. A group goes to one generator as a whole, which computes its prompt once; its
 * attempts start as slots and cells become free. Guarded by the dispatcher's lock.
 */
final class Assignments {

    /** Without a limit of the task's own. */
    private static final Duration LONGEST_EPISODE = Duration.ofHours(4);

    /** So that held-out attempts draw other numbers than attempts at the prompt of the same number. */
    private static final long HELD_OUT_SEED = 0x5DEECE66DL;

    private final DispatchSettings settings;
    private final Board board;
    private final Cells cells;
    private final Clock clock;
    private final String process;
    private long issued;

    /** @param process names this process in episode ids, so that they are unique over restarts */
    Assignments(DispatchSettings settings, Board board, Cells cells, Clock clock, String process) {
        this.settings = settings;
        this.board = board;
        this.cells = cells;
        this.clock = clock;
        this.process = process;
    }

    /**
     * Assigns what can be assigned now.
     *
     * @param learnerVersion of the learner that takes the next batch
     * @param heldOutVersion weights that held-out attempts are to be made with, or newer
     */
    void assign(long learnerVersion, long heldOutVersion) {
        for (GeneratorSession generator : board.byRoom()) {
            goOn(generator, board.heldOut);
            goOn(generator, board.training.values());
        }
        boolean more = true;
        while (more) {
            more = false;
            // One group at a time, each to the generator with the most room, keeps generators equally busy.
            for (GeneratorSession generator : board.byRoom()) {
                if (beginOne(generator, learnerVersion, heldOutVersion)) {
                    more = true;
                    break;
                }
            }
        }
    }

    private void goOn(GeneratorSession generator, Collection<OpenGroup> groups) {
        for (OpenGroup group : groups) {
            if (group.generator().equals(Optional.of(generator))) {
                issueWaiting(group, generator);
            }
        }
    }

    private boolean beginOne(GeneratorSession generator, long learnerVersion, long heldOutVersion) {
        for (OpenGroup group : board.heldOut) {
            if (generator.version() >= heldOutVersion && begin(group, generator)) {
                return true;
            }
        }
        for (OpenGroup group : board.training.values()) {
            if ((group.begun() || admits(generator, learnerVersion)) && begin(group, generator)) {
                return true;
            }
        }
        return false;
    }

    private boolean admits(GeneratorSession generator, long learnerVersion) {
        return settings.staleness().admits(board.deadlines(settings), generator.version(), learnerVersion);
    }

    private boolean begin(OpenGroup group, GeneratorSession generator) {
        boolean room = generator.freeSlots() >= Math.min(group.unfinished(), generator.slots());
        if (group.generator().isPresent() || group.nextWaiting(now()).isEmpty() || !room) {
            return false;
        }
        Optional<Cells.Place> place = cells.claim(group.image());
        if (place.isEmpty()) {
            return false;
        }
        group.bind(generator);
        issue(group, generator, place.get());
        issueWaiting(group, generator);
        return true;
    }

    private void issueWaiting(OpenGroup group, GeneratorSession generator) {
        while (generator.freeSlots() > 0 && group.nextWaiting(now()).isPresent()) {
            Optional<Cells.Place> place = cells.claim(group.image());
            if (place.isEmpty()) {
                return;
            }
            issue(group, generator, place.get());
        }
    }

    private void issue(OpenGroup group, GeneratorSession generator, Cells.Place place) {
        int attempt = group.nextWaiting(now()).orElseThrow();
        String id = "%s-%d-%s%s".formatted(group.id(), attempt, process, Long.toString(issued++, Character.MAX_RADIX));
        OpenEpisode episode = new OpenEpisode(
                id, group, attempt, generator, place, clock.instant().plus(longest(group.task())), settings);
        group.issued(attempt);
        generator.begin(episode);
        board.episodes.put(id, episode);
        generator.send(ToGenerator.newBuilder()
                .setAssign(Assign.newBuilder()
                        .setEpisodeId(id)
                        .setGroupId(group.id())
                        .setAttempt(attempt)
                        .setTaskId(group.task().id())
                        .setSplit(group.split())
                        .setSandbox(Sandbox.newBuilder()
                                .setUrl(place.url())
                                .setToken(place.token())
                                .setCellId(id)
                                .setPod(place.pod()))
                        .setSampling(Sampling.newBuilder()
                                .setTemperature(settings.temperature())
                                .setTopP(1))
                        .setSeed(seed(group, attempt)))
                .build());
    }

    private long seed(OpenGroup group, int attempt) {
        long run = group.split() == TaskSplit.HELD_OUT ? settings.seed() ^ HELD_OUT_SEED : settings.seed();
        return Seeds.ofAttempt(run, group.prompt().number(), attempt);
    }

    /** After this the generator is taken to have forgotten the episode; it has limits of its own before. */
    private Duration longest(Task task) {
        Duration commands = settings.commandTimeout().multipliedBy(settings.maxTurns());
        Duration agent = task.agent().timeout().orElse(commands);
        Duration limit = (agent.compareTo(commands) < 0 ? agent : commands)
                .plus(task.verifier().timeout())
                .plus(settings.episodeMargin());
        return limit.compareTo(LONGEST_EPISODE) < 0 ? limit : LONGEST_EPISODE;
    }

    Instant now() {
        return clock.instant();
    }
}
