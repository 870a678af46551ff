package dev.tmax.model.train;

import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.ParameterLayout;
import dev.tmax.model.program.FusedLayout;
import dev.tmax.model.program.RotaryTable;
import dev.tmax.model.torch.Program;
import dev.tmax.model.torch.Scope;
import dev.tmax.model.torch.Torch;
import dev.tmax.model.torch.Value;
import dev.tmax.model.weights.ElementType;
import dev.tmax.model.weights.HuggingFaceExport;
import dev.tmax.model.weights.NamedTensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Training step of one model: forward and backward passes that accumulate a gradient, and an optimizer that applies it.
 * Float32 master weights; deterministic for the same calls and thread count. Layers and head compute with the masters
 * rounded to bfloat16, which are the published weights.
 *
 * <p>Not thread-safe: one thread at a time uses an engine.
 */
public final class TrainingEngine implements AutoCloseable {
    /** Most bytes of one matrix of logits. */
    private static final long LOGITS_BYTES = 128L << 20;

    private final ModelFolder model;
    private final ModelConfiguration configuration;
    private final TrainingOptions options;
    private final Program program;
    private final Scope scope = Scope.shared();
    private final FlatState state;
    private final Layers layers;
    private final int logitRows;
    private long version;

    private TrainingEngine(ModelFolder model, TrainingOptions options) {
        this.model = model;
        this.options = options;
        configuration = model.configuration();
        logitRows = (int) Math.max(1, LOGITS_BYTES / Float.BYTES / configuration.vocabulary());
        program = new Program(TrainingProgram.source(configuration, options));
        FusedLayout fused = new FusedLayout(configuration, model.layout());
        state = new FlatState(program, model.layout(), fused, options);
        RotaryTable rotary = RotaryTable.of(configuration, configuration.maxPositions(), scope);
        layers = new Layers(program, state, configuration, fused, rotary, options);
        state.load(model.weights());
    }

    /** Loads a model's weights as version 0, with zero gradient and moments. */
    public static TrainingEngine open(ModelFolder model, TrainingOptions options) {
        Torch.enter(options.threads(), false);
        return new TrainingEngine(model, options);
    }

    /**
     * Log-probabilities and entropies of a group's generated tokens, keeping what {@link #backward} needs.
     *
     * @throws IllegalArgumentException if a sequence is longer than the model's positions, or a token outside the
     *     vocabulary
     */
    public ForwardResult forward(MicroBatch batch) {
        return compute(batch, true);
    }

    /** As {@link #forward}, without keeping anything for a backward pass. */
    public ForwardResult evaluate(MicroBatch batch) {
        return compute(batch, false);
    }

    private ForwardResult compute(MicroBatch batch, boolean keep) {
        if (batch.generatedTokens() == 0) {
            throw new IllegalArgumentException("samples: no generated token; leave the group out");
        }
        PackedGroup group = PackedGroup.of(batch);
        check(group);
        Layers.Pass pass = layers.forward(group, keep);
        boolean kept = false;
        try {
            ForwardResult result =
                    values(new ForwardResult.Activations(pass, pass.scope().tensor(group.targets())), keep);
            kept = keep;
            return result;
        } finally {
            if (!kept) {
                pass.close();
            }
        }
    }

    private void check(PackedGroup group) {
        if (group.longestPosition() >= configuration.maxPositions()) {
            throw new IllegalArgumentException("sequence of " + (group.longestPosition() + 1)
                    + " tokens; the model has " + configuration.maxPositions() + " positions");
        }
        for (int[] tokens : List.of(group.ids(), group.targets())) {
            for (int token : tokens) {
                if (token < 0 || token >= configuration.vocabulary()) {
                    throw new IllegalArgumentException("token " + token + ": outside the vocabulary of "
                            + configuration.vocabulary() + "; use this model's tokenizer");
                }
            }
        }
    }

    private ForwardResult values(ForwardResult.Activations activations, boolean keep) {
        Torch.enter(options.threads(), false);
        try (Scope temporary = new Scope()) {
            List<Value> values = temporary.elements(program.run(
                    temporary,
                    "head_values",
                    activations.pass().hidden(),
                    state.head(),
                    activations.targets(),
                    temporary.number(1 / options.temperature()),
                    temporary.number(logitRows)));
            return new ForwardResult(
                    values.get(0).floats(), values.get(1).floats(), keep ? Optional.of(activations) : Optional.empty());
        }
    }

    /**
     * Adds the gradient of {@code Σ_t coefficients[t] · log π_t} to the gradient buffer, undivided, and frees the
     * result. The optimizer descends, so a coefficient is the derivative of the loss by that token's log-probability.
     *
     * @param coefficients one a generated token, in {@link MicroBatch} order
     */
    public void backward(ForwardResult result, float[] coefficients) {
        if (coefficients.length != result.generatedTokens()) {
            throw new IllegalArgumentException("coefficients: " + coefficients.length + ", expected one for each of "
                    + result.generatedTokens() + " generated tokens");
        }
        ForwardResult.Activations activations = result.activations();
        Torch.enter(options.threads(), false);
        try (result;
                Scope temporary = new Scope()) {
            Value upstream = program.run(
                    temporary,
                    "head_gradient",
                    activations.pass().hidden(),
                    state.head(),
                    activations.targets(),
                    temporary.tensor(coefficients),
                    temporary.number(1 / options.temperature()),
                    temporary.number(logitRows),
                    state.headGradient());
            layers.backward(activations.pass(), upstream);
        }
    }

