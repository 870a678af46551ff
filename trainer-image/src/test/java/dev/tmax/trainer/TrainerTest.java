package dev.tmax.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tmax.contracts.configuration.ConfigurationFile;
import dev.tmax.contracts.configuration.InvalidConfigurationException;
import dev.tmax.contracts.configuration.RunConfiguration;
import dev.tmax.contracts.rollout.Assign;
import dev.tmax.contracts.rollout.TaskSplit;
import dev.tmax.contracts.status.RunStatus;
import dev.tmax.contracts.status.RunStatus.Phase;
import dev.tmax.model.Architecture;
import dev.tmax.model.random.RandomModel;
import dev.tmax.trainer.cells.LocalCells;
import dev.tmax.trainer.serve.Requests;
import dev.tmax.trainer.serve.Token;
import dev.tmax.trainer.serve.TrainerMetrics;
import dev.tmax.trainer.status.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs of a real, tiny model, with a scripted generator in place of decoding and cells. */
@Timeout(120)
class TrainerTest {

    @TempDir
    private static Path shared;

    private static Path model;

    @TempDir
    private Path folder;

    private Path tasks;

    @BeforeAll
    static void makeModel() {
        model = shared.resolve("model");
        new RandomModel(Architecture.LLAMA, 32, 2, 2, 64, 300, 128, 1).write(model);
    }

    @BeforeEach
    void makeTasks() throws IOException {
        tasks = folder.resolve("tasks");
        for (int i = 0; i < 5; i++) {
            writeTask(tasks.resolve("task-" + i), "Do " + i);
        }
        writeTask(folder.resolve("held-out/exam"), "Do it");
    }

    private static void writeTask(Path task, String instruction) throws IOException {
        Files.createDirectories(task.resolve("tests"));
        Files.writeString(task.resolve("task.toml"), "[environment]\ndocker_image = \"debian\"\n");
        Files.writeString(task.resolve("instruction.md"), instruction);
        Files.writeString(task.resolve("tests/test.sh"), "#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n");
    }

    private RunConfiguration configuration(String checkpoints, int steps, int asyncSteps, String more) {
        return ConfigurationFile.parse("""
                run: test
                namespace: local
                model: {path: %s, maxPromptTokens: 64, maxResponseTokens: 32, maxTurnTokens: 32}
                tasks: {path: %s, shuffleSeed: 3}
                evaluation: {path: %s, attempts: 3}
                recipe:
                  algorithm: DPPO
                  steps: %d
                  promptsPerStep: 2
                  groupSize: 4
                  asyncSteps: %d
                  activeSampling: true
                  precision: {compute: FP32, lmHead: FP32}
                  optimizer: {learningRate: 1e-3, beta1: 0.9, beta2: 0.95, weightDecay: 0, maxGradNorm: 1}
                  seed: 5
                sandboxes: {backend: LOCAL, attemptsPerPod: 8}
                checkpoints: {path: %s, everySteps: 2, keep: 3, exportHuggingFace: true}
                %s
                """.formatted(
                model, tasks, folder.resolve("held-out"), steps, asyncSteps, folder.resolve(checkpoints), more));
    }

    /** A trainer that runs in a thread of its own, with one generator. */
    private static final class Running implements AutoCloseable {

        final Progress progress;
        final Requests requests = new Requests();
        private final CompletableFuture<Void> ended = new CompletableFuture<>();

        Running(RunConfiguration configuration, ToDoubleFunction<Assign> reward) {
            progress = new Progress(configuration.recipe().steps());
            Trainer trainer = new Trainer(
                    configuration,
                    1,
                    Token.none(),
                    new LocalCells(configuration.sandboxes().attemptsPerPod()),
                    Optional.of((run, port) ->
                            new ScriptedGenerator(port, "", "scripted", 8, true, Scripts.rewarding(reward))),
                    0,
                    progress,
                    requests,
                    new TrainerMetrics("local", "test"));
            Thread.ofPlatform().start(() -> {
                try {
                    trainer.run();
                    ended.complete(null);
                } catch (Throwable failure) {
                    ended.completeExceptionally(failure);
                }
            });
        }

        RunStatus await(Predicate<RunStatus> condition) throws Exception {
            while (!condition.test(progress.status())) {
                if (ended.isCompletedExceptionally()) {
                    ended.get();
                }
                TimeUnit.MILLISECONDS.sleep(5);
            }
            return progress.status();
        }

        RunStatus await(Phase phase) throws Exception {
            return await(status -> status.phase() == phase);
        }

        @Override
        public void close() throws Exception {
            requests.stop();
            ended.get(60, TimeUnit.SECONDS);
        }
    }

