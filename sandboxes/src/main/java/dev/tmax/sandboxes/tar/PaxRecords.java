package dev.tmax.sandboxes.tar;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Records of a pax extended header: {@code LENGTH KEY=VALUE} and a line feed each. */
final class PaxRecords {

    private final Map<String, String> values = new HashMap<>();

    private PaxRecords() {}

    static PaxRecords of(byte[] content) throws IOException {
        PaxRecords records = new PaxRecords();
        int at = 0;
        while (at < content.length) {
            int space = at;
            int length = 0;
            while (space < content.length
                    && content[space] >= '0'
                    && content[space] <= '9'
                    && length <= content.length) {
                length = length * 10 + content[space++] - '0';
            }
            int end = at + length;
            if (space == at
                    || space >= content.length
                    || content[space] != ' '
                    || end > content.length
                    || end <= space) {
                throw new IOException("the tar archive has a damaged pax header");
            }
            String record = new String(content, space + 1, end - space - 2, StandardCharsets.UTF_8);
            int equals = record.indexOf('=');
            if (equals < 1) {
                throw new IOException("the tar archive has a damaged pax header");
            }
            records.values.put(record.substring(0, equals), record.substring(equals + 1));
            at = end;
        }
        return records;
    }

    Optional<String> get(String key) {
        return Optional.ofNullable(values.get(key));
    }
}
