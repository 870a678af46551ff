package dev.tmax.model.decode;

import dev.tmax.model.torch.Scope;
import dev.tmax.model.torch.Value;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keys and values of prompts computed with the present weights, so that the samples of a group share one computation.
 * Bounded in bytes; the least recently used goes first.
 */
final class PrefixCache implements AutoCloseable {
    /**
     * A computed prompt.
     *
     * @param keyValues of all its tokens
     * @param recurrent what delta-net layers keep after its last token
     * @param hidden final hidden state of its last token
     */
    record Entry(Scope scope, Value keyValues, Value recurrent, Value hidden, long bytes) {}

    private record Key(int[] tokens) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && Arrays.equals(tokens, key.tokens);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(tokens);
        }
    }

    private long maxBytes;
    private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    PrefixCache(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    Optional<Entry> find(int[] tokens) {
        return Optional.ofNullable(entries.get(new Key(tokens)));
    }

    /** Sets the most bytes, and makes the room that is then missing. */
    void limit(long bytes) {
        maxBytes = bytes;
        evictDownTo(maxBytes);
    }

    /** Makes room for an entry; false if it is larger than the whole cache may be. */
    boolean makeRoom(long entryBytes) {
        if (entryBytes > maxBytes) {
            return false;
        }
        evictDownTo(maxBytes - entryBytes);
        return true;
    }

    private void evictDownTo(long most) {
        Iterator<Entry> oldest = entries.values().iterator();
        while (bytes > most) {
            Entry evicted = oldest.next();
            oldest.remove();
            bytes -= evicted.bytes;
            evicted.scope.close();
        }
    }

    /** Keeps an entry that room was made for. */
    void put(int[] tokens, Entry entry) {
        entries.put(new Key(tokens), entry);
        bytes += entry.bytes;
    }

    /** Forgets everything, as when the weights change. */
    void clear() {
        entries.values().forEach(entry -> entry.scope.close());
        entries.clear();
        bytes = 0;
    }

    long bytes() {
        return bytes;
    }

    @Override
    public void close() {
        clear();
    }
}
