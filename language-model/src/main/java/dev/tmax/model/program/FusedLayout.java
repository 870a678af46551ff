package dev.tmax.model.program;

import dev.tmax.model.LayerType;
import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.ParameterLayout;
import dev.tmax.model.ParameterLayout.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The matrices and vectors that the layers compute with, in the order in which programs take them: by layer, the parts of
 * its mixer ({@link AttentionSource}, {@link DeltaNetSource}) and of its feed-forward block ({@link FeedForwardSource});
 * then the final norm. Embedding and head stand outside of this list.
 */
public final class FusedLayout {
    /**
     * One matrix or vector, made of neighbours in the flat order.
     *
     * @param parameters its tensors, top to bottom
     * @param rows rows, or elements of a vector
     * @param columns columns, or 0 for a vector
     */
    public record Part(List<Parameter> parameters, long rows, long columns) {
        /** First element in the flat buffer. */
        public long offset() {
            return parameters.getFirst().offset();
        }

        public long elements() {
            return parameters.stream().mapToLong(Parameter::elements).sum();
        }

        public boolean isMatrix() {
            return columns > 0;
        }
    }

    private final List<Part> parts = new ArrayList<>();
    private final List<Integer> firstParts = new ArrayList<>();
    private final Part embedding;
    private final Part head;

    public FusedLayout(ModelConfiguration model, ParameterLayout layout) {
        List<Parameter> flat = layout.parameters();
        embedding = part(flat.subList(0, 1));
        int next = 1;
        for (LayerType type : model.layerTypes()) {
            firstParts.add(parts.size());
            for (int tensors : Stream.concat(mixerParts(model, type).stream(), FeedForwardSource.PARTS.stream())
                    .toList()) {
                parts.add(part(flat.subList(next, next + tensors)));
                next += tensors;
            }
        }
        parts.add(part(flat.subList(next, next + 1)));
        head = model.tied() ? embedding : part(flat.subList(next + 1, next + 2));
    }

    /** Parts of a layer's mixer; those of its feed-forward block follow. */
    public static int mixerSize(ModelConfiguration model, LayerType type) {
        return mixerParts(model, type).size();
    }

    /** How many tensors each part of a layer's mixer is made of. */
    static List<Integer> mixerParts(ModelConfiguration model, LayerType type) {
        return switch (type) {
            case ATTENTION -> AttentionSource.parts(model);
            case DELTA_NET -> DeltaNetSource.PARTS;
        };
    }

    /** Parts of all layers and the final norm. */
    static int size(ModelConfiguration model) {
        return 1
                + model.layerTypes().stream()
                        .mapToInt(type -> mixerParts(model, type).size() + FeedForwardSource.PARTS.size())
                        .sum();
    }

    private static Part part(List<Parameter> parameters) {
        List<Long> shape = parameters.getFirst().shape();
        long columns = shape.size() == 2 ? shape.get(1) : 0;
        long rows = parameters.stream().mapToLong(p -> p.shape().getFirst()).sum();
        return new Part(List.copyOf(parameters), rows, columns);
    }

    /** Parts of all layers and the final norm. */
    public List<Part> parts() {
        return List.copyOf(parts);
    }

    /** Index of each layer's first part. */
    public List<Integer> firstParts() {
        return List.copyOf(firstParts);
    }

    public Part embedding() {
        return embedding;
    }

    /** The head's matrix; the embedding if tied. */
    public Part head() {
        return head;
    }
}
