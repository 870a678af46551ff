package dev.tmax.sandboxes;

import java.time.Duration;

/** Checks shared by requests. */
final class Bounds {

    private Bounds() {}

    static void requireTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("timeout " + timeout + ": use more than 0 and at most a day");
        }
    }

    static void requireFilePath(String field, String path) {
        if (!path.startsWith("/") || path.length() < 2 || path.indexOf(0) >= 0 || !isPlain(path)) {
            throw new IllegalArgumentException(
                    field + " '" + path + "': use an absolute path of a file, without '.', '..' and empty parts");
        }
    }

    private static boolean isPlain(String path) {
        for (String part : path.substring(1).split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                return false;
            }
        }
        return true;
    }

    static void requireOutputLimit(int limit) {
        if (limit < 2 || limit > CommandRequest.MAX_OUTPUT_LIMIT) {
            throw new IllegalArgumentException(
                    "outputLimit " + limit + ": use 2 to " + CommandRequest.MAX_OUTPUT_LIMIT + " characters");
        }
    }
}
