package dev.tmax.trainer.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.contracts.rollout.Announce;
import dev.tmax.contracts.rollout.Assign;
import dev.tmax.contracts.rollout.FromGenerator;
import dev.tmax.contracts.rollout.Outcome;
import dev.tmax.contracts.rollout.ToGenerator;
import dev.tmax.contracts.rollout.Turn;
import dev.tmax.tasks.Task;
import dev.tmax.tasks.TaskFormat;
import dev.tmax.tasks.TaskSet;
import dev.tmax.trainer.ScriptedGenerator;
import dev.tmax.trainer.Scripts;
import dev.tmax.trainer.buffer.Batch;
import dev.tmax.trainer.buffer.CompleteGroup;
import dev.tmax.trainer.buffer.StalenessBound;
import dev.tmax.trainer.buffer.Trajectory;
import dev.tmax.trainer.cells.Cells;
import dev.tmax.trainer.schedule.Prompt;
import dev.tmax.trainer.schedule.PromptSchedule;
import dev.tmax.trainer.schedule.ScheduleState;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The dispatcher behind real gRPC in this process, with generators that tests script. */
@Timeout(60)
class DispatcherTest {

    private static final int GROUP = 4;
    private static final int GROUPS_PER_STEP = 2;

    @TempDir
    private Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final String name = UUID.randomUUID().toString();
    private final List<Assign> assigned = Collections.synchronizedList(new ArrayList<>());
    private final Pods cells = new Pods();
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Duration retryPause = Duration.ZERO;
    private Map<String, Task> tasks;
    private Dispatcher dispatcher;

