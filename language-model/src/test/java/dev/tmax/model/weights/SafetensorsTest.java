package dev.tmax.model.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tmax.model.ModelFormatException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SafetensorsTest {
    @TempDir
    private Path folder;

    private static NamedTensor tensor(String name, ElementType type, List<Long> shape, int fill) {
        byte[] bytes = new byte[(int) (NamedTensor.elements(shape) * type.bytes())];
        Arrays.fill(bytes, (byte) fill);
        return new NamedTensor(name, type, shape, MemorySegment.ofArray(bytes));
    }

    private Path file(String header, int dataBytes) throws IOException {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(8 + json.length + dataBytes).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(json.length).put(json);
        return Files.write(folder.resolve("model.safetensors"), bytes.array());
    }

    private void assertRefused(String header, int dataBytes, String problem) throws IOException {
        Path file = file(header, dataBytes);
        assertThatThrownBy(() -> SafetensorsFile.open(file))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining(problem)
                .hasMessageContaining("model.safetensors");
    }

    @Test
    void readsWhatItWrote() {
        List<NamedTensor> tensors = List.of(
                tensor("b", ElementType.BF16, List.of(3L, 5L), 1),
                tensor("a", ElementType.F32, List.of(2L), 2),
                tensor("empty", ElementType.I64, List.of(0L, 4L), 3),
                tensor("scalar", ElementType.F64, List.of(), 4));
        Path file = folder.resolve("model.safetensors");
        SafetensorsWriter.write(file, tensors, Map.of("format", "pt"));
        SafetensorsFiles read = SafetensorsFiles.inFolder(folder);
        assertThat(read.names()).containsExactlyInAnyOrder("b", "a", "empty", "scalar");
        for (NamedTensor tensor : tensors) {
            NamedTensor back = read.tensor(tensor.name());
            assertThat(back.type()).isEqualTo(tensor.type());
            assertThat(back.shape()).isEqualTo(tensor.shape());
            assertThat(back.data().mismatch(tensor.data())).isEqualTo(-1);
        }
        assertThat(read.totalBytes()).isEqualTo(30 + 8 + 0 + 8);
    }

    @Test
    void readsShardsByTheirIndex() throws IOException {
        SafetensorsWriter.write(
                folder.resolve("model-00001-of-00002.safetensors"),
                List.of(tensor("a", ElementType.F32, List.of(2L), 1)),
                Map.of());
        SafetensorsWriter.write(
                folder.resolve("model-00002-of-00002.safetensors"),
                List.of(tensor("b", ElementType.F32, List.of(1L), 2)),
                Map.of());
        Path index = folder.resolve("model.safetensors.index.json");
        Files.writeString(index, """
                {"weight_map": {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}}
                """);
        assertThat(SafetensorsFiles.inFolder(folder).names()).containsExactlyInAnyOrder("a", "b");
        Files.writeString(index, """
                {"weight_map": {"a": "model-00001-of-00002.safetensors", "c": "model-00002-of-00002.safetensors"}}
                """);
        assertThatThrownBy(() -> SafetensorsFiles.inFolder(folder))
                .hasMessageContaining("tensor c is not in model-00002");
        SafetensorsWriter.write(
                folder.resolve("model-00002-of-00002.safetensors"),
                List.of(tensor("a", ElementType.F32, List.of(2L), 1), tensor("c", ElementType.F32, List.of(1L), 2)),
                Map.of());
        assertThatThrownBy(() -> SafetensorsFiles.inFolder(folder))
                .hasMessageContaining("model-00002-of-00002.safetensors: tensor a: is in another shard too");
        Files.delete(folder.resolve("model-00002-of-00002.safetensors"));
        assertThatThrownBy(() -> SafetensorsFiles.inFolder(folder))
                .hasMessageContaining("shard model-00002-of-00002.safetensors, which is missing");
    }

    @Test
    void mapsAFileOfMoreThanTwoGigabytes() throws IOException {
        long elements = 2_200_000_000L;
        Path file = file("{\"big\":{\"dtype\":\"I8\",\"shape\":[2200000000],\"data_offsets\":[0,2200000000]}}", 0);
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.seek(sparse.length() + elements - 1);
            sparse.write(7);
        }
        MemorySegment data = SafetensorsFile.open(file).tensor("big").data();
        assertThat(data.get(ValueLayout.JAVA_BYTE, elements - 1)).isEqualTo((byte) 7);
    }

    @Test
    void refusesDamagedFiles() throws IOException {
        String one = "{\"a\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]}}";
        assertRefused(one, 15, "tensor a: ends at byte 16 of the data, but the file has only 15: truncated");
        assertRefused(
                one.replace("[2,2]", "[2,3]"), 16, "tensor a: data_offsets span 16 bytes, expected 24 for F32[2, 3]");
        assertRefused(one.replace("F32", "F13"), 16, "tensor a: dtype F13 is not supported");
        assertRefused(one.replace("[0,16]", "[16,0]"), 16, "expected none negative");
        assertRefused(one.replace("[2,2]", "[4611686018427387904,4]"), 16, "overflows");
        assertRefused("{\"a\":7}", 0, "tensor a: 7; expected dtype, shape and two data_offsets");
        assertRefused("[1]", 0, "not a JSON object");
        assertRefused("{,}", 0, "header is not JSON");
        assertRefused(one.substring(0, one.length() - 1) + "," + one.substring(1), 16, "Duplicate field 'a'");
        assertRefused(
                "{\"a\":{\"dtype\":\"I8\",\"shape\":[4],\"data_offsets\":[0,4]},"
                        + "\"b\":{\"dtype\":\"I8\",\"shape\":[4],\"data_offsets\":[2,6]}}",
                6,
                "tensor b: data_offsets begin at 2, inside the tensor before");
    }

    @Test
    void refusesAbsurdHeaderLengths() throws IOException {
        Path file = folder.resolve("model.safetensors");
        for (long length : new long[] {-1, 0, 1_000, Long.MAX_VALUE}) {
            Files.write(
                    file,
                    ByteBuffer.allocate(64)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(length)
                            .array());
            assertThatThrownBy(() -> SafetensorsFile.open(file)).hasMessageContaining("header length " + length);
        }
        Files.write(file, new byte[5]);
        assertThatThrownBy(() -> SafetensorsFile.open(file)).hasMessageContaining("truncated: 5 bytes");
    }
}
