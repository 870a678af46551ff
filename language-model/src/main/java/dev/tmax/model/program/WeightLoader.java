package dev.tmax.model.program;

import dev.tmax.model.ParameterLayout.Parameter;
import dev.tmax.model.Precision;
import dev.tmax.model.torch.Program;
import dev.tmax.model.torch.Scope;
import dev.tmax.model.torch.Value;
import dev.tmax.model.weights.NamedTensor;
import dev.tmax.model.weights.WeightSource;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Makes tensors of named weights. */
public final class WeightLoader {
    /** Methods that a program using a loader has to include. */
    public static final String METHODS = """
              def uninitialized(self: __torch__.M, n: int, dtype: int) -> Tensor:
                return torch.empty([n], dtype=dtype, layout=None, device=None, pin_memory=None, memory_format=None)
              def joined(self: __torch__.M, parts: List[Tensor], dtype: int) -> Tensor:
                r = annotate(List[Tensor], [])
                for i in range(torch.len(parts)):
                  torch.append(r, torch.to(parts[i], dtype))
                return torch.cat(r, 0)
              def shaped(self: __torch__.M, x: Tensor, columns: int) -> Tensor:
                return torch.view(x, [-1, columns])
            """;

    private final Program program;

    public WeightLoader(Program program) {
        this.program = program;
    }

    /** libtorch's number for a compute type. */
    public static long typeCode(Precision precision) {
        return precision == Precision.BF16 ? 15 : 6;
    }

    private static long typeCode(NamedTensor tensor) {
        return switch (tensor.type()) {
            case F16 -> 5;
            case F32 -> 6;
            case BF16 -> 15;
            case F64, I64, I32, I16, I8, U8, BOOL ->
                throw new IllegalArgumentException(
                        "tensor " + tensor.name() + ": type " + tensor.type() + ", expected F32, BF16 or F16");
        };
    }

    /**
     * A fused part, {@code [rows, columns]} or {@code [rows]}.
     *
     * @throws IllegalArgumentException if a tensor is missing or has another shape
     */
    public Value load(Scope scope, WeightSource source, FusedLayout.Part part, Precision precision) {
        try (Scope temporary = new Scope()) {
            List<Value> tensors = new ArrayList<>();
            for (Parameter parameter : part.parameters()) {
                tensors.add(raw(temporary, checked(source, parameter)));
            }
            Value code = temporary.number(typeCode(precision));
            if (!part.isMatrix()) {
                return program.run(scope, "joined", temporary.list(tensors), code);
            }
            Value flat = program.run(temporary, "joined", temporary.list(tensors), code);
            return program.run(scope, "shaped", flat, temporary.number(part.columns()));
        }
    }

    /** Writes a tensor's elements as float32. */
    public void copyFloats(NamedTensor tensor, MemorySegment target) {
        try (Scope temporary = new Scope()) {
            Value floats = program.run(
                    temporary,
                    "joined",
                    temporary.list(List.of(raw(temporary, tensor))),
                    temporary.number(typeCode(Precision.FP32)));
            target.copyFrom(program.memory(floats, target.byteSize()));
        }
    }

    private Value raw(Scope scope, NamedTensor tensor) {
        Value value =
                program.run(scope, "uninitialized", scope.number(tensor.elements()), scope.number(typeCode(tensor)));
        program.memory(value, tensor.data().byteSize()).copyFrom(tensor.data());
        return value;
    }

    private static NamedTensor checked(WeightSource source, Parameter parameter) {
        NamedTensor tensor = source.tensor(parameter.name());
        if (!tensor.shape().equals(parameter.shape())) {
            throw new IllegalArgumentException(
                    "tensor " + parameter.name() + ": shape " + tensor.shape() + ", expected " + parameter.shape());
        }
        return tensor;
    }
}
