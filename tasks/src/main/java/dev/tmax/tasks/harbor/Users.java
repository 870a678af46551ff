package dev.tmax.tasks.harbor;

import java.util.Optional;

/** Reads the key {@code user}: a name, or a uid that may be written as a number. */
final class Users {
    private Users() {}

    static Optional<String> read(Section section) {
        String written = section.scalars().getOrDefault("user", "");
        if (section.has("user") && !written.matches("[A-Za-z0-9_][A-Za-z0-9_.-]*")) {
            section.report("user", "is neither a user name nor a uid", "write user = \"name\" or user = 1000");
        }
        return written.isEmpty() ? Optional.empty() : Optional.of(written);
    }
}
