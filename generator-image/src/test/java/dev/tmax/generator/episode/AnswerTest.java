package dev.tmax.generator.episode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "```bash\nls -l\n```",
                "```bash\nls -l\n```\n",
                "I look first.\n\n```bash\nls -l\n```\nThat is all.",
                "```bash \nls -l\n``` ",
                "For example:\n```\nrm x\n```\nbut rather\n```bash\nls -l\n```",
                "```python\nprint('```bash')\n```\n```bash\nls -l\n```",
            })
    void takesTheOneBashBlock(String turn) {
        assertThat(Answer.of(turn)).isEqualTo(new Answer.Command("ls -l"));
    }

    @Test
    void keepsTheBlockAsItIs() {
        assertThat(Answer.of("```bash\ncat <<'END'\n  ```x\n\tindented\n\nEND\n```\n"))
                .isEqualTo(new Answer.Command("cat <<'END'\n  ```x\n\tindented\n\nEND"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "ls -l", "```\nls\n```", "```sh\nls\n```", "say ```bash ls``` so", "```python\n```bash\n"})
    void asksForABlockWhereThereIsNone(String turn) {
        assertThat(Answer.of(turn))
                .isInstanceOfSatisfying(
                        Answer.Malformed.class,
                        malformed -> assertThat(malformed.reminder())
                                .contains("no bash block")
                                .contains("```bash\nyour command\n```"));
    }

    @Test
    void refusesSeveralBlocks() {
        assertThat(Answer.of("```bash\na\n```\n```bash\nb\n```\n"))
                .isInstanceOfSatisfying(
                        Answer.Malformed.class,
                        malformed -> assertThat(malformed.reminder()).contains("2 bash blocks"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"```bash\nls", "```bash\na\n```\n```bash\nb", "```bash\nls```"})
    void runsNothingOfAnUnclosedBlock(String turn) {
        assertThat(Answer.of(turn))
                .isInstanceOfSatisfying(
                        Answer.Malformed.class,
                        malformed -> assertThat(malformed.reminder()).contains("not closed"));
    }
}
