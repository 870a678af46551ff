package dev.tmax.model.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.model.Fixture;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.PublishedConfigurations;
import dev.tmax.model.weights.WeightSource;
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
    void inspectsAConfigurationWithoutWeights() {
        String folder = PublishedConfigurations.QWEN3_5_27B.path().toString();
        assertThat(run("inspect", folder, "--tokens", "2048", "--sequences", "16"))
                .isZero();
        assertThat(out.toString())
                .contains(
                        "parameters     26,895,998,464",
                        "attention      16 layers, 24 heads, 4 key/value heads of size 256, normalised, gated",
                        "delta net      48 layers",
                        "weights        none in the folder",
                        "activations for a row of 2,048 tokens",
                        "for 16 sequences of 2,048 tokens");
    }

    @Test
    void inspectsAMultiModalModelAndSaysWhatItLeftOut() {
        assertThat(run("inspect", new Fixture("qwen3_5_vision").modelPath().toString()))
                .isZero();
        assertThat(out.toString()).containsPattern("left out       [0-9]+ tensors model.visual.\\*");
    }

    @Test
    void exportsTheTextPartOfAMultiModalModel() {
        String source = new Fixture("qwen3_5_vision").modelPath().toString();
        assertThat(run("export", source, folder.resolve("text").toString())).isZero();
        ModelFolder text = ModelFolder.open(folder.resolve("text"));
        WeightSource expected = new Fixture("qwen3_5_vision").model().weights();
        assertThat(text.leftOut()).isEmpty();
        for (String name : text.weights().names()) {
            assertThat(text.weights()
                            .tensor(name)
                            .data()
                            .mismatch(expected.tensor(name).data()))
                    .as(name)
                    .isEqualTo(-1);
        }
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
        assertThat(bench("--rows=decode-b1,decode-b2,train-9,train-group")).isZero();
        assertThat(out.toString()).contains("decode-b1", "decode-b2", "train-9", "train-group");
    }

    @Test
    void measuresWhatItIsAskedFor() {
        type("train-group\ndecode-b2\n");
        assertThat(bench("--ask")).isZero();
        assertThat(out.toString().lines()).hasSize(2).last().asString().startsWith("decode-b2");
    }

    @Test
    void refusesToMeasureWhatItDoesNotKnow() {
        assertThat(bench("--rows=decode-bx")).isEqualTo(1);
        assertThat(err.toString()).contains("row 'decode-bx'");
    }

    private int bench(String rows) {
        return run(
                "bench",
                new Fixture("llama").modelPath().toString(),
                rows,
                "--groups=2",
                "--prompt=8",
                "--new=4",
                "--samples=2",
                "--response=3");
    }
}
