package dev.tmax.model;

/**
 * Sizes of the gated delta-net layers of a model (Yang et al., Gated Delta Networks). Each value head keeps a matrix
 * {@code [keyHeadSize, valueHeadSize]} that is faded, corrected and read at every token; query, key and value pass a short
 * causal convolution first.
 *
 * @param keyHeads query and key heads; divides {@code valueHeads}
 * @param valueHeads value heads, and matrices
 * @param keyHeadSize width of a query or key head
 * @param valueHeadSize width of a value head
 * @param taps tokens that the convolution sees, the present one included
 */
public record DeltaNet(int keyHeads, int valueHeads, int keyHeadSize, int valueHeadSize, int taps) {
    /** Width of all query heads, and of all key heads. */
    public int keySize() {
        return keyHeads * keyHeadSize;
    }

    /** Width of all value heads, and of the output gate. */
    public int valueSize() {
        return valueHeads * valueHeadSize;
    }

    /** Channels of the convolution: query, key and value. */
    public int channels() {
        return 2 * keySize() + valueSize();
    }

    /** Rows of the fused projection: convolved channels, output gate, and the two gates of each value head. */
    public int projectionRows() {
        return channels() + valueSize() + 2 * valueHeads;
    }

    /** Elements of the recurrent matrices of one layer and sequence. */
    public long stateElements() {
        return (long) valueSize() * keyHeadSize;
    }

    /** Elements of one layer's and sequence's convolution window before the present token. */
    public long windowElements() {
        return (long) (taps - 1) * channels();
    }
}
