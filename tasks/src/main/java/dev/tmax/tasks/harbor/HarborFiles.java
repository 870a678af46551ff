package dev.tmax.tasks.harbor;

import dev.tmax.tasks.Step;
import dev.tmax.tasks.StepFiles;
import dev.tmax.tasks.archive.FolderTar;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the files of a step are.
 *
 * @param testFolders the task's and the step's, as far as there are; files of the latter replace those of the former
 * @param solutionFolder holds {@code solve.sh}
 * @param workdirFolder of a step
 */
record HarborFiles(List<Path> testFolders, Optional<Path> solutionFolder, Optional<Path> workdirFolder)
        implements StepFiles {

    private static final String SOLUTION = "solve.sh";

    /** Of a task of one step. */
    static HarborFiles ofTask(Path task) {
        return new HarborFiles(folders(task.resolve("tests")), solution(task.resolve("solution")), Optional.empty());
    }

    /** Of one of several steps. */
    static HarborFiles ofStep(Path task, Path step) {
        return new HarborFiles(
                folders(task.resolve("tests"), step.resolve("tests")),
                // As the format's oracle does: a step without a folder of its own has the solution of the task.
                Files.isDirectory(step.resolve("solution"))
                        ? solution(step.resolve("solution"))
                        : solution(task.resolve("solution")),
                folders(step.resolve("workdir")).stream().findFirst());
    }

    private static List<Path> folders(Path... folders) {
        return Stream.of(folders).filter(Files::isDirectory).toList();
    }

    private static Optional<Path> solution(Path folder) {
        return Files.isRegularFile(folder.resolve(SOLUTION)) ? Optional.of(folder) : Optional.empty();
    }

    @Override
    public byte[] tests() {
        return FolderTar.ofAll(testFolders);
    }

    @Override
    public Optional<byte[]> solution() {
        return solutionFolder.map(FolderTar::of);
    }

    @Override
    public boolean hasSolution() {
        return solutionFolder.isPresent();
    }

    @Override
    public Optional<byte[]> workdir() {
        return workdirFolder.map(FolderTar::of);
    }

    @Override
    public boolean hasSetup() {
        return workdirFolder.isPresent()
                && Files.isRegularFile(workdirFolder.get().resolve(Step.SETUP));
    }
}
