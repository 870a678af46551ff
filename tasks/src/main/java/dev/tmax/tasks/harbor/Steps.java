package dev.tmax.tasks.harbor;

import dev.tmax.tasks.Agent;
import dev.tmax.tasks.Artifact;
import dev.tmax.tasks.Step;
import dev.tmax.tasks.Verifier;
import dev.tmax.tasks.reading.Problems;
import dev.tmax.tasks.reading.Scripts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Reads what the agent is asked to do: the task's one step, or the list {@code steps} with the folders of that name. */
final class Steps {
    private final Path folder;
    private final Section root;
    private final Verifiers verifiers;
    private final Problems problems;

    Steps(Path folder, Section root, Verifiers verifiers, Problems problems) {
        this.folder = folder;
        this.root = root;
        this.verifiers = verifiers;
        this.problems = problems;
    }

    List<Step> read() {
        Agent agent = agent(root.sectionOrEmpty("agent"));
        Verifier verifier = verifiers.ofTask();
        List<Artifact> artifacts = Artifacts.read(root);
        List<Section> sections = root.sections("steps");
        if (sections.isEmpty()) {
            return List.of(only(agent, verifier, artifacts));
        }
        StepNames names = new StepNames();
        List<Step> steps = new ArrayList<>();
        for (Section section : sections) {
            names.read(section).ifPresent(name -> steps.add(step(section, name, agent, verifier, artifacts)));
        }
        return steps;
    }

    private Step only(Agent agent, Verifier verifier, List<Artifact> artifacts) {
        Scripts scripts = new Scripts(folder, problems);
        scripts.checkTests(List.of("tests"), bundled(verifier));
        scripts.checkSolution("solution");
        return new Step(
                "",
                Instruction.read(folder, Instruction.FILE, problems),
                agent,
                verifier,
                Optional.empty(),
                artifacts,
                OptionalDouble.empty(),
                HarborFiles.ofTask(folder));
    }

    private Step step(Section section, String name, Agent task, Verifier taskVerifier, List<Artifact> taskArtifacts) {
        String place = "steps/" + name;
        Path directory = folder.resolve(place);
        if (!Files.isDirectory(directory)) {
            section.report("name", "has no folder " + place, "add it, with the step's instruction.md");
        }
        Verifier verifier = verifiers.ofStep(section, directory.resolve("tests"), taskVerifier);
        Scripts scripts = new Scripts(folder, problems);
        scripts.checkTests(List.of("tests", place + "/tests"), bundled(verifier));
        scripts.checkSolution(place + "/solution");
        scripts.checkSolution("solution");
        scripts.checkWorkdir(place + "/workdir");
        Agent own = agent(section.sectionOrEmpty("agent"));
        return new Step(
                name,
                Instruction.read(folder, place + "/" + Instruction.FILE, problems),
                new Agent(
                        own.timeout().or(task::timeout),
                        own.user().or(task::user),
                        own.network().or(task::network)),
                verifier,
                HealthChecks.read(section),
                Stream.concat(taskArtifacts.stream(), Artifacts.read(section).stream())
                        .toList(),
                minReward(section),
                HarborFiles.ofStep(folder, directory));
    }

    private static boolean bundled(Verifier verifier) {
        return verifier.separate().map(Verifier.Separate::bundlesTests).orElse(false);
    }

    private static Agent agent(Section section) {
        return new Agent(section.seconds("timeout_sec"), Users.read(section), NetworkRules.read(section));
    }

    /** A number, or a table whose key {@code reward} is that number; verification here gives no other rewards. */
    private static OptionalDouble minReward(Section section) {
        if (!section.isTable("min_reward")) {
            return section.anyNumber("min_reward");
        }
        Section rewards = section.sectionOrEmpty("min_reward");
        rewards.keys().stream()
                .filter(key -> !key.equals("reward"))
                .forEach(key -> rewards.report(
                        key, "rewards other than 'reward' are not supported", "write min_reward = 0.5 instead"));
        return rewards.anyNumber("reward");
    }
}
