package dev.tmax.model.train;

import dev.tmax.model.ParameterLayout;
import dev.tmax.model.Precision;
import dev.tmax.model.program.FusedLayout;
import dev.tmax.model.program.WeightLoader;
import dev.tmax.model.torch.Program;
import dev.tmax.model.torch.Scope;
import dev.tmax.model.torch.Value;
import dev.tmax.model.weights.NamedTensor;
import dev.tmax.model.weights.WeightSource;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Everything that lives across training steps, in flat buffers of {@link ParameterLayout} order: float32 master weights,
 * gradient and two moments; and the working weights that layers compute with, which are the masters rounded to bfloat16
 * (held in the compute type). So the learner computes with exactly the weights that are published.
 */
final class FlatState implements AutoCloseable {
    private static final long BFLOAT16 = 15;
    private static final long FLOAT32 = 6;

    private final Program program;
    private final Scope scope = Scope.shared();
    private final ParameterLayout layout;
    private final Precision compute;
    private final Value master;
    private final Value gradient;
    private final Value firstMoment;
    private final Value secondMoment;
    private final Value optimizerSteps;
    private final Value work;
    private final Value head;
    /** The head in float32, where layers compute in bfloat16 but the head does not; else null. */
    private final Value separateHead;

    private final Value leafList;
    private final Value gradientViews;
    private final Value embedding;
    private final Value embeddingGradient;
    private final Value headGradient;

    FlatState(Program program, ParameterLayout layout, FusedLayout fused, TrainingOptions options) {
        this.program = program;
        this.layout = layout;
        compute = options.compute();
        master = zeros(FLOAT32);
        gradient = zeros(FLOAT32);
        firstMoment = zeros(FLOAT32);
        secondMoment = zeros(FLOAT32);
        optimizerSteps = program.run(scope, "zeros", scope.number(1), scope.number(FLOAT32));
        work = zeros(WeightLoader.typeCode(compute));
        List<Value> leaves = new ArrayList<>();
        List<Value> views = new ArrayList<>();
        for (FusedLayout.Part part : fused.parts()) {
            leaves.add(program.run(scope, "leaf", view(work, part)));
            views.add(view(gradient, part));
        }
        leafList = scope.list(leaves);
        gradientViews = scope.list(views);
        embedding = view(work, fused.embedding());
        embeddingGradient = view(gradient, fused.embedding());
        headGradient = view(gradient, fused.head());
        Value workHead = view(work, fused.head());
        separateHead = options.floatHead() && compute == Precision.BF16
                ? program.run(scope, "converted", workHead, scope.number(FLOAT32))
                : null;
        head = workHead;
    }

    private Value zeros(long type) {
        return program.run(scope, "zeros", scope.number(layout.elements()), scope.number(type));
    }

    private Value view(Value flat, FusedLayout.Part part) {
        return program.run(
                scope,
                "view",
                flat,
                scope.number(part.offset()),
                scope.number(part.elements()),
                scope.number(part.columns()));
    }

    /** Takes weights of any type; moments and gradient become zero. */
    void load(WeightSource source) {
        MemorySegment bytes = memory(master);
        for (ParameterLayout.Parameter parameter : layout.parameters()) {
            NamedTensor tensor = source.tensor(parameter.name());
            new WeightLoader(program)
                    .copyFloats(
                            tensor,
                            bytes.asSlice(parameter.offset() * Float.BYTES, parameter.elements() * Float.BYTES));
        }
        for (Value buffer : List.of(gradient, firstMoment, secondMoment, optimizerSteps)) {
            clear(buffer);
        }
        refresh();
    }

    /** Rounds the master weights into the working weights. */
    void refresh() {
        try (Scope temporary = new Scope()) {
            program.run(temporary, "refresh", work, master);
            if (separateHead != null) {
                program.run(temporary, "assign", separateHead, head);
            }
        }
    }

    void clear(Value buffer) {
        try (Scope temporary = new Scope()) {
            program.run(temporary, "clear", buffer);
        }
    }

    /** Runs with the working weights as bytes in bfloat16, in flat order. */
    void withPublishedBytes(Consumer<MemorySegment> consumer) {
        long bytes = layout.elements() * Short.BYTES;
        try (Scope temporary = new Scope()) {
            Value rounded = compute == Precision.BF16
                    ? work
                    : program.run(temporary, "converted", work, temporary.number(BFLOAT16));
            consumer.accept(program.memory(rounded, bytes));
        }
    }

    /** Live memory of a float32 buffer. */
    MemorySegment memory(Value buffer) {
        return program.memory(buffer, layout.elements() * Float.BYTES);
    }

    /** Steps that the moments' bias correction counts; exact as a float up to 16 million. */
    long optimizerStepCount() {
        return (long) optimizerSteps.floats()[0];
    }

    void setOptimizerStepCount(long steps) {
        program.memory(optimizerSteps, Float.BYTES).set(ValueLayout.JAVA_FLOAT_UNALIGNED, 0, steps);
    }

    Value master() {
        return master;
    }

    Value gradient() {
        return gradient;
    }

    Value firstMoment() {
        return firstMoment;
    }

    Value secondMoment() {
        return secondMoment;
    }

    Value optimizerSteps() {
        return optimizerSteps;
    }

    /** Parts of the layers, as leaves that gradients are taken by. */
    Value leafList() {
        return leafList;
    }

    /** The gradient buffer by {@link #leafList}. */
    Value gradientViews() {
        return gradientViews;
    }

    Value embedding() {
        return embedding;
    }

    Value embeddingGradient() {
        return embeddingGradient;
    }

    /** The head's weights in the type that the head computes in. */
    Value head() {
        return separateHead != null ? separateHead : head;
    }

    Value headGradient() {
        return headGradient;
    }

    @Override
    public void close() {
        scope.close();
    }
}
