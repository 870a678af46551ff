package dev.tmax.model.program;

/** Root-mean-square norms (Zhang and Sennrich), in float32 over the last dimension. */
final class NormSource {
    private NormSource() {}

    /**
     * <ul>
     *   <li>{@code unit(x)}: {@code x} divided by its root mean square
     *   <li>{@code norm(x, gain)}: that, times the gain; zero-centred gains count from one
     * </ul>
     */
    static String methods(boolean zeroCentred) {
        return """
              def unit(SELF, x: Tensor) -> Tensor:
                return torch.mul(x, torch.rsqrt(torch.add(torch.mean(torch.mul(x, x), [-1], True), $EPSILON)))
              def norm(SELF, x: Tensor, gain: Tensor) -> Tensor:
                return torch.mul((self).unit(x), GAIN)
            """.replace("GAIN", zeroCentred ? "torch.add(torch.to(gain, $F32), 1)" : "gain");
    }
}
