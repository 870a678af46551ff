package dev.tmax.model.program;

import dev.tmax.model.weights.BFloat16;
import dev.tmax.model.weights.WeightSource;
import java.lang.foreign.ValueLayout;

/** The blocks' formulas in float64, row by row and without any fusing, on a model's tensors by name. */
record PlainBlocks(WeightSource weights, double epsilon) {
    double[] vector(String name) {
        short[] bits = weights.tensor(name).data().toArray(ValueLayout.JAVA_SHORT_UNALIGNED);
        double[] values = new double[bits.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = BFloat16.toFloat(bits[i]);
        }
        return values;
    }

    /** The product of a matrix and a row. */
    double[] linear(String name, double[] x) {
        double[] matrix = vector(name);
        double[] y = new double[matrix.length / x.length];
        for (int row = 0; row < y.length; row++) {
            for (int i = 0; i < x.length; i++) {
                y[row] += matrix[row * x.length + i] * x[i];
            }
        }
        return y;
    }

    double[] unit(double[] x) {
        double square = 0;
        for (double value : x) {
            square += value * value;
        }
        double scale = 1 / Math.sqrt(square / x.length + epsilon);
        double[] y = new double[x.length];
        for (int i = 0; i < y.length; i++) {
            y[i] = x[i] * scale;
        }
        return y;
    }

    /** A norm whose weight counts from one. */
    double[] norm(String name, double[] x) {
        double[] gain = vector(name);
        double[] y = unit(x);
        for (int i = 0; i < y.length; i++) {
            y[i] *= 1 + gain[i];
        }
        return y;
    }

    static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    static double silu(double x) {
        return x * sigmoid(x);
    }

    static double softplus(double x) {
        return Math.log1p(Math.exp(x));
    }

    static double[] part(double[] x, int from, int length) {
        double[] y = new double[length];
        System.arraycopy(x, from, y, 0, length);
        return y;
    }

    static double[] sum(double[] x, double[] y) {
        double[] z = new double[x.length];
        for (int i = 0; i < z.length; i++) {
            z[i] = x[i] + y[i];
        }
        return z;
    }

    double[] feedForward(String layer, double[] x) {
        double[] h = norm(layer + "post_attention_layernorm.weight", x);
        double[] gate = linear(layer + "mlp.gate_proj.weight", h);
        double[] up = linear(layer + "mlp.up_proj.weight", h);
        double[] inner = new double[gate.length];
        for (int i = 0; i < inner.length; i++) {
            inner[i] = silu(gate[i]) * up[i];
        }
        return sum(x, linear(layer + "mlp.down_proj.weight", inner));
    }

    /** Turns the first {@code turned} elements of a head as pairs of halves. */
    static double[] rotate(double[] head, int turned, double theta, int position) {
        double[] y = head.clone();
        int half = turned / 2;
        for (int pair = 0; pair < half; pair++) {
            double angle = position * Math.pow(theta, -2.0 * pair / turned);
            y[pair] = head[pair] * Math.cos(angle) - head[pair + half] * Math.sin(angle);
            y[pair + half] = head[pair + half] * Math.cos(angle) + head[pair] * Math.sin(angle);
        }
        return y;
    }

    /** One channel's convolution at the last of the given inputs, then silu. */
    static double convolve(double[] kernel, double[] inputs) {
        double y = 0;
        for (int tap = 0; tap < kernel.length; tap++) {
            y += kernel[tap] * inputs[tap];
        }
        return silu(y);
    }

    static double[] unitLength(double[] x) {
        double square = 1e-6;
        for (double value : x) {
            square += value * value;
        }
        double[] y = new double[x.length];
        for (int i = 0; i < y.length; i++) {
            y[i] = x[i] / Math.sqrt(square);
        }
        return y;
    }
}
