package dev.tmax.sandboxes;

import dev.tmax.sandboxes.local.LocalSandbox;
import dev.tmax.sandboxes.tar.TarWriter;
import dev.tmax.sandboxes.verify.Outcome;
import dev.tmax.sandboxes.verify.Verification;
import dev.tmax.sandboxes.verify.VerifierRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the phases of attempts on this machine, one attempt at a time, and prints a row of JSON for each: milliseconds of
 * wall time at the median and at 90 %, and of processor time on average.
 *
 * <p>Arguments: how many attempts; the file in which the control group of this process counts its processor time in
 * nanoseconds. {@code benchmarks/sandboxes.sh} gives both.
 */
final class SandboxBenchmark {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int WARM_UP = 20;

    private static final byte[] TESTS = new TarWriter()
            .file(
                    "test.sh",
                    0755,
                    "#!/bin/bash\n[ \"$(cat n)\" = 5 ] && echo 1 >/logs/verifier/reward.txt\n"
                            .getBytes(StandardCharsets.UTF_8))
            .toByteArray();

    private final Path processorTime;
    private final Map<String, List<Sample>> samples = new LinkedHashMap<>();

    private SandboxBenchmark(Path processorTime) {
        this.processorTime = processorTime;
    }

    private record Sample(double wallMillis, double cpuMillis) {}

    @FunctionalInterface
    private interface Phase {
        void run() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        int attempts = Integer.parseInt(arguments[0]);
        Path state = Files.createTempDirectory(Path.of("/var/tmp"), "tmax-benchmark-");
        SandboxBenchmark benchmark = new SandboxBenchmark(Path.of(arguments[1]));
        try (LocalSandbox sandbox = LocalSandbox.open(RootFileSystems.DEBIAN.folder(), state)) {
            for (int i = 0; i < WARM_UP + attempts; i++) {
                if (i == WARM_UP) {
                    benchmark.samples.clear();
                }
                benchmark.attempt(sandbox, "attempt-" + i);
            }
        }
        benchmark.print();
    }

    private void attempt(Sandbox sandbox, String cell) throws Exception {
        measure("make a cell", () -> sandbox.createCell(CellSpec.of(cell).withWorkdir("/work")));
        measure("first command", () -> sandbox.run(cell, CommandRequest.of("1", "echo 5 >n", LONG)));
        measure("second command", () -> sandbox.run(cell, CommandRequest.of("2", "ls", LONG)));
        measure("verification, Fresh", () -> {
            Outcome outcome = Verification.fresh(sandbox, cell, VerifierRequest.of(TESTS, LONG, "/work"));
            if (!(outcome instanceof Outcome.Rewarded rewarded) || rewarded.reward() != 1) {
                throw new IllegalStateException("the verification gave " + outcome);
            }
        });
        measure("delete the cell", () -> sandbox.deleteCell(cell));
    }

    private void measure(String name, Phase phase) throws Exception {
        long cpu = cpuNanos();
        long began = System.nanoTime();
        phase.run();
        double wall = (System.nanoTime() - began) / 1e6;
        samples.computeIfAbsent(name, key -> new ArrayList<>()).add(new Sample(wall, (cpuNanos() - cpu) / 1e6));
    }

    private long cpuNanos() throws Exception {
        return Long.parseLong(Files.readString(processorTime).strip());
    }

    private void print() {
        samples.forEach((name, list) -> {
            double[] wall = list.stream().mapToDouble(Sample::wallMillis).toArray();
            Arrays.sort(wall);
            double cpu = list.stream().mapToDouble(Sample::cpuMillis).average().orElse(0);
            System.out.printf(
                    "{\"name\": \"%s\", \"count\": %d, \"wallMsP50\": %.1f, \"wallMsP90\": %.1f, \"cpuMs\": %.1f}%n",
                    name, wall.length, wall[wall.length / 2], wall[wall.length * 9 / 10], cpu);
        });
    }
}
