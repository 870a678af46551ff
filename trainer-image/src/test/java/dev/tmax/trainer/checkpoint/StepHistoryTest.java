package dev.tmax.trainer.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StepHistoryTest {

    private record Line(int step, double reward) {}

    @TempDir
    private Path folder;

    @Test
    void stepsThatWillBeMadeAgainAndCutLinesAreForgotten() throws IOException {
        StepHistory history = new StepHistory(folder);
        for (int step = 1; step <= 4; step++) {
            history.append(new Line(step, 0.5));
        }
        Files.writeString(folder.resolve("metrics.jsonl"), "{\"step\":5,\"rew", StandardOpenOption.APPEND);

        history.cutAfter(3);
        history.append(new Line(4, 0.75));

        assertThat(folder.resolve("metrics.jsonl")).hasContent("""
                        {"step":1,"reward":0.5}
                        {"step":2,"reward":0.5}
                        {"step":3,"reward":0.5}
                        {"step":4,"reward":0.75}
                        """);
    }

    @Test
    void aRunWithoutHistoryHasNothingToForget() throws IOException {
        new StepHistory(folder).cutAfter(0);

        assertThat(folder).isEmptyDirectory();
    }
}
