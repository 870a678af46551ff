package dev.tmax.e2e.apiserver;

import dev.tmax.api.v1alpha1.Checkpoint;
import dev.tmax.api.v1alpha1.SandboxPool;
import dev.tmax.api.v1alpha1.TaskSet;
import dev.tmax.api.v1alpha1.TrainingRun;
import dev.tmax.api.v1alpha1.TrainingRunStatus.Phase;
import dev.tmax.contracts.status.RunStatus;
import dev.tmax.operator.run.children.RunNames;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The namespace of one test, and what a person and a kubelet do in it. */
final class Stage implements AutoCloseable {

    static final String RUN = "run";

    static final String RUN_YAML = """
            apiVersion: tmax.dev/v1alpha1
            kind: TrainingRun
            metadata: {name: run}
            spec:
              model:
                source: {image: "model:1"}
                maxPromptTokens: 256
                maxResponseTokens: 64
                maxTurnTokens: 64
              tasks: {taskSetRef: {name: tasks}}
              recipe:
                steps: 10
                promptsPerStep: 2
                groupSize: 4
                optimizer: {learningRate: "1e-5"}
              agent: {maxTurns: 1, systemPrompt: "Answer with one bash block."}
              checkpoints: {everySteps: 5}
            """;

    static final String TASKS_YAML = """
            apiVersion: tmax.dev/v1alpha1
            kind: TaskSet
            metadata: {name: tasks}
            spec:
              source: {image: "tasks:1"}
              path: train
            """;

    static final String GOOD_TASKS = """
            {"format":"Harbor","tasks":500,"invalid":0,"firstInvalid":[],"domains":{"files":500},"balance":1.0,\
            "duplicates":0,"nearDuplicates":3,"digest":"sha256:abc"}""";

    private final Cluster.Running cluster;
    private final KubernetesClient client;
    private final String namespace;
    private final Kubelet kubelet;
    private final List<ServedTrainer> trainers = new ArrayList<>();

    Stage(Cluster.Running cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
        this.namespace = cluster.newNamespace();
        this.kubelet = new Kubelet(client);
    }

    String namespace() {
        return namespace;
    }

    KubernetesClient client() {
        return client;
    }

    Kubelet kubelet() {
        return kubelet;
    }

    void apply(String yaml) {
        client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .inNamespace(namespace)
                .serverSideApply();
    }

    /** A task set that its Job has found good. */
    void applyGoodTasks() {
        apply(TASKS_YAML);
        judgeTasks("tasks", GOOD_TASKS);
    }

