package dev.tmax.sandboxes.protocol;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;

/** Reads and writes the protocol's records. Unknown fields are ignored, so that either side may be newer. */
public final class Json {

    private static final ObjectMapper MAPPER =
            new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);
    private static final ObjectReader READER = MAPPER.reader();
    private static final ObjectWriter WRITER = MAPPER.writer();

    private Json() {}

    /**
     * @throws IOException where the bytes are not JSON of this shape; the message is fit for the sender
     */
    public static <T> T read(byte[] json, Class<T> shape) throws IOException {
        try {
            T value = READER.forType(shape).readValue(json);
            if (value == null) {
                throw new IOException("body: expected a JSON object, got null");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw new IOException("body: " + e.getOriginalMessage(), e);
        }
    }

    public static byte[] write(Object value) {
        try {
            return WRITER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("records of the protocol can always be written", e);
        }
    }
}
