package dev.tmax.trainer.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** {@code metrics.jsonl}: one line of JSON per step, on disk before the next step begins. */
public final class StepHistory {

    private final Path file;

    public StepHistory(Path folder) {
        this.file = folder.resolve("metrics.jsonl");
    }

    /** @param step a record with a field {@code step} */
    public void append(Object step) throws IOException {
        byte[] line = (Durable.JSON.writeValueAsString(step) + "\n").getBytes(StandardCharsets.UTF_8);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            channel.write(ByteBuffer.wrap(line));
            channel.force(false);
        }
    }

    /** Forgets the steps after this one, which will be made again, and a line that a crash cut. */
    public void cutAfter(int step) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        List<String> kept = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            try {
                JsonNode json = Durable.JSON.readTree(line);
                if (json.path("step").asInt(Integer.MAX_VALUE) <= step) {
                    kept.add(line + "\n");
                }
            } catch (JsonProcessingException e) {
                break;
            }
        }
        Durable.write(file, String.join("", kept).getBytes(StandardCharsets.UTF_8));
    }
}