    @BeforeEach
    void makeTasks() throws IOException {
        for (int i = 0; i < 6; i++) {
            Path task = Files.createDirectories(folder.resolve("task-" + i + "/tests"))
                    .getParent();
            Files.writeString(task.resolve("task.toml"), "[environment]\ndocker_image = \"image-" + i % 2 + "\"\n");
            Files.writeString(task.resolve("instruction.md"), "Do " + i);
            Files.writeString(task.resolve("tests/test.sh"), "#!/bin/bash\n");
        }
        tasks = TaskSet.load(folder, TaskFormat.AUTO).tasks().stream()
                .collect(Collectors.toMap(Task::id, task -> task, (a, b) -> a, LinkedHashMap::new));
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable closeable : open.reversed()) {
            closeable.close();
        }
    }

    /** Unlimited cells in one pod per image, until a test takes a pod away. */
    private static final class Pods implements Cells {

        private final AtomicInteger taken = new AtomicInteger();
        private final Set<String> failed = ConcurrentHashMap.newKeySet();
        private volatile List<Demand> demand = List.of();
        private volatile int places = Integer.MAX_VALUE;

        @Override
        public void start(Listener listener) {
            // Tests tell the dispatcher themselves.
        }

        @Override
        public Optional<Place> claim(String image) {
            if (taken.get() >= places) {
                return Optional.empty();
            }
            taken.incrementAndGet();
            return Optional.of(new Place("http://" + image, "token", "pod-" + image));
        }

        @Override
        public void release(Place place, boolean infrastructureFailed) {
            taken.decrementAndGet();
            if (infrastructureFailed) {
                failed.add(place.pod());
            }
        }

        @Override
        public void demand(List<Demand> wanted) {
            demand = wanted;
        }

        @Override
        public Counts counts() {
            return new Counts(0, 0, 0, 0, 0);
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }

    private final class TestClock extends Clock {
        @Override
        public java.time.ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    private void start(int asyncSteps, boolean activeSampling, Duration stalenessWait) throws IOException {
        DispatchSettings settings = new DispatchSettings(
                1,
                GROUP,
                new StalenessBound(asyncSteps, GROUPS_PER_STEP),
                4,
                activeSampling,
                false,
                1,
                300,
                64,
                1,
                Duration.ofSeconds(10),
                3,
                retryPause,
                5,
                6,
                3,
                stalenessWait,
                Duration.ofMinutes(5));
        dispatcher = new Dispatcher(
                settings,
                new PromptSchedule(List.copyOf(tasks.keySet()), 1, ScheduleState.start()),
                tasks,
                cells,
                new TestClock(),
                "p");
        Server server = InProcessServerBuilder.forName(name)
                .addService(new RolloutService(dispatcher))
                .build()
                .start();
        open.add(server::shutdownNow);
    }

    private void publish(long version) {
        dispatcher.publish(Announce.newBuilder()
                .setPolicyVersion(version)
                .setSha256("digest-" + version)
                .build());
    }

    private ScriptedGenerator generator(String id, int slots, ScriptedGenerator.Script script) {
        ScriptedGenerator generator = new ScriptedGenerator(
                InProcessChannelBuilder.forName(name).build(), "", id, slots, false, (assign, version) -> {
                    assigned.add(assign);
                    return script.play(assign, version);
                });
        open.add(generator);
        return generator;
    }

    private Batch batch() throws InterruptedException {
        return switch (dispatcher.awaitBatch(() -> false)) {
            case Awaited.Ready(Batch batch) -> batch;
            case Awaited.Hopeless(String message) -> throw new AssertionError(message);
            case Awaited.Interrupted() -> throw new AssertionError("nobody interrupted it");
        };
    }

    private static double byAttempt(Assign assign) {
        return assign.getAttempt() % 2;
    }

    private void await(java.util.function.BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    @Test
    void aBatchHoldsWholeGroupsInTheOrderOfTheSchedule() throws Exception {
        start(0, true, Duration.ofMinutes(1));
        publish(0);
        dispatcher.train(0, 0, 10);
        generator("a", 8, Scripts.rewarding(DispatcherTest::byAttempt));

        Batch batch = batch();

        assertThat(batch.groups()).extracting(CompleteGroup::number).containsExactly(0L, 1L);
        assertThat(batch.groups())
                .allSatisfy(group -> assertThat(group.trajectories())
                        .extracting(Trajectory::attempt)
                        .containsExactly(0, 1, 2, 3));
        assertThat(batch.rollouts().reward()).isEqualTo(0.5);
        assertThat(batch.settled()).containsExactlyInAnyOrder(0L, 1L);
    }

    @Test
    void everyAttemptHasItsOwnEpisodeCellAndSeedAndItsGroupsGenerator() throws Exception {
        start(1, true, Duration.ofMinutes(1));
        publish(0);
        generator("a", 8, Scripts.rewarding(DispatcherTest::byAttempt));
        generator("b", 8, Scripts.rewarding(DispatcherTest::byAttempt));
        dispatcher.train(0, 0, 10);
        batch();

        List<Assign> all = List.copyOf(assigned);
        assertThat(all).extracting(Assign::getEpisodeId).doesNotHaveDuplicates();
        assertThat(all).extracting(assign -> assign.getSandbox().getCellId()).doesNotHaveDuplicates();
        assertThat(all).extracting(Assign::getSeed).doesNotHaveDuplicates();
        assertThat(all).allSatisfy(assign -> {
            String image = tasks.get(assign.getTaskId()).environment().image().orElseThrow();
            assertThat(assign.getSandbox().getPod()).isEqualTo("pod-" + image);
        });
    }

    @Test
    void aGroupStaysTogetherOnOneGenerator() throws Exception {
        start(3, true, Duration.ofMinutes(1));
        publish(0);
        Map<String, Set<String>> generatorsOfGroup = new ConcurrentHashMap<>();
        for (String id : List.of("a", "b", "c")) {
            generator(id, 8, (assign, version) -> {
                generatorsOfGroup
                        .computeIfAbsent(assign.getGroupId(), group -> ConcurrentHashMap.newKeySet())
                        .add(id);
                return Scripts.rewarding(DispatcherTest::byAttempt).play(assign, version);
            });
        }
        dispatcher.train(0, 0, 10);
        for (int i = 0; i < 4; i++) {
            batch();
        }

        assertThat(generatorsOfGroup.values())
                .allSatisfy(generators -> assertThat(generators).hasSize(1));
    }

    @Test
    void inSynchronousTrainingNothingBeginsBeforeTheNewWeightsAreThere() throws Exception {
        start(0, true, Duration.ofMinutes(1));
        publish(0);
        dispatcher.train(0, 0, 10);
        List<Long> versions = Collections.synchronizedList(new ArrayList<>());
        generator("a", 8, (assign, version) -> {
            versions.add(version);
            return Scripts.rewarding(DispatcherTest::byAttempt).play(assign, version);
        });
        batch();
        dispatcher.train(1, 1, 9);
        assertThat(assigned).hasSize(2 * GROUP);

        publish(1);
        batch();

        assertThat(versions.subList(2 * GROUP, versions.size())).containsOnly(1L);
    }

    @Test
    void noMoreIsBegunThanTheRestOfTheRunNeeds() throws Exception {
        start(4, true, Duration.ofMinutes(1));
        publish(0);
        dispatcher.train(0, 9, 1);
        generator("a", 32, Scripts.rewarding(DispatcherTest::byAttempt));
        batch();
        dispatcher.train(1, 10, 0);

        assertThat(assigned).hasSize(GROUPS_PER_STEP * GROUP);
    }

    @Test
    void podsStayWarmBetweenTwoActivitiesAndAreGivenUpAtTheEnd() throws Exception {
        start(0, true, Duration.ofMinutes(1));
        publish(0);
        dispatcher.train(0, 0, 10);
        dispatcher.tick();
        List<Cells.Demand> training = cells.demand;
        dispatcher.train(10, 10, 0);
        dispatcher.tick();
        assertThat(cells.demand).isEqualTo(training).isNotEmpty();

        dispatcher.stop(false);
        dispatcher.tick();

        assertThat(cells.demand).isEmpty();
    }

    @Test
    void groupsWithoutSignalAreReplacedAndCountedWithTheStep() throws Exception {
        start(0, true, Duration.ofMinutes(1));
        publish(0);
        dispatcher.train(0, 0, 10);
        // The group of prompt 0 is all 0, that of prompt 2 all 1.
        generator("a", 8, Scripts.rewarding(assign -> switch (assign.getGroupId()) {
            case "g0" -> 0;
            case "g2" -> 1;
            default -> byAttempt(assign);
        }));

        Batch batch = batch();

        assertThat(batch.groups()).extracting(CompleteGroup::number).containsExactly(1L, 3L);
        assertThat(batch.rollouts().filteredAllZero()).isEqualTo(1);
        assertThat(batch.rollouts().filteredAllOne()).isEqualTo(1);
        assertThat(batch.settled()).containsExactlyInAnyOrder(0L, 1L, 2L, 3L);
    }

    @Test
    void withoutActiveSamplingGroupsWithoutSignalCountButAreNotTrained() throws Exception {
        start(0, false, Duration.ofMinutes(1));
        publish(0);
        dispatcher.train(0, 0, 10);
        generator("a", 8, Scripts.rewarding(assign -> assign.getGroupId().equals("g0") ? 0 : byAttempt(assign)));

        Batch batch = batch();

        assertThat(batch.groups()).extracting(CompleteGroup::number).containsExactly(1L);
        assertThat(batch.rollouts().filteredAllZero()).isEqualTo(1);
    }

    @Test
    void wherePromptsTeachNothingItGivesUpAndSaysWhy() throws Exception {
        start(0, true, Duration.ofMinutes(1));
        publish(0);
        dispatcher.train(0, 0, 10);
        generator("a", 8, Scripts.rewarding(assign -> 0));

        assertThat(dispatcher.awaitBatch(() -> false))
                .isInstanceOfSatisfying(
                        Awaited.Hopeless.class,
                        hopeless -> assertThat(hopeless.message()).contains("all-equal rewards", "solve rate 0.000"));
    }

    @Test
    void anInfrastructureFailureIsNeverARewardAndIsIssuedAgain() throws Exception {
        start(0, true, Duration.ofMinutes(1));
        publish(0);
        dispatcher.train(0, 0, 10);
        Set<String> failedOnce = new HashSet<>();
        generator(
                "a",
                8,
                (assign, version) -> assign.getAttempt() == 1 && failedOnce.add(assign.getGroupId())
                        ? List.of(Scripts.failed(assign, Outcome.INFRA_FAILED, "the pod is on fire"))
                        : Scripts.rewarding(DispatcherTest::byAttempt).play(assign, version));

        Batch batch = batch();

        assertThat(batch.groups())
                .allSatisfy(group -> assertThat(group.trajectories()).hasSize(GROUP));
        assertThat(batch.rollouts().replaced()).isEqualTo(2);
        assertThat(batch.rollouts().infrastructureFailures()).isEqualTo(2);
        assertThat(cells.failed).isNotEmpty();
        assertThat(cells.taken).hasValue(0);
    }

    @Test
    void aFailedAttemptWaitsBeforeItIsIssuedAgain() throws Exception {
        retryPause = Duration.ofSeconds(10);
        start(0, true, Duration.ofMinutes(1));
        publish(0);
        dispatcher.train(0, 0, 10);
        Set<String> failedOnce = ConcurrentHashMap.newKeySet();
        generator(
                "a",
                8,
                (assign, version) -> failedOnce.add(assign.getGroupId() + assign.getAttempt())
                        ? List.of(Scripts.failed(assign, Outcome.INFRA_FAILED, "no way there yet"))
                        : Scripts.rewarding(DispatcherTest::byAttempt).play(assign, version));
        await(() -> assigned.size() == 2 * GROUP && dispatcher.snapshot().episodes() == 0);
        now = now.plusSeconds(9);
        dispatcher.tick();
        assertThat(dispatcher.snapshot().episodes()).isZero();

        now = now.plusSeconds(1);
        dispatcher.tick();

        assertThat(batch().groups()).hasSize(2);
    }

    @Test
    void anAttemptThatFailsAlwaysIsMaskedAndTheGroupGoesOnWithoutIt() throws Exception {
        start(0, true, Duration.ofMinutes(1));
        publish(0);
        dispatcher.train(0, 0, 10);
        generator(
                "a",
                8,
                (assign, version) -> assign.getAttempt() == 1
                        ? List.of(Scripts.failed(assign, Outcome.VERIFIER_FAILED, "no reward file"))
                        : Scripts.rewarding(other -> other.getAttempt() == 0 ? 1 : 0)
                                .play(assign, version));

        Batch batch = batch();

        assertThat(batch.groups())
                .allSatisfy(group -> assertThat(group.trajectories())
                        .extracting(Trajectory::attempt)
                        .containsExactly(0, 2, 3));
        assertThat(batch.rollouts().verifierFailures()).isEqualTo(2 * 3);
    }

    @Test
    void whereNothingEverComesToARewardItGivesUpWithTheReason() throws Exception {
        start(0, true, Duration.ofMinutes(1));
        publish(0);
        dispatcher.train(0, 0, 10);
        generator(
                "a",
                8,
                (assign, version) -> List.of(Scripts.failed(assign, Outcome.VERIFIER_FAILED, "no reward file")));

        assertThat(dispatcher.awaitBatch(() -> false))
                .isInstanceOfSatisfying(
                        Awaited.Hopeless.class,
                        hopeless -> assertThat(hopeless.message()).contains("came to no reward", "no reward file"));
    }

    @Test
    void episodesOfAGeneratorThatIsGoneAreIssuedAgainElsewhere() throws Exception {
        start(0, true, Duration.ofMinutes(1));
        publish(0);
        dispatcher.train(0, 0, 10);
        CountDownLatch working = new CountDownLatch(2 * GROUP);
        ScriptedGenerator dying = generator("dying", 8, (assign, version) -> {
            working.countDown();
            return List.of(Scripts.prompt(assign));
        });
        working.await();

        dying.close();
        generator("other", 8, Scripts.rewarding(DispatcherTest::byAttempt));
        Batch batch = batch();

        assertThat(batch.groups())
                .allSatisfy(group -> assertThat(group.trajectories()).hasSize(GROUP));
        assertThat(batch.rollouts().replaced()).isEqualTo(2 * GROUP);
        List<Assign> again = assigned.subList(2 * GROUP, 4 * GROUP);
        assertThat(again)
                .extracting(Assign::getSeed)
                .containsExactlyInAnyOrderElementsOf(assigned.subList(0, 2 * GROUP).stream()
                        .map(Assign::getSeed)
                        .toList());
        assertThat(assigned).extracting(Assign::getEpisodeId).doesNotHaveDuplicates();
    }

    @Test
    void episodesInAPodThatIsGoneAreCancelledAndIssuedAgain() throws Exception {
        start(0, true, Duration.ofMinutes(1));
        publish(0);
        dispatcher.train(0, 0, 10);
        CountDownLatch working = new CountDownLatch(2 * GROUP);
        Set<String> silent = ConcurrentHashMap.newKeySet();
        ScriptedGenerator generator = generator("a", 8, (assign, version) -> {
            working.countDown();
            return silent.add(assign.getGroupId() + assign.getAttempt())
                    ? List.of()
                    : Scripts.rewarding(DispatcherTest::byAttempt).play(assign, version);
        });
        working.await();

        dispatcher.podLost("pod-image-0", "evicted");
        dispatcher.podLost("pod-image-1", "evicted");

        assertThat(batch().groups()).hasSize(2);
        assertThat(generator.received.stream().filter(ToGenerator::hasCancel)).hasSize(2 * GROUP);
    }

    @Test
    void anEpisodePastItsDeadlineIsCancelledAndIssuedAgain() throws Exception {
        start(0, true, Duration.ofMinutes(1));
        publish(0);
        dispatcher.train(0, 0, 10);
        CountDownLatch working = new CountDownLatch(2 * GROUP);
        Set<String> silent = ConcurrentHashMap.newKeySet();
        generator("a", 8, (assign, version) -> {
            working.countDown();
            return assign.getAttempt() == 0 && silent.add(assign.getGroupId())
                    ? List.of()
                    : Scripts.rewarding(DispatcherTest::byAttempt).play(assign, version);
        });
        working.await();
        await(() -> dispatcher.snapshot().episodes() == 2);

        now = now.plus(Duration.ofHours(5));
        dispatcher.tick();

        assertThat(batch().rollouts().infrastructureFailures()).isEqualTo(2);
    }

    @Test
    void aStepWaitsForAGroupThatWouldBecomeTooOld() throws Exception {
        start(1, true, Duration.ofMinutes(10));
        publish(0);
        CountDownLatch slow = new CountDownLatch(1);
        // Prompts 0 to 3 begin on version 0; one of them takes long.
        generator("slow", GROUP, (assign, version) -> {
            waitFor(slow);
            return Scripts.rewarding(DispatcherTest::byAttempt).play(assign, version);
        });
        await(() -> dispatcher.snapshot().currentGenerators() == 1);
        dispatcher.train(0, 0, 10);
        await(() -> !assigned.isEmpty());
        generator("fast", 16, Scripts.rewarding(DispatcherTest::byAttempt));
        batch();
        publish(1);
        dispatcher.train(1, 1, 9);
        await(() -> dispatcher.snapshot().waitingGroups() >= 2);

        // Two groups are ready, but the slow one, begun on version 0, would be two versions old afterwards.
        AtomicInteger looks = new AtomicInteger();
        assertThat(dispatcher.awaitBatch(() -> looks.incrementAndGet() > 1 || kick()))
                .isInstanceOf(Awaited.Interrupted.class);
        slow.countDown();

        assertThat(batch().groups()).extracting(CompleteGroup::number).contains(0L);
    }

    /** Makes the dispatcher look again at once. */
    private boolean kick() {
        Thread.startVirtualThread(dispatcher::wake);
        return false;
    }

    @Test
    void pastTheTimeLimitTheOldGroupIsDroppedAndCountedByTask() throws Exception {
        start(1, true, Duration.ofMillis(50));
        publish(0);
        CountDownLatch never = new CountDownLatch(1);
        ScriptedGenerator slow = generator("slow", GROUP, (assign, version) -> {
            waitFor(never);
            return List.of();
        });
        await(() -> dispatcher.snapshot().currentGenerators() == 1);
        dispatcher.train(0, 0, 10);
        await(() -> !assigned.isEmpty());
        generator("fast", 16, Scripts.rewarding(DispatcherTest::byAttempt));
        batch();
        publish(1);
        dispatcher.train(1, 1, 9);

        Batch batch = batch();

        assertThat(batch.rollouts().stale())
                .containsOnlyKeys(assigned.getFirst().getTaskId());
        assertThat(batch.settled()).contains(0L);
        assertThat(slow.received.stream().filter(ToGenerator::hasCancel)).hasSize(GROUP);
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aGeneratorWithOtherWeightsThanPublishedGetsNoWork() throws Exception {
        start(0, true, Duration.ofMinutes(1));
        publish(0);
        ScriptedGenerator generator = generator("a", 8, Scripts.rewarding(DispatcherTest::byAttempt));
        await(() -> dispatcher.snapshot().currentGenerators() == 1);
        generator.send(FromGenerator.newBuilder()
                .setApplied(dev.tmax.contracts.rollout.Applied.newBuilder()
                        .setPolicyVersion(0)
                        .setSha256("other"))
                .build());
        await(() -> dispatcher.snapshot().currentGenerators() == 0);
        dispatcher.train(0, 0, 10);

        assertThat(assigned).isEmpty();
    }

    @Test
    void aGeneratorThatBreaksTheProtocolLosesTheEpisodeAndNothingElse() throws Exception {
        start(0, true, Duration.ofMinutes(1));
        publish(0);
        dispatcher.train(0, 0, 10);
        Set<String> broken = ConcurrentHashMap.newKeySet();
        generator("a", 8, (assign, version) -> {
            if (assign.getAttempt() == 0 && broken.add(assign.getGroupId())) {
                Turn.Builder turn = Scripts.model(assign, version).getTurn().toBuilder();
                turn.setLogProbabilities(2, Float.NaN);
                return List.of(
                        Scripts.prompt(assign),
                        FromGenerator.newBuilder().setTurn(turn).build(),
                        Scripts.rewarded(assign, 1));
            }
            return Scripts.rewarding(DispatcherTest::byAttempt).play(assign, version);
        });

        Batch batch = batch();

        assertThat(batch.groups())
                .allSatisfy(group -> assertThat(group.trajectories()).hasSize(GROUP));
        assertThat(batch.rollouts().replaced()).isEqualTo(2);
    }

    @Test
    void attemptsWaitForCellsAndStartWhenTheyAreFree() throws Exception {
        start(0, true, Duration.ofMinutes(1));
        cells.places = 3;
        publish(0);
        dispatcher.train(0, 0, 10);
        AtomicInteger most = new AtomicInteger();
        generator("a", 8, (assign, version) -> {
            most.accumulateAndGet(cells.taken.get(), Math::max);
            return Scripts.rewarding(DispatcherTest::byAttempt).play(assign, version);
        });

        assertThat(batch().groups()).hasSize(2);
        assertThat(most.get()).isLessThanOrEqualTo(3);
    }

    @Test
    void demandNamesTheImagesOfWhatIsUnderWayAndOfWhatComesNext() throws Exception {
        start(0, true, Duration.ofMinutes(1));
        publish(0);
        dispatcher.train(0, 7, 10);
        dispatcher.tick();

        assertThat(cells.demand).extracting(Cells.Demand::image).containsExactlyInAnyOrder("image-0", "image-1");
        assertThat(cells.demand.stream().mapToInt(Cells.Demand::step).min()).hasValue(7);
        // Without generators: room for one step, of one image.
        assertThat(cells.demand)
                .allSatisfy(entry -> assertThat(entry.attempts()).isLessThanOrEqualTo(GROUP * GROUPS_PER_STEP));
    }

    @Test
    void heldOutTasksAreMeasuredOnceEach() throws Exception {
        start(0, true, Duration.ofMinutes(1));
        publish(0);
        generator("a", 8, Scripts.rewarding(DispatcherTest::byAttempt));

        HeldOutResult result = dispatcher
                .measure("before", List.copyOf(tasks.values()), 2, () -> false)
                .orElseThrow();

        assertThat(result).isEqualTo(new HeldOutResult(0.5, 12, 0));
        assertThat(assigned).hasSize(12);
        assertThat(dispatcher.scheduleState()).isEqualTo(ScheduleState.start());
    }

    @Test
    void whatIsInFlightIsInTheStateUntilItsStepIsSettled() throws Exception {
        start(1, true, Duration.ofMinutes(1));
        publish(0);
        dispatcher.train(0, 0, 10);
        generator("a", 8, Scripts.rewarding(DispatcherTest::byAttempt));
        Batch batch = batch();
        assertThat(dispatcher.scheduleState().inFlight())
                .extracting(Prompt::number)
                .contains(0L, 1L);

        dispatcher.settle(batch.settled());

        assertThat(dispatcher.scheduleState().inFlight())
                .extracting(Prompt::number)
                .doesNotContainAnyElementsOf(batch.settled())
                .contains(2L, 3L);
    }
}
