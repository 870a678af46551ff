package dev.tmax.model.program;

import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.torch.Scope;
import dev.tmax.model.torch.Value;

/**
 * Cosines and sines of the rotary positions, {@code [positions, rotarySize]} float32. The halves of a head's turned
 * part are turned as pairs: {@code x · cosine + swapHalves(x) · sine}, where the sine of the first half has the minus sign.
 *
 * <p>Source: Su et al., RoFormer; the half-split layout of Hugging Face checkpoints.
 */
public record RotaryTable(Value cosine, Value sine) {
    /** The table of positions 0 to {@code positions - 1}. */
    public static RotaryTable of(ModelConfiguration model, int positions, Scope scope) {
        int size = model.rotarySize();
        int half = size / 2;
        double[] frequencies = model.ropeScaling().frequencies(model.ropeTheta(), size);
        double factor = model.ropeScaling().attentionFactor();
        float[] cosine = new float[positions * size];
        float[] sine = new float[positions * size];
        for (int pair = 0; pair < half; pair++) {
            // The reference holds frequencies in float32 and multiplies there; angles beyond it would differ.
            float rounded = (float) frequencies[pair];
            for (int position = 0; position < positions; position++) {
                float angle = position * rounded;
                int first = position * size + pair;
                cosine[first] = (float) (Math.cos(angle) * factor);
                cosine[first + half] = cosine[first];
                sine[first + half] = (float) (Math.sin(angle) * factor);
                sine[first] = -sine[first + half];
            }
        }
        return new RotaryTable(scope.tensor(cosine, positions, size), scope.tensor(sine, positions, size));
    }
}
