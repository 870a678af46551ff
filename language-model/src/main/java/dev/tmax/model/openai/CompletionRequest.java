package dev.tmax.model.openai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tmax.model.decode.SamplingParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What both kinds of request have in common. Fields that would change the answer and are not supported are refused, so
 * that nobody takes an answer for what it is not; others are ignored.
 *
 * @param maxTokens most tokens of an answer; empty for as many as there is room for
 * @param answers answers wanted
 * @param seed of the first answer; each further one has the next
 */
record CompletionRequest(
        SamplingParameters sampling,
        OptionalInt maxTokens,
        List<String> stop,
        int answers,
        OptionalLong seed,
        boolean stream,
        boolean streamUsage,
        boolean logProbabilities) {
    private static final int MOST_ANSWERS = 128;
    private static final int MOST_STOPS = 16;
    private static final double MOST_TEMPERATURE = 2;
    private static final Set<String> UNSUPPORTED =
            Set.of("tools", "functions", "logit_bias", "echo", "suffix", "best_of", "audio", "top_logprobs");
    private static final Set<String> ZERO_ONLY = Set.of("frequency_penalty", "presence_penalty");

    static CompletionRequest read(JsonNode json) throws ApiException {
        refuseUnsupported(json);
        double temperature = number(json, "temperature", 1);
        if (!(temperature >= 0 && temperature <= MOST_TEMPERATURE)) {
            throw ApiException.invalid("temperature", temperature + "; give a number from 0 to 2");
        }
        double topP = number(json, "top_p", 1);
        if (!(topP > 0 && topP <= 1)) {
            throw ApiException.invalid("top_p", topP + "; give a number above 0, up to 1");
        }
        int topK = integer(json, "top_k", 0, Integer.MAX_VALUE).orElse(0);
        OptionalInt maxTokens = integer(json, "max_completion_tokens", 1, Integer.MAX_VALUE);
        return new CompletionRequest(
                new SamplingParameters(temperature, topP, topK),
                maxTokens.isPresent() ? maxTokens : integer(json, "max_tokens", 1, Integer.MAX_VALUE),
                stop(json),
                integer(json, "n", 1, MOST_ANSWERS).orElse(1),
                seed(json),
                flag(json, "stream"),
                flag(json.path("stream_options"), "include_usage"),
                json.path("logprobs").asBoolean(json.path("logprobs").asInt() > 0));
    }

    private static void refuseUnsupported(JsonNode json) throws ApiException {
        for (String field : UNSUPPORTED) {
            JsonNode value = json.path(field);
            boolean absent = value.isMissingNode()
                    || value.isNull()
                    || value.isBoolean() && !value.asBoolean()
                    || value.isContainerNode() && value.isEmpty();
            if (!absent) {
                throw ApiException.invalid(field, "not supported; leave it out");
            }
        }
        for (String field : ZERO_ONLY) {
            if (number(json, field, 0) != 0) {
                throw ApiException.invalid(field, "not supported; leave it out or give 0");
            }
        }
        String format = json.path("response_format").path("type").asText("text");
        if (!format.equals("text")) {
            throw ApiException.invalid("response_format", "'" + format + "' is not supported; use 'text'");
        }
    }

    private static double number(JsonNode json, String field, double otherwise) throws ApiException {
        if (!json.hasNonNull(field)) {
            return otherwise;
        }
        if (!json.get(field).isNumber()) {
            throw ApiException.invalid(field, json.get(field) + "; give a number");
        }
        return json.get(field).asDouble();
    }

    private static OptionalInt integer(JsonNode json, String field, int least, int most) throws ApiException {
        if (!json.hasNonNull(field)) {
            return OptionalInt.empty();
        }
        JsonNode value = json.get(field);
        if (!value.isInt() || value.asInt() < least || value.asInt() > most) {
            throw ApiException.invalid(field, value + "; give a whole number from " + least + " to " + most);
        }
        return OptionalInt.of(value.asInt());
    }

    private static OptionalLong seed(JsonNode json) throws ApiException {
        if (!json.hasNonNull("seed")) {
            return OptionalLong.empty();
        }
        if (!json.get("seed").canConvertToLong() || !json.get("seed").isIntegralNumber()) {
            throw ApiException.invalid("seed", json.get("seed") + "; give a whole number of 64 bits");
        }
        return OptionalLong.of(json.get("seed").asLong());
    }

    private static boolean flag(JsonNode json, String field) throws ApiException {
        if (!json.hasNonNull(field)) {
            return false;
        }
        if (!json.get(field).isBoolean()) {
            throw ApiException.invalid(field, json.get(field) + "; give true or false");
        }
        return json.get(field).asBoolean();
    }

    private static List<String> stop(JsonNode json) throws ApiException {
        if (!json.hasNonNull("stop")) {
            return List.of();
        }
        JsonNode stop = json.get("stop");
        List<String> texts = new ArrayList<>();
        if (stop.isTextual()) {
            texts.add(stop.asText());
        }
        for (JsonNode text : stop) {
            texts.add(text.isTextual() ? text.asText() : "");
        }
        if (texts.isEmpty() || texts.contains("") || texts.size() > MOST_STOPS) {
            throw ApiException.invalid("stop", stop + "; give a text, or up to " + MOST_STOPS + " texts, none empty");
        }
        return texts;
    }
}
