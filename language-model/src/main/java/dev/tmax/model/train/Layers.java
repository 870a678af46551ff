package dev.tmax.model.train;

import dev.tmax.model.DeltaNet;
import dev.tmax.model.ModelConfiguration;
import dev.tmax.model.program.AttentionWindow;
import dev.tmax.model.program.DeltaNetSource;
import dev.tmax.model.program.FusedLayout;
import dev.tmax.model.program.RotaryTable;
import dev.tmax.model.torch.Program;
import dev.tmax.model.torch.Scope;
import dev.tmax.model.torch.Torch;
import dev.tmax.model.torch.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Forward and backward pass through the decoder's layers, one layer at a time. */
final class Layers {
    /** A group as the script takes it: rotary angles by row, tokens and mask of each run, tables of delta-net layers. */
    private record Inputs(
            Value ids, Value cosine, Value sine, Value runs, Value masks, Value deltaTables, Value deltaCounts) {}

    /**
     * A layer of the model.
     *
     * @param methods beginning of the names of its methods
     * @param first index of its first part
     */
    private record Kind(String methods, int first) {}

    /**
     * One layer's part of a pass.
     *
     * @param scope owner of {@code inner} and of the layer's output
     * @param kind what the layer is
     * @param input {@code [tokens, hidden]}, a leaf
     * @param inner what the layer's gradient needs; empty if it is to be computed again
     */
    private record Layer(Scope scope, Kind kind, Value input, Optional<Value> inner) {}

    /** What a backward pass needs of a forward pass. Closing it frees what the backward pass has not. */
    static final class Pass implements AutoCloseable {
        private final Scope scope = Scope.shared();
        private final Deque<Layer> layers = new ArrayDeque<>();
        private Inputs inputs;
        private Value last;
        private Value hidden;

        /** Final states of the rows that predict, {@code [predictors, hidden]} float32. */
        Value hidden() {
            return hidden;
        }

        Scope scope() {
            return scope;
        }

        @Override
        public void close() {
            layers.forEach(layer -> layer.scope.close());
            layers.clear();
            scope.close();
        }
    }

    private final Program program;
    private final FlatState state;
    private final Optional<DeltaNet> deltaNet;
    private final List<Kind> kinds = new ArrayList<>();
    private final RotaryTable rotary;
    private final TrainingOptions options;

    Layers(
            Program program,
            FlatState state,
            ModelConfiguration model,
            FusedLayout layout,
            RotaryTable rotary,
            TrainingOptions options) {
        this.program = program;
        this.state = state;
        this.rotary = rotary;
        this.options = options;
        deltaNet = model.deltaNet();
        for (int layer = 0; layer < model.layerTypes().size(); layer++) {
            kinds.add(new Kind(
                    TrainingProgram.name(model.layerTypes().get(layer)),
                    layout.firstParts().get(layer)));
        }
    }

    /**
     * Computes a group.
     *
     * @param gradients whether to keep what {@link #backward} needs
     */
    Pass forward(PackedGroup group, boolean gradients) {
        boolean keepInner = gradients && !options.recompute();
        Torch.enter(options.threads(), keepInner);
        Pass pass = new Pass();
        try {
            pass.inputs = inputs(pass.scope, group);
            pass.last = program.run(pass.scope, "embedded", state.embedding(), pass.inputs.ids);
            for (Kind kind : kinds) {
                pass.layers.addLast(advance(pass, kind, keepInner));
                if (!gradients && pass.layers.size() > 1) {
                    pass.layers.removeFirst().scope.close();
                }
            }
            Torch.enter(options.threads(), gradients);
            pass.hidden = program.run(
                    pass.scope, "final", state.leafList(), pass.last, pass.scope.tensor(group.predictors()));
            return pass;
        } catch (RuntimeException e) {
            pass.close();
            throw e;
        }
    }