    private RunStatus runToTheEnd(RunConfiguration configuration) throws Exception {
        try (Running running = new Running(configuration, Scripts::bySeed)) {
            return running.await(Phase.SUCCEEDED);
        }
    }

    @Test
    void aRunTrainsMeasuresAndSucceeds() throws Exception {
        RunStatus status = runToTheEnd(configuration("a", 5, 1, ""));

        assertThat(status.step()).isEqualTo(5);
        assertThat(status.policyVersion()).isEqualTo(5);
        assertThat(status.rewards()).hasSize(5);
        assertThat(status.groups().trained()).isEqualTo(10);
        assertThat(status.heldOutBefore()).isNotNull();
        assertThat(status.heldOutAfter()).isNotNull();
        assertThat(status.checkpoints()).extracting(RunStatus.Snapshot::step).containsExactly(2, 4, 5);
        assertThat(Path.of(status.checkpoints().getLast().huggingFace()))
                .isDirectoryContaining("glob:**/model.safetensors");
        assertThat(status.sampleEpisode()).contains("an answer");
        List<String> lines = Files.readAllLines(folder.resolve("a/metrics.jsonl"));
        assertThat(lines).hasSize(5);
        var last = new ObjectMapper().readTree(lines.getLast());
        assertThat(last.path("step").asInt()).isEqualTo(5);
        assertThat(last.path("learning").path("stalenessMax").asInt()).isLessThanOrEqualTo(1);
        assertThat(RunStatus.fromJson(Files.readString(folder.resolve("a/summary.json")))
                        .phase())
                .isEqualTo(Phase.SUCCEEDED);
    }

    @Test
    void aSynchronousRunInTwoPiecesEqualsOneInOnePieceToTheBit() throws Exception {
        runToTheEnd(configuration("whole", 5, 0, ""));
        try (Running first = new Running(configuration("pieces", 5, 0, ""), Scripts::bySeed)) {
            first.await(status -> status.step() >= 2);
            first.requests.drain();
            first.await(Phase.DRAINED);
        }
        RunStatus status = runToTheEnd(configuration("pieces", 5, 0, ""));

        assertThat(status.groups().trained()).isEqualTo(10);
        Path whole = folder.resolve("whole/step-000005/engine");
        try (var files = Files.list(whole)) {
            for (Path file : files.toList()) {
                assertThat(folder.resolve("pieces/step-000005/engine").resolve(file.getFileName()))
                        .hasSameBinaryContentAs(file);
            }
        }
        assertThat(rewards("pieces")).isEqualTo(rewards("whole"));
    }

