package dev.tmax.model;

import dev.tmax.model.text.ChatTemplate;
import dev.tmax.model.text.Tokenizer;
import dev.tmax.model.weights.ElementType;
import dev.tmax.model.weights.NamedTensor;
import dev.tmax.model.weights.SafetensorsFiles;
import dev.tmax.model.weights.WeightSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A model on disk in Hugging Face layout: configuration, tokenizer, chat template and weights, checked to fit. */
public final class ModelFolder {
    private static final Set<ElementType> WEIGHT_TYPES = Set.of(ElementType.F32, ElementType.BF16, ElementType.F16);

    private final Path path;
    private final ModelConfiguration configuration;
    private final ParameterLayout layout;
    private final Tokenizer tokenizer;
    private final ChatTemplate chatTemplate;
    private final Path weightsFile;
    private final TextModel.Weights weights;

    private ModelFolder(Path path) {
        this.path = path;
        configuration = ConfigurationReader.read(required(path, "config.json"));
        layout = ParameterLayout.of(configuration);
        SafetensorsFiles files = SafetensorsFiles.inFolder(path);
        weightsFile = files.description();
        weights = TextModel.Weights.of(files);
        checkWeights();
        tokenizer = Tokenizer.read(required(path, "tokenizer.json"));
        chatTemplate = ChatTemplate.inFolder(path);
    }

    /**
     * Opens a folder. Weights are memory-mapped, not read.
     *
     * @throws ModelFormatException if a file is missing or damaged, the architecture is not supported, or a tensor is
     *     missing or has the wrong shape or type
     */
    public static ModelFolder open(Path path) {
        if (!Files.isDirectory(path)) {
            throw new ModelFormatException(path, "no such folder; give a folder in Hugging Face layout");
        }
        return new ModelFolder(path);
    }

    /** What a folder's {@code config.json} says, whether its weights are there or not. */
    public static ModelConfiguration configuration(Path path) {
        return ConfigurationReader.read(required(path, "config.json"));
    }

    /** The tensors that a folder's {@code config.json} asks for, whether its weights are there or not. */
    public static ParameterLayout layout(Path path) {
        return ParameterLayout.of(configuration(path));
    }

    /** Whether there are weights in a folder, complete or not. */
    public static boolean holdsWeights(Path path) {
        return SafetensorsFiles.areIn(path);
    }

    private static Path required(Path path, String name) {
        Path file = path.resolve(name);
        if (!Files.isRegularFile(file)) {
            throw new ModelFormatException(file, "missing; copy it from where the model came from");
        }
        return file;
    }

    private void checkWeights() {
        Set<String> present = new HashSet<>(weights.names());
        for (ParameterLayout.Parameter parameter : layout.parameters()) {
            if (!present.remove(parameter.name())) {
                throw new ModelFormatException(
                        weightsFile,
                        "tensor " + parameter.name() + ": missing; expected shape " + parameter.shape()
                                + ". Is config.json of another model?");
            }
            NamedTensor tensor = weights.tensor(parameter.name());
            if (!tensor.shape().equals(parameter.shape())) {
                throw new ModelFormatException(
                        weightsFile,
                        "tensor " + parameter.name() + ": shape " + tensor.shape() + ", expected " + parameter.shape()
                                + " by config.json");
            }
            if (!WEIGHT_TYPES.contains(tensor.type())) {
                throw new ModelFormatException(
                        weightsFile,
                        "tensor " + parameter.name() + ": type " + tensor.type() + ", expected one of " + WEIGHT_TYPES);
            }
        }
        // A tied model may carry its head a second time; rotary tables of old files are recomputed.
        present.removeIf(name -> name.equals(ParameterLayout.HEAD) || name.endsWith("rotary_emb.inv_freq"));
        if (!present.isEmpty()) {
            throw new ModelFormatException(
                    weightsFile,
                    "tensor " + present.iterator().next() + ": not part of "
                            + configuration.architecture().className() + " (" + present.size()
                            + " such tensors). Is config.json of another model?");
        }
    }

    public Path path() {
        return path;
    }

    public ModelConfiguration configuration() {
        return configuration;
    }

    /** The model's tensors in flat order. */
    public ParameterLayout layout() {
        return layout;
    }

    public Tokenizer tokenizer() {
        return tokenizer;
    }

    public ChatTemplate chatTemplate() {
        return chatTemplate;
    }

    /** The text part's tensors. */
    public WeightSource weights() {
        return weights;
    }

    /** Tensors of parts that text does not need (vision tower, prediction of several tokens): pattern to number. */
    public Map<String, Integer> leftOut() {
        return Collections.unmodifiableMap(weights.leftOut());
    }

    /** Number of weights; a tied head counts once. */
    public long parameters() {
        return layout.elements();
    }
}