    /** Plays the indexing Job of a task set to its end. */
    void judgeTasks(String name, String summary) {
        Pod pod = Await.until(
                        "the indexing pod of " + name,
                        Await.SOON,
                        () -> pods("tmax.dev/task-set", name).stream()
                                .filter(found ->
                                        found.getStatus().getContainerStatuses().isEmpty())
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
        kubelet.ended(pod, "Succeeded", summary);
    }

    TrainingRun run() {
        return run(RUN);
    }

    TrainingRun run(String name) {
        return client.resources(TrainingRun.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    TrainingRun awaitRun(String what, Predicate<TrainingRun> condition) {
        return awaitRun(RUN, what, condition);
    }

    TrainingRun awaitRun(String name, String what, Predicate<TrainingRun> condition) {
        return Await.until(
                name + " " + what,
                Await.SOON,
                () -> run(name),
                run -> run != null && run.getStatus() != null && condition.test(run));
    }

    TrainingRun awaitPhase(Phase phase) {
        return awaitRun("is " + phase, run -> run.getStatus().phase() == phase);
    }

    static Condition condition(TrainingRun run, String type) {
        return run.getStatus().conditions().stream()
                .filter(condition -> type.equals(condition.getType()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no condition " + type + " in " + run.getStatus()));
    }

    /** Whether a run has this condition and it is True; a run without a status has none. */
    static boolean is(TrainingRun run, String type) {
        return run.getStatus() != null
                && run.getStatus().conditions().stream()
                        .anyMatch(
                                condition -> type.equals(condition.getType()) && "True".equals(condition.getStatus()));
    }

    /** Merges JSON into the run's spec, as {@code kubectl patch --type merge} does. */
    void patchRun(String specJson) {
        client.resources(TrainingRun.class)
                .inNamespace(namespace)
                .withName(RUN)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":" + specJson + "}");
    }

    void deleteRun() {
        client.resources(TrainingRun.class).inNamespace(namespace).withName(RUN).delete();
    }

    Pod awaitPod(String name) {
        return Await.until(
                "pod " + name + " exists",
                Await.SOON,
                () -> pod(name),
                pod -> pod != null
                        && pod.getMetadata().getDeletionTimestamp() == null
                        && !"Failed".equals(pod.getStatus().getPhase()));
    }

    Pod pod(String name) {
        return client.pods().inNamespace(namespace).withName(name).get();
    }

    List<Pod> pods() {
        return client.pods().inNamespace(namespace).list().getItems();
    }

    List<Pod> pods(String label, String value) {
        return client.pods()
                .inNamespace(namespace)
                .withLabel(label, value)
                .list()
                .getItems();
    }

    /** Pods of the run, without those of indexing Jobs. */
    List<Pod> podsOfRun() {
        return client.pods()
                .inNamespace(namespace)
                .withLabel("tmax.dev/run")
                .list()
                .getItems();
    }

    List<Pod> sandboxPods() {
        return client.pods()
                .inNamespace(Cluster.SANDBOX_NAMESPACE)
                .withLabel("tmax.dev/sandbox-pool", poolName())
                .list()
                .getItems();
    }

    String poolName() {
        return new RunNames(namespace, RUN, "", Cluster.SANDBOX_NAMESPACE).pool();
    }

    SandboxPool pool() {
        return client.resources(SandboxPool.class)
                .inNamespace(Cluster.SANDBOX_NAMESPACE)
                .withName(poolName())
                .get();
    }

    /** Writes the demand as the trainer does: by server-side apply under its own name. */
    void demand(String... entries) {
        String yaml = """
                apiVersion: tmax.dev/v1alpha1
                kind: SandboxPool
                metadata: {name: %s, namespace: %s}
                spec: {demand: [%s]}
                """.formatted(poolName(), Cluster.SANDBOX_NAMESPACE, String.join(", ", entries));
        SandboxPool pool = io.fabric8.kubernetes.client.utils.Serialization.unmarshal(yaml, SandboxPool.class);
        client.resource(pool)
                .patch(
                        new PatchContext.Builder()
                                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                                .withFieldManager("tmax-trainer")
                                .build(),
                        yaml);
    }

    List<Checkpoint> checkpoints() {
        return client.resources(Checkpoint.class).inNamespace(namespace).list().getItems();
    }

    TaskSet taskSet(String name) {
        return client.resources(TaskSet.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    /** The trainer's pod is there and ready, and its HTTP server says this. */
    ServedTrainer trainerSays(RunStatus status) {
        Pod pod = awaitPod(RUN + "-trainer-0");
        ServedTrainer trainer = new ServedTrainer(status);
        trainers.add(trainer);
        cluster.serve(namespace, pod.getMetadata().getName(), trainer.address());
        kubelet.ready(pod);
        return trainer;
    }

    void generatorsReady(int count) {
        for (int i = 0; i < count; i++) {
            kubelet.ready(awaitPod(RUN + "-generator-" + i));
        }
    }

    /** A run with everything ready, at a step. */
    ServedTrainer startRun(int step, RunStatus.Snapshot... snapshots) {
        applyGoodTasks();
        apply(RUN_YAML);
        ServedTrainer trainer = trainerSays(Statuses.at(RunStatus.Phase.RUNNING, step, snapshots));
        generatorsReady(2);
        awaitRun(
                "runs at step " + step,
                run -> run.getStatus().phase() == Phase.RUNNING
                        && Integer.valueOf(step).equals(run.getStatus().step())
                        && is(run, "Ready"));
        return trainer;
    }

    <T extends HasMetadata> T get(Class<T> kind, String name) {
        return client.resources(kind).inNamespace(namespace).withName(name).get();
    }

    @Override
    public void close() {
        client.resources(TrainingRun.class).inNamespace(namespace).delete();
        trainers.forEach(ServedTrainer::close);
        client.namespaces().withName(namespace).delete();
    }
}