    private List<Double> rewards(String checkpoints) throws IOException {
        return Files.readAllLines(folder.resolve(checkpoints).resolve("metrics.jsonl")).stream()
                .map(line -> {
                    try {
                        return new ObjectMapper().readTree(line).path("reward").asDouble();
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .toList();
    }

    @Test
    void aFinishedRunThatIsStartedAgainIsDoneAtOnce() throws Exception {
        runToTheEnd(configuration("a", 2, 0, ""));

        RunStatus status = runToTheEnd(configuration("a", 2, 0, ""));

        assertThat(status.phaseSeconds().learning()).isZero();
        assertThat(status.heldOutAfter()).isNotNull();
    }

    @Test
    void aRunMayBeExtended() throws Exception {
        runToTheEnd(configuration("a", 2, 0, ""));

        RunStatus status = runToTheEnd(configuration("a", 4, 0, ""));

        assertThat(status.step()).isEqualTo(4);
        assertThat(status.rewards()).hasSize(4);
    }

    @Test
    void whereAllRewardsAreEqualTheRunPausesAndSaysWhy() throws Exception {
        try (Running running = new Running(configuration("a", 5, 1, ""), assign -> 0)) {
            RunStatus status = running.await(Phase.PAUSED);

            assertThat(status.message()).contains("all-equal rewards", "solve rate 0.000", "Choose tasks");
            assertThat(status.step()).isZero();
        }
    }

    @Test
    void withoutActiveSamplingStepsThatTeachNothingSaySo() throws Exception {
        RunConfiguration passive = ConfigurationFile.parse(ConfigurationFile.write(configuration("a", 3, 0, ""))
                .replace("activeSampling: true", "activeSampling: false"));
        try (Running running = new Running(passive, assign -> 0)) {
            running.await(status -> status.message().contains("taught nothing"));
            RunStatus status = running.await(Phase.SUCCEEDED);

            assertThat(status.policyVersion()).isZero();
            assertThat(status.rewards()).containsExactly(0.0, 0.0, 0.0);
            assertThat(status.groups().filteredAllZero()).isEqualTo(6);
        }
    }

    @Test
    void whereEverythingIsSolvedTheRunPausesToo() throws Exception {
        try (Running running = new Running(configuration("a", 5, 1, ""), assign -> 1)) {
            assertThat(running.await(Phase.PAUSED).message()).contains("solve rate 1.000");
        }
    }

    @Test
    void whatIsNoNumberNeverReachesTheOptimizerAndPausesTheRun() throws Exception {
        RunConfiguration explosive = ConfigurationFile.parse(ConfigurationFile.write(configuration("a", 9, 0, ""))
                .replaceAll("learningRate: \\S+", "learningRate: 1e30"));
        try (Running running = new Running(explosive, Scripts::bySeed)) {
            RunStatus status = running.await(Phase.PAUSED);

            assertThat(status.message()).contains("3 steps in a row were skipped", "not finite");
            // The first step was a number still; after it there was none.
            assertThat(status.policyVersion()).isEqualTo(1);
            assertThat(status.step()).isEqualTo(1);
        }
    }

    @Test
    void aGuardrailPausesTheRunWithItsSignalInACheckpoint() throws Exception {
        String guardrails = "guardrails: {minEntropy: 100, action: PAUSE}";
        try (Running running = new Running(configuration("a", 5, 0, guardrails), Scripts::bySeed)) {
            RunStatus status = running.await(Phase.PAUSED);

            assertThat(status.guardrail().signal()).isEqualTo("minEntropy");
            assertThat(status.checkpoints())
                    .extracting(RunStatus.Snapshot::step)
                    .containsExactly(1);
        }
    }

    @Test
    void aGuardrailRollsBackOnceAndThenPauses() throws Exception {
        String guardrails = "guardrails: {minEntropy: 100, action: ROLLBACK}";
        runToTheEnd(configuration("a", 2, 0, ""));
        try (Running running = new Running(configuration("a", 6, 0, guardrails), Scripts::bySeed)) {
            RunStatus status = running.await(Phase.PAUSED);

            assertThat(status.message()).contains("soon after the run went back");
            assertThat(status.step()).isEqualTo(3);
            assertThat(Files.readAllLines(folder.resolve("a/metrics.jsonl"))).hasSize(3);
        }
    }

    @Test
    void aCheckpointCanBeAskedForAtAnyTime() throws Exception {
        RunConfiguration seldom = ConfigurationFile.parse(
                ConfigurationFile.write(configuration("a", 1000, 1, "")).replace("everySteps: 2", "everySteps: 1000"));
        try (Running running = new Running(seldom, Scripts::bySeed)) {
            running.await(status -> status.step() >= 1);
            running.requests.checkpoint();

            assertThat(running.await(status -> !status.checkpoints().isEmpty()).checkpoints())
                    .hasSize(1);
        }
    }

    @Test
    void heldOutEpisodesAreNeverTrainedOn() throws Exception {
        RunStatus status;
        try (Running running = new Running(
                configuration("a", 2, 0, ""),
                assign -> assign.getSplit() == TaskSplit.HELD_OUT ? 0.5 : Scripts.bySeed(assign))) {
            status = running.await(Phase.SUCCEEDED);
        }

        assertThat(status.heldOutBefore()).isEqualTo(0.5);
        assertThat(status.groups().trained()).isEqualTo(4);
    }

    @Test
    void aPromptLongerThanTheModelsContextIsRefusedWithFieldValueAndRemedy() {
        RunConfiguration configuration = ConfigurationFile.parse(ConfigurationFile.write(configuration("a", 2, 0, ""))
                .replace("maxPromptTokens: 64", "maxPromptTokens: 4096"));

        assertThatThrownBy(() -> runToTheEnd(configuration))
                .hasRootCauseInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("model.maxPromptTokens: '4096'")
                .hasMessageContaining("128 tokens");
    }

    @Test
    void anotherRunsCheckpointsAreNotTakenForOnesOwn() throws Exception {
        runToTheEnd(configuration("a", 2, 0, ""));
        RunConfiguration other = ConfigurationFile.parse(
                ConfigurationFile.write(configuration("a", 2, 0, "")).replace("run: test", "run: other"));

        assertThatThrownBy(() -> runToTheEnd(other)).hasMessageContaining("checkpoints of run 'test'");
    }

    @Test
    void tasksWhosePromptIsTooLongAreLeftOut() throws Exception {
        writeTask(tasks.resolve("task-long"), "word ".repeat(200));

        assertThat(runToTheEnd(configuration("a", 5, 0, "")).step()).isEqualTo(5);
    }
}
