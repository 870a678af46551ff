package dev.tmax.model.weights;

import java.util.List;

/** Named tensors of a whole model, from a folder, a training engine's snapshot, or bytes received from a peer. */
public interface WeightSource {
    /** Names in file order. */
    List<String> names();

    /**
     * The tensor of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    NamedTensor tensor(String name);

    /** Bytes of all tensors together. */
    default long totalBytes() {
        return names().stream()
                .mapToLong(name -> tensor(name).data().byteSize())
                .sum();
    }
}
