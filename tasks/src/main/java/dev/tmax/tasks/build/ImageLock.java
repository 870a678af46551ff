package dev.tmax.tasks.build;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The file that records which images the tasks of a set were built to, by task. */
public final class ImageLock {
    /** Its usual name, beside the tasks. */
    public static final String FILE = "tasks.lock.json";

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private final Path file;
    private final SortedMap<String, LockedImage> images;

    private ImageLock(Path file, Map<String, LockedImage> images) {
        this.file = file;
        this.images = new TreeMap<>(images);
    }

    /**
     * Reads a lock file; one that is missing holds nothing yet.
     *
     * @throws IllegalArgumentException where it is no such file
     */
    public static ImageLock read(Path file) {
        if (!Files.exists(file)) {
            return new ImageLock(file, Map.of());
        }
        try {
            return new ImageLock(
                    file, JSON.readValue(Files.readString(file), new TypeReference<Map<String, LockedImage>>() {}));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    file + ": is no record of images (" + e.getOriginalMessage() + "); remove it and build again", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The image that was built of this source, for whichever task. */
    Optional<LockedImage> ofSource(String source) {
        return images.values().stream()
                .filter(image -> image.source().equals(source))
                .findFirst();
    }

    void put(String task, LockedImage image) {
        images.put(task, image);
    }

    /** All of them, by task. */
    public SortedMap<String, LockedImage> images() {
        return images;
    }

    /** Writes the file anew; a reader sees the old one or the new one. */
    void write() {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.writeString(part, JSON.writeValueAsString(images) + "\n");
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
