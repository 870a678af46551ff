package dev.tmax.model.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.model.Fixture;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelCommandTest {
    private final InputStream input = System.in;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @AfterEach
    void restoreInput() {
        System.setIn(input);
    }

    private int run(String... arguments) {
        return ModelCommand.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private static void type(String text) {
        System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void inspectsAModel() {
        assertThat(run("inspect", new Fixture("qwen3").modelPath().toString())).isZero();
        assertThat(out.toString()).contains("Qwen3ForCausalLM", "heads of size 16, normalised");
    }

    @Test
    void saysInOneLineWhatIsWrongWithAModel() {
        assertThat(run("inspect", folder.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("config.json: missing").hasLineCount(1);
    }

    @Test
    void importsAGgufFile() {
        Path file = Fixture.folder().resolve("gguf/model.gguf");
        assertThat(run("import-gguf", file.toString(), folder.resolve("model").toString()))
                .isZero();
        assertThat(out.toString()).contains("parameters");
        assertThat(folder.resolve("model/model.safetensors")).exists();
    }

    @Test
    void scoresTheTokensOfAText() {
        type("ls -la");
        assertThat(run("score", new Fixture("llama").modelPath().toString())).isZero();
        assertThat(out.toString()).containsPattern("-\\d+\\.\\d+ +mean of \\d+ tokens");
    }

    @Test
    void talksTurnByTurnWithARandomModel() {
        String model = folder.resolve("random").toString();
        assertThat(run("random", model, "--layers", "1", "--vocabulary", "300")).isZero();
        type("hello\nand again\n");
        assertThat(run("chat", model, "--max-tokens", "5", "--context", "200")).isZero();
        assertThat(out.toString().lines().count()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void measuresSpeed() {
        assertThat(run(
                        "bench",
                        new Fixture("llama").modelPath().toString(),
                        "--batches=1,2",
                        "--prompt=8",
                        "--new=4",
                        "--samples=2",
                        "--response=3"))
                .isZero();
        assertThat(out.toString()).contains("decode-b1", "decode-b2", "train-group");
    }
}
