package dev.tmax.model.train;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tmax.model.ModelFormatException;
import dev.tmax.model.ParameterLayout;
import dev.tmax.model.weights.ElementType;
import dev.tmax.model.weights.NamedTensor;
import dev.tmax.model.weights.SafetensorsFiles;
import dev.tmax.model.weights.SafetensorsWriter;
import dev.tmax.model.weights.WeightSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A training state on disk: three float32 safetensors files and a small JSON file. */
record TrainingStateFiles(Path folder) {
    private static final String MASTER = "master.safetensors";
    private static final String FIRST_MOMENT = "first-moment.safetensors";
    private static final String SECOND_MOMENT = "second-moment.safetensors";
    private static final String PROGRESS = "training-state.json";

    /**
     * How far training had come.
     *
     * @param version policy version
     * @param optimizerSteps steps that the moments' bias correction counts
     */
    record Progress(long version, long optimizerSteps) {}

    /** What was read: memory-mapped, all shapes checked. */
    record Saved(
            ParameterLayout layout,
            WeightSource master,
            WeightSource firstMoment,
            WeightSource secondMoment,
            Progress progress) {
        void copy(WeightSource from, MemorySegment flat) {
            for (ParameterLayout.Parameter parameter : layout.parameters()) {
                flat.asSlice(parameter.offset() * Float.BYTES, parameter.elements() * Float.BYTES)
                        .copyFrom(from.tensor(parameter.name()).data());
            }
        }
    }

    void write(
            List<NamedTensor> master,
            List<NamedTensor> firstMoment,
            List<NamedTensor> secondMoment,
            Progress progress) {
        try {
            Files.createDirectories(folder);
            SafetensorsWriter.write(folder.resolve(MASTER), master, Map.of());
            SafetensorsWriter.write(folder.resolve(FIRST_MOMENT), firstMoment, Map.of());
            SafetensorsWriter.write(folder.resolve(SECOND_MOMENT), secondMoment, Map.of());
            Files.writeString(folder.resolve(PROGRESS), new ObjectMapper().writeValueAsString(progress));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Saved read(ParameterLayout layout) {
        return new Saved(
                layout, open(MASTER, layout), open(FIRST_MOMENT, layout), open(SECOND_MOMENT, layout), progress());
    }

    private Progress progress() {
        Path file = required(PROGRESS);
        try {
            return new ObjectMapper().readValue(Files.readString(file), Progress.class);
        } catch (IOException e) {
            throw new ModelFormatException(file, "not a training state: " + e.getMessage(), e);
        }
    }

    private WeightSource open(String name, ParameterLayout layout) {
        Path file = required(name);
        SafetensorsFiles tensors = SafetensorsFiles.file(file);
        Set<String> names = new HashSet<>(tensors.names());
        for (ParameterLayout.Parameter parameter : layout.parameters()) {
            if (!names.contains(parameter.name())) {
                throw new ModelFormatException(
                        file, "tensor " + parameter.name() + ": missing; the state is of another model");
            }
            NamedTensor tensor = tensors.tensor(parameter.name());
            if (tensor.type() != ElementType.F32 || !tensor.shape().equals(parameter.shape())) {
                throw new ModelFormatException(
                        file,
                        "tensor " + parameter.name() + ": " + tensor.type() + tensor.shape() + ", expected F32"
                                + parameter.shape() + "; the state is of another model");
            }
        }
        return tensors;
    }

    private Path required(String name) {
        Path file = folder.resolve(name);
        if (!Files.isRegularFile(file)) {
            throw new ModelFormatException(file, "missing; the training state is incomplete, use another checkpoint");
        }
        return file;
    }
}
