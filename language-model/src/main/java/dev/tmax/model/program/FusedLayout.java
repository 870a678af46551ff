package dev.tmax.model.program;

import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.ParameterLayout;
import dev.tmax.model.ParameterLayout.Parameter;
import java.util.ArrayList;
import java.util.List;

/**
 * The matrices and vectors that the layers compute with, in the order in which programs take them: by layer, input norm,
 * fused query-key-value (and its bias), output, query and key norms, post-attention norm, fused gate-up, down; then the
 * final norm. Embedding and head stand outside of this list.
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
    private final Part embedding;
    private final Part head;

    public FusedLayout(ModelConfiguration model, ParameterLayout layout) {
        List<Parameter> flat = layout.parameters();
        embedding = part(flat.subList(0, 1));
        int next = 1;
        for (int layer = 0; layer < model.layers(); layer++) {
            for (int count : partSizes(model)) {
                parts.add(part(flat.subList(next, next + count)));
                next += count;
            }
        }
        parts.add(part(flat.subList(next, next + 1)));
        head = model.tied() ? embedding : part(flat.subList(next + 1, next + 2));
    }

    /** How many tensors each part of a layer is made of. */
    private static int[] partSizes(ModelConfiguration model) {
        List<Integer> sizes = new ArrayList<>(List.of(1, 3));
        if (model.attentionBias()) {
            sizes.add(3);
        }
        sizes.add(1);
        if (model.queryKeyNorm()) {
            sizes.addAll(List.of(1, 1));
        }
        sizes.addAll(List.of(1, 2, 1));
        return sizes.stream().mapToInt(Integer::intValue).toArray();
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

    public Part embedding() {
        return embedding;
    }

    /** The head's matrix; the embedding if tied. */
    public Part head() {
        return head;
    }
}
