package dev.tmax.sandboxes.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Reads a reward as Harbor does, and stricter where it is lax: within [0, 1], plain ASCII digits, and one number that is
 * clearly meant.
 */
final class Reward {

    private static final Pattern NUMBER = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
    private static final String WHITESPACE = " \t\n\r\u000b\f";
    private static final ObjectReader JSON = JsonMapper.builder()
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .reader();

    private Reward() {}

    /** One number, white space around it allowed. */
    static double ofText(byte[] content) throws InvalidRewardException {
        String text = strip(decode(content));
        if (text.isEmpty()) {
            throw new InvalidRewardException("is empty");
        }
        if (!NUMBER.matcher(text).matches()) {
            throw new InvalidRewardException("holds " + quote(text) + ", not one number");
        }
        return inRange(Double.parseDouble(text), text);
    }

    /**
     * An object of numbers (true and false count as 1 and 0): the reward is its key {@code reward}, else its only value.
     */
    static double ofJson(byte[] content) throws InvalidRewardException {
        String text = decode(content);
        if (strip(text).isEmpty()) {
            throw new InvalidRewardException("is empty");
        }
        JsonNode node;
        try {
            node = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new InvalidRewardException("is not JSON: " + e.getOriginalMessage());
        }
        if (!node.isObject()) {
            throw new InvalidRewardException("holds " + quote(text) + ", not an object such as {\"reward\": 1}");
        }
        for (JsonNode value : node) {
            if (!value.isNumber() && !value.isBoolean()) {
                throw new InvalidRewardException("holds " + quote(value.toString()) + ", not a number");
            }
        }
        if (!node.has("reward") && node.size() != 1) {
            throw new InvalidRewardException(
                    "has " + node.size() + " keys and none is 'reward': write the one number that counts as 'reward'");
        }
        JsonNode value =
                node.has("reward") ? node.get("reward") : node.elements().next();
        double reward = value.isBoolean() ? (value.booleanValue() ? 1 : 0) : value.doubleValue();
        return inRange(reward, value.toString());
    }

    private static double inRange(double reward, String text) throws InvalidRewardException {
        if (!(reward >= 0 && reward <= 1)) {
            throw new InvalidRewardException("holds " + quote(text) + ", outside of [0, 1]");
        }
        return reward == 0 ? 0 : reward; // no negative zero
    }

    private static String decode(byte[] content) throws InvalidRewardException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidRewardException("is not UTF-8 text");
        }
    }

    private static String strip(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && WHITESPACE.indexOf(text.charAt(from)) >= 0) {
            from++;
        }
        while (from < to && WHITESPACE.indexOf(text.charAt(to - 1)) >= 0) {
            to--;
        }
        return text.substring(from, to);
    }

    private static String quote(String text) {
        return "'" + (text.length() > 80 ? text.substring(0, 80) + "…" : text) + "'";
    }
}
