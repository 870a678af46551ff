package dev.tmax.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tmax.model.train.AdamW;
import dev.tmax.model.train.MicroBatch;
import dev.tmax.model.train.Sample;
import dev.tmax.model.train.TrainingEngine;
import dev.tmax.model.train.TrainingOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rotary scalings give transformers' log-probabilities, on the Llama fixture's weights. */
class RopeScalingTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    private Path folder;

    static Stream<String> variants() throws IOException {
        return expected().get("variants").propertyStream().map(variant -> variant.getKey());
    }

    private static JsonNode expected() throws IOException {
        return MAPPER.readTree(Files.readString(Fixture.folder().resolve("rope.json")));
    }

    @ParameterizedTest
    @MethodSource("variants")
    void scoresAsTransformersDoes(String variant) throws IOException {
        JsonNode expected = expected();
        JsonNode parameters = expected.at("/variants/" + variant + "/rope_parameters");
        JsonNode values = expected.at("/variants/" + variant + "/logProbabilities");
        int[] tokens = Fixture.ints(expected.get("tokens"));
        boolean[] generated = new boolean[tokens.length - 1];
        Arrays.fill(generated, true);
        MicroBatch batch = new MicroBatch(
                new int[] {tokens[0]}, List.of(new Sample(Arrays.copyOfRange(tokens, 1, tokens.length), generated)));
        try (TrainingEngine engine = TrainingEngine.open(
                model(parameters), new TrainingOptions(Precision.FP32, true, 1, AdamW.recipe(), 1))) {
            float[] actual = engine.evaluate(batch).logProbabilities();
            for (int i = 0; i < actual.length; i++) {
                assertThat(actual[i]).isCloseTo((float) values.get(i).asDouble(), within(1e-4f));
            }
        }
    }

    private ModelFolder model(JsonNode parameters) throws IOException {
        try (Stream<Path> files = Files.list(new Fixture("llama").modelPath())) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(file.getFileName()));
            }
        }
        Path file = folder.resolve("config.json");
        ObjectNode config = (ObjectNode) MAPPER.readTree(Files.readString(file));
        config.set("rope_parameters", parameters);
        Files.writeString(file, config.toString());
        return ModelFolder.open(folder);
    }
}
