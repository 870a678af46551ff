package dev.tmax.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tmax.model.train.MicroBatch;
import dev.tmax.model.train.Sample;
import dev.tmax.model.weights.NamedTensor;
import dev.tmax.model.weights.SafetensorsFiles;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A small random model and what transformers computed on it; made by {@code fixtures/make.py}. */
public record Fixture(String name) {
    public static Path folder() {
        try {
            return Path.of(Fixture.class.getResource("/fixtures").toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    public Path modelPath() {
        return folder().resolve(name).resolve("model");
    }

    public ModelFolder model() {
        return ModelFolder.open(modelPath());
    }

    /** A prompt with three samples, the tokens of some of which count as generated. */
    public MicroBatch group() throws IOException {
        JsonNode json = new ObjectMapper()
                .readTree(Files.readString(folder().resolve(name).resolve("group.json")));
        List<Sample> samples = new ArrayList<>();
        for (JsonNode sample : json.get("samples")) {
            JsonNode flags = sample.get("generated");
            boolean[] generated = new boolean[flags.size()];
            for (int i = 0; i < generated.length; i++) {
                generated[i] = flags.get(i).asBoolean();
            }
            samples.add(new Sample(ints(sample.get("tokens")), generated));
        }
        return new MicroBatch(ints(json.get("prompt")), samples);
    }

    public static int[] ints(JsonNode array) {
        int[] values = new int[array.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = array.get(i).asInt();
        }
        return values;
    }

    public float[] floats(String tensor) {
        return expected(tensor).data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
    }

    public int[] greedy() {
        return Arrays.stream(expected("greedy").data().toArray(ValueLayout.JAVA_LONG_UNALIGNED))
                .mapToInt(Math::toIntExact)
                .toArray();
    }

    public NamedTensor expected(String tensor) {
        return SafetensorsFiles.file(folder().resolve(name).resolve("expected.safetensors"))
                .tensor(tensor);
    }
}
