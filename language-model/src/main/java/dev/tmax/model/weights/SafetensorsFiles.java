package dev.tmax.model.weights;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tmax.model.ModelFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The safetensors file or files of a model folder: {@code model.safetensors}, or shards named by an index. */
public final class SafetensorsFiles implements WeightSource {
    private static final String SINGLE = "model.safetensors";
    private static final String INDEX = "model.safetensors.index.json";

    private final Map<String, NamedTensor> tensors;
    private final Path description;

    private SafetensorsFiles(Map<String, NamedTensor> tensors, Path description) {
        this.tensors = tensors;
        this.description = description;
    }

    /** Whether a folder has a single file or an index. */
    public static boolean areIn(Path folder) {
        return Files.isRegularFile(folder.resolve(SINGLE)) || Files.isRegularFile(folder.resolve(INDEX));
    }

    /**
     * Maps the weights of a folder.
     *
     * @throws ModelFormatException if there are none, a shard is missing, or a file does not add up
     */
    public static SafetensorsFiles inFolder(Path folder) {
        if (Files.isRegularFile(folder.resolve(SINGLE))) {
            return file(folder.resolve(SINGLE));
        }
        if (Files.isRegularFile(folder.resolve(INDEX))) {
            return sharded(folder.resolve(INDEX));
        }
        throw new ModelFormatException(
                folder, "no " + SINGLE + " and no " + INDEX + "; point to a folder in Hugging Face layout");
    }

    /** Maps one file. */
    public static SafetensorsFiles file(Path file) {
        Map<String, NamedTensor> tensors = new LinkedHashMap<>();
        addAll(tensors, SafetensorsFile.open(file));
        return new SafetensorsFiles(tensors, file);
    }

    private static SafetensorsFiles sharded(Path index) {
        JsonNode map = weightMap(index);
        TreeSet<String> shards = new TreeSet<>();
        map.forEach(shard -> shards.add(shard.asText()));
        Map<String, NamedTensor> tensors = new LinkedHashMap<>();
        for (String shard : shards) {
            Path file = index.resolveSibling(shard);
            if (!Files.isRegularFile(file)) {
                throw new ModelFormatException(
                        index, "names the shard " + shard + ", which is missing; copy it beside");
            }
            SafetensorsFile opened = SafetensorsFile.open(file);
            for (String name : opened.names()) {
                if (tensors.containsKey(name)) {
                    throw new ModelFormatException(
                            file, "tensor " + name + ": is in another shard too; download the shards again");
                }
            }
            addAll(tensors, opened);
        }
        for (Map.Entry<String, JsonNode> entry : map.properties()) {
            if (!tensors.containsKey(entry.getKey())) {
                throw new ModelFormatException(
                        index,
                        "tensor " + entry.getKey() + " is not in "
                                + entry.getValue().asText());
            }
        }
        return new SafetensorsFiles(tensors, index);
    }

    private static JsonNode weightMap(Path index) {
        try {
            JsonNode map = new ObjectMapper().readTree(Files.readString(index)).path("weight_map");
            if (map.isObject() && !map.isEmpty()) {
                return map;
            }
        } catch (JsonProcessingException e) {
            throw new ModelFormatException(index, "not JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new ModelFormatException(index, "weight_map: missing or empty; expected tensor names to file names");
    }

    private static void addAll(Map<String, NamedTensor> tensors, SafetensorsFile file) {
        file.names().forEach(name -> tensors.put(name, file.tensor(name)));
    }

    /** The file that lists the tensors: the single file, or the index. For messages. */
    public Path description() {
        return description;
    }

    @Override
    public List<String> names() {
        return List.copyOf(tensors.keySet());
    }

    @Override
    public NamedTensor tensor(String name) {
        NamedTensor tensor = tensors.get(name);
        if (tensor == null) {
            throw new IllegalArgumentException(description + ": no tensor " + name);
        }
        return tensor;
    }
}
