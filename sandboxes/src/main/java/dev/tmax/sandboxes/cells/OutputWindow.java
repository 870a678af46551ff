package dev.tmax.sandboxes.cells;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Keeps the first and the last part of a stream of bytes, at constant memory.
 *
 * <p>Characters are Unicode code points. A character has at most 4 bytes, so 4 bytes for each character to show at either (and one more
 * for a character that a cut goes through) are enough, and more bytes than both ends hold together are more characters than the limit.
 */
final class OutputWindow {

    private static final int LONGEST_CHARACTER = 4;

    private final int characters;
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    private final int endBytes;
    private byte[] tail = new byte[0];
    private long tailBytes;
    private long bytes;

    /**
     * @param limit characters to keep in all
     */
    OutputWindow(int limit) {
        this.characters = limit / 2;
        this.endBytes = (characters + 1) * LONGEST_CHARACTER;
    }

    /** What is kept, as text. */
    record Text(String text, long bytes, boolean truncated) {}

    synchronized void append(byte[] data, int offset, int length) {
        bytes += length;
        int toHead = Math.min(length, endBytes - head.size());
        head.write(data, offset, toHead);
        appendToTail(data, offset + toHead, length - toHead);
    }

    private void appendToTail(byte[] data, int offset, int length) {
        if (length == 0) {
            return;
        }
        if (tail.length == 0) {
            tail = new byte[endBytes];
        }
        int skipped = Math.max(0, length - endBytes);
        tailBytes += skipped;
        int from = offset + skipped;
        int left = length - skipped;
        while (left > 0) {
            int at = (int) (tailBytes % endBytes);
            int part = Math.min(left, endBytes - at);
            System.arraycopy(data, from, tail, at, part);
            tailBytes += part;
            from += part;
            left -= part;
        }
    }

    synchronized Text text() {
        byte[] first = head.toByteArray();
        byte[] last = tail();
        if (tailBytes <= endBytes) {
            byte[] all = new byte[first.length + last.length];
            System.arraycopy(first, 0, all, 0, first.length);
            System.arraycopy(last, 0, all, first.length, last.length);
            String text = new String(all, StandardCharsets.UTF_8);
            int count = text.codePointCount(0, text.length());
            return count <= 2 * characters
                    ? new Text(text, bytes, false)
                    : cut(text, text, (count - 2 * characters) + " characters");
        }
        String lastText =
                new String(last, startOfCharacter(last), last.length - startOfCharacter(last), StandardCharsets.UTF_8);
        String firstText = new String(first, StandardCharsets.UTF_8);
        long shown = utf8Length(lastCharacters(lastText)) + utf8Length(firstCharacters(firstText));
        return cut(firstText, lastText, "about " + Math.max(1, bytes - shown) + " bytes");
    }

    private Text cut(String first, String last, String omitted) {
        return new Text(
                firstCharacters(first) + "\n[... " + omitted + " left out ...]\n" + lastCharacters(last), bytes, true);
    }

    private String firstCharacters(String text) {
        return text.substring(0, text.offsetByCodePoints(0, characters));
    }

    private String lastCharacters(String text) {
        return text.substring(text.offsetByCodePoints(text.length(), -characters));
    }

    private static long utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private byte[] tail() {
        int length = (int) Math.min(tailBytes, endBytes);
        byte[] ordered = new byte[length];
        long from = tailBytes - length;
        for (int i = 0; i < length; i++) {
            ordered[i] = tail[(int) ((from + i) % endBytes)];
        }
        return ordered;
    }

    /** Skips the rest of a character that the cut went through. */
    private static int startOfCharacter(byte[] text) {
        int start = 0;
        while (start < LONGEST_CHARACTER - 1 && start < text.length && (text[start] & 0xc0) == 0x80) {
            start++;
        }
        return start;
    }
}