    private Inputs inputs(Scope scope, PackedGroup group) {
        Value positions = scope.tensor(group.positions());
        Optional<DeltaSegments> delta =
                deltaNet.map(net -> DeltaSegments.of(group.segments(), net.taps(), DeltaNetSource.CHUNK));
        return new Inputs(
                scope.tensor(group.ids()),
                program.run(scope, "angles", rotary.cosine(), positions),
                program.run(scope, "angles", rotary.sine(), positions),
                scope.numbers(group.runs()),
                masks(scope, group),
                scope.list(delta.map(segments -> tables(scope, segments)).orElse(List.of())),
                scope.numbers(delta.map(DeltaSegments::counts).orElse(new int[0])));
    }

    private static List<Value> tables(Scope scope, DeltaSegments segments) {
        return List.of(
                scope.tensor(segments.window()),
                scope.tensor(segments.convolved()),
                scope.tensor(segments.rows()),
                scope.tensor(segments.real()),
                scope.tensor(segments.places()));
    }

    private Value masks(Scope scope, PackedGroup group) {
        Map<Integer, Value> ofSamples = new HashMap<>();
        List<Value> masks = new ArrayList<>();
        int[] runs = group.runs();
        for (int run = 0; run < runs.length; run++) {
            int tokens = runs[run];
            masks.add(
                    run == 0
                            ? mask(scope, tokens, 0)
                            : ofSamples.computeIfAbsent(tokens, n -> mask(scope, n, runs[0])));
        }
        return scope.list(masks);
    }

    private Value mask(Scope scope, int tokens, int start) {
        return program.run(
                scope,
                "causal",
                scope.number(tokens),
                scope.number(start),
                scope.number(AttentionWindow.of(start + tokens)));
    }

    /** Computes the next layer of a pass. */
    private Layer advance(Pass pass, Kind kind, boolean keepInner) {
        Scope scope = Scope.shared();
        try (Scope temporary = new Scope()) {
            Value input = pass.last;
            Value inner = inner(keepInner ? scope : temporary, pass.inputs, kind, input);
            pass.last =
                    program.run(scope, kind.methods + "_next", state.leafList(), temporary.number(kind.first), inner);
            return new Layer(scope, kind, input, keepInner ? Optional.of(inner) : Optional.empty());
        } catch (RuntimeException e) {
            scope.close();
            throw e;
        }
    }

    private Value inner(Scope owner, Inputs inputs, Kind kind, Value input) {
        try (Scope temporary = new Scope()) {
            return program.run(
                    owner,
                    kind.methods + "_forward",
                    state.leafList(),
                    temporary.number(kind.first),
                    input,
                    inputs.cosine,
                    inputs.sine,
                    inputs.runs,
                    inputs.masks,
                    inputs.deltaTables,
                    inputs.deltaCounts);
        }
    }

    /**
     * Adds the gradients of all parts but the head's to the gradient buffer, and frees the pass layer by layer.
     *
     * @param upstream gradient of {@link Pass#hidden}
     */
    void backward(Pass pass, Value upstream) {
        Scope owner = new Scope();
        try {
            Value gradient = program.run(
                    owner, "final_backward", upstream, pass.hidden, pass.last, state.leafList(), state.gradientViews());
            while (!pass.layers.isEmpty()) {
                Scope next = new Scope();
                gradient = layerBackward(next, pass, pass.layers.getLast(), gradient);
                owner.close();
                owner = next;
                pass.layers.removeLast().scope.close();
            }
            program.run(owner, "accumulate_rows", state.embeddingGradient(), pass.inputs.ids, gradient);
        } finally {
            owner.close();
        }
    }

    private Value layerBackward(Scope owner, Pass pass, Layer layer, Value gradient) {
        try (Scope temporary = new Scope()) {
            Value inner = layer.inner.orElseGet(() -> again(temporary, pass, layer));
            return program.run(
                    owner,
                    layer.kind.methods + "_backward",
                    gradient,
                    state.leafList(),
                    temporary.number(layer.kind.first),
                    state.gradientViews(),
                    layer.input,
                    inner);
        }
    }

    private Value again(Scope owner, Pass pass, Layer layer) {
        Torch.enter(options.threads(), true);
        try {
            return inner(owner, pass.inputs, layer.kind, layer.input);
        } finally {
            Torch.enter(options.threads(), false);
        }
    }
}