    /** Forgets the accumulated gradient. */
    public void zeroGradients() {
        Torch.enter(options.threads(), false);
        state.clear(state.gradient());
    }

    /**
     * Scales the accumulated gradient, clips it to a global norm and applies AdamW; then zeroes it and increments the
     * version. A gradient that is not finite is dropped instead, and reported.
     *
     * @param learningRate of this step
     * @param maxGradNorm most global 2-norm of the scaled gradient
     * @param gradientScale multiplies the accumulated gradient first, such as 1 / generated tokens of the step
     */
    public OptimizerResult step(double learningRate, double maxGradNorm, double gradientScale) {
        Torch.enter(options.threads(), false);
        try (Scope temporary = new Scope()) {
            float[] accumulated =
                    program.run(temporary, "gradient_norm", state.gradient()).floats();
            double norm = accumulated[0] * Math.abs(gradientScale);
            if (!Double.isFinite(norm)) {
                state.clear(state.gradient());
                return new OptimizerResult(norm, 1, false, version);
            }
            double clip = norm > maxGradNorm ? maxGradNorm / norm : 1;
            AdamW optimizer = options.optimizer();
            program.run(
                    temporary,
                    "adamw",
                    temporary.list(List.of(state.master())),
                    temporary.list(List.of(state.gradient())),
                    temporary.list(List.of(state.firstMoment())),
                    temporary.list(List.of(state.secondMoment())),
                    temporary.list(List.of(state.optimizerSteps())),
                    temporary.number(gradientScale * clip),
                    temporary.number(learningRate),
                    temporary.number(optimizer.beta1()),
                    temporary.number(optimizer.beta2()),
                    temporary.number(optimizer.epsilon()),
                    temporary.number(optimizer.weightDecay()));
            state.refresh();
            state.clear(state.gradient());
            return new OptimizerResult(norm, clip, true, ++version);
        }
    }

    /** Policy version: optimizer steps applied. */
    public long version() {
        return version;
    }

    /** The accumulated gradient by tensor, float32. Valid until the next call. */
    List<NamedTensor> gradients() {
        return named(state.memory(state.gradient()), ElementType.F32);
    }

    /** The master weights by tensor, float32. Valid until the next call. */
    List<NamedTensor> master() {
        return named(state.memory(state.master()), ElementType.F32);
    }

    private List<NamedTensor> named(MemorySegment flat, ElementType type) {
        List<NamedTensor> tensors = new ArrayList<>();
        for (ParameterLayout.Parameter parameter : model.layout().parameters()) {
            MemorySegment bytes = flat.asSlice(parameter.offset() * type.bytes(), parameter.elements() * type.bytes());
            tensors.add(new NamedTensor(parameter.name(), type, parameter.shape(), bytes));
        }
        return tensors;
    }

    /** A copy of the present weights, for generators. The caller closes it. */
    public PublishedWeights snapshot() {
        Torch.enter(options.threads(), false);
        Arena arena = Arena.ofShared();
        MemorySegment bytes = arena.allocate(model.layout().elements() * Short.BYTES, Long.BYTES);
        state.withPublishedBytes(bytes::copyFrom);
        Map<String, NamedTensor> tensors = new LinkedHashMap<>();
        named(bytes, ElementType.BF16).forEach(tensor -> tensors.put(tensor.name(), tensor));
        return new PublishedWeights(version, arena, bytes, tensors);
    }

    /** Writes master weights, moments and version into a folder, so that {@link #restore} continues bit-equal. */
    public void save(Path folder) {
        Torch.enter(options.threads(), false);
        new TrainingStateFiles(folder)
                .write(
                        master(),
                        named(state.memory(state.firstMoment()), ElementType.F32),
                        named(state.memory(state.secondMoment()), ElementType.F32),
                        new TrainingStateFiles.Progress(version, state.optimizerStepCount()));
    }

    /**
     * Takes up what {@link #save} wrote; the gradient becomes zero.
     *
     * @throws dev.tmax.model.ModelFormatException if a file is missing, damaged, or of another model; the engine is then
     *     as before
     */
    public void restore(Path folder) {
        Torch.enter(options.threads(), false);
        TrainingStateFiles.Saved saved = new TrainingStateFiles(folder).read(model.layout());
        saved.copy(saved.master(), state.memory(state.master()));
        saved.copy(saved.firstMoment(), state.memory(state.firstMoment()));
        saved.copy(saved.secondMoment(), state.memory(state.secondMoment()));
        state.setOptimizerStepCount(saved.progress().optimizerSteps());
        version = saved.progress().version();
        state.clear(state.gradient());
        state.refresh();
    }

    /** Writes the present weights in bfloat16 with configuration, tokenizer and chat template, as transformers reads. */
    public void exportHuggingFace(Path folder) {
        try (PublishedWeights weights = snapshot()) {
            HuggingFaceExport.write(model.path(), weights, folder);
        }
    }

    /** Frees all native memory. */
    @Override
    public void close() {
        state.close();
        scope.close();
        program.close();
    }
}
