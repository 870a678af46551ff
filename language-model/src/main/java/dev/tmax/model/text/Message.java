package dev.tmax.model.text;

import java.util.Objects;

/**
 * One message of a conversation.
 *
 * @param role {@code system}, {@code user}, {@code assistant} or another role that the model's template knows
 * @param content the text
 */
public record Message(String role, String content) {
    public Message {
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(content, "content");
    }

    public static Message system(String content) {
        return new Message("system", content);
    }

    public static Message user(String content) {
        return new Message("user", content);
    }

    public static Message assistant(String content) {
        return new Message("assistant", content);
    }
}
