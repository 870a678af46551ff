package dev.tmax.model.openai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tmax.model.text.Message;
import dev.tmax.model.text.Tokenizer;
import java.util.ArrayList;
import java.util.List;

/** Messages of a chat request. */
final class ChatMessages {
    private ChatMessages() {}

    /** Reads them; special tokens that a client spells out are broken apart. */
    static List<Message> read(JsonNode json, Tokenizer tokenizer) throws ApiException {
        JsonNode array = json.path("messages");
        if (!array.isArray() || array.isEmpty()) {
            throw ApiException.invalid("messages", "missing; give an array of at least one {role, content}");
        }
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            String field = "messages[" + i + "]";
            JsonNode role = array.get(i).path("role");
            if (!role.isTextual()) {
                throw ApiException.invalid(field + ".role", "missing; give system, user or assistant");
            }
            String content = content(array.get(i).path("content"), field + ".content");
            messages.add(new Message(role.asText(), tokenizer.withoutSpecialTokens(content)));
        }
        return messages;
    }

    private static String content(JsonNode content, String field) throws ApiException {
        if (content.isTextual()) {
            return content.asText();
        }
        if (!content.isArray()) {
            throw ApiException.invalid(field, "missing; give a text or an array of text parts");
        }
        StringBuilder text = new StringBuilder();
        for (JsonNode part : content) {
            if (!part.path("type").asText().equals("text")) {
                throw ApiException.invalid(
                        field, "type '" + part.path("type").asText() + "' is not supported; use 'text'");
            }
            text.append(part.path("text").asText());
        }
        return text.toString();
    }
}
