package dev.tmax.model.openai;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** How an answer is written: the JSON of the two interfaces. */
enum Format {
    CHAT("chatcmpl-", "chat.completion", "chat.completion.chunk"),
    COMPLETION("cmpl-", "text_completion", "text_completion");

    /**
     * One token of an answer.
     *
     * @param text the text that it completed
     */
    record ScoredToken(String text, float logProbability) {}

    private static final ObjectMapper JSON = new ObjectMapper();

    private final String idPrefix;
    private final String whole;
    private final String chunk;

    Format(String idPrefix, String whole, String chunk) {
        this.idPrefix = idPrefix;
        this.whole = whole;
        this.chunk = chunk;
    }

    /** The response without its choices. */
    ObjectNode envelope(String id, long created, String model, boolean streaming) {
        ObjectNode json = JSON.createObjectNode();
        json.put("id", idPrefix + id);
        json.put("object", streaming ? chunk : whole);
        json.put("created", created);
        json.put("model", model);
        json.putArray("choices");
        return json;
    }

    /** A whole answer. */
    ObjectNode choice(int index, String text, String finishReason, List<ScoredToken> scores) {
        ObjectNode choice = JSON.createObjectNode().put("index", index);
        switch (this) {
            case CHAT -> choice.putObject("message").put("role", "assistant").put("content", text);
            case COMPLETION -> choice.put("text", text);
        }
        return finished(choice, finishReason, scores);
    }

    /**
     * A piece of an answer.
     *
     * @param first whether it is the answer's first
     * @param finishReason null before the last piece
     */
    ObjectNode piece(int index, String text, boolean first, String finishReason, List<ScoredToken> scores) {
        ObjectNode choice = JSON.createObjectNode().put("index", index);
        switch (this) {
            case CHAT -> {
                ObjectNode delta = choice.putObject("delta");
                if (first) {
                    delta.put("role", "assistant");
                }
                if (!text.isEmpty() || first) {
                    delta.put("content", text);
                }
            }
            case COMPLETION -> choice.put("text", text);
        }
        return finished(choice, finishReason, scores);
    }

    private ObjectNode finished(ObjectNode choice, String finishReason, List<ScoredToken> scores) {
        if (scores.isEmpty()) {
            choice.putNull("logprobs");
        } else {
            choice.set("logprobs", scores(scores));
        }
        return choice.put("finish_reason", finishReason);
    }

    private ObjectNode scores(List<ScoredToken> scores) {
        ObjectNode json = JSON.createObjectNode();
        switch (this) {
            case CHAT -> {
                var content = json.putArray("content");
                for (ScoredToken score : scores) {
                    content.addObject().put("token", score.text).put("logprob", score.logProbability);
                }
            }
            case COMPLETION -> {
                json.set(
                        "tokens",
                        JSON.valueToTree(scores.stream().map(ScoredToken::text).toList()));
                List<Float> values = new ArrayList<>();
                scores.forEach(score -> values.add(score.logProbability));
                json.set("token_logprobs", JSON.valueToTree(values));
            }
        }
        return json;
    }

    static ObjectNode usage(int promptTokens, int answerTokens) {
        return JSON.createObjectNode()
                .put("prompt_tokens", promptTokens)
                .put("completion_tokens", answerTokens)
                .put("total_tokens", promptTokens + answerTokens);
    }

    static ObjectNode error(ApiException failure) {
        ObjectNode json = JSON.createObjectNode();
        json.putObject("error")
                .put("message", failure.getMessage())
                .put("type", failure.type())
                .put("param", failure.parameter().orElse(null))
                .put("code", failure.code().orElse(null));
        return json;
    }
}
