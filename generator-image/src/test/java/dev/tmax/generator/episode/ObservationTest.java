package dev.tmax.generator.episode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.sandboxes.CommandResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ObservationTest {

    @Test
    void tellsStatusAndOutput() {
        assertThat(Observation.of(result(2, "ls: no such file\n", "")))
                .isEqualTo("Exit status: 2\nOutput:\nls: no such file");
    }

    @Test
    void saysThatThereWasNoOutput() {
        assertThat(Observation.of(result(0, "", ""))).isEqualTo("Exit status: 0\nNo output.");
    }

    @Test
    void passesOnWhatTheSandboxHasToSay() {
        assertThat(Observation.of(result(124, "half", "The command was ended after 5 s.")))
                .isEqualTo("Exit status: 124\nThe command was ended after 5 s.\nOutput:\nhalf");
    }

    @Test
    void takesTheWordOnlyOnTheFirstLineAndAlone() {
        assertThat(Observation.submits(result(0, "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\nmy answer\n", "")))
                .isTrue();
        assertThat(Observation.submits(result(0, "well\nCOMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n", "")))
                .isFalse();
        assertThat(Observation.submits(result(0, "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n", "")))
                .isFalse();
        assertThat(Observation.submits(result(0, "", ""))).isFalse();
    }

    private static CommandResult result(int exitCode, String output, String notice) {
        return new CommandResult(
                CommandResult.Ending.COMPLETED,
                exitCode,
                output,
                output.length(),
                false,
                Duration.ofMillis(3),
                "/",
                false,
                notice);
    }
}
