package dev.tmax.generator.episode;

import java.util.ArrayList;
import java.util.List;

/** What an assistant turn asks for. */
sealed interface Answer {

    /** How an answer begins its block. */
    String OPENING = "```bash";

    String CLOSING = "```";

    /** The turn is over once this is said: the closing fence on a line of its own, which an opening one never is. */
    String END_OF_BLOCK = "\n```\n";

    /** Exactly one closed bash block: run it. */
    record Command(String text) implements Answer {}

    /**
     * Anything else.
     *
     * @param reminder what to tell the model
     */
    record Malformed(String reminder) implements Answer {}

    /**
     * Reads a turn. A block begins with a line {@code ```bash} and ends with a line {@code ```}; blocks of other
     * languages are prose.
     */
    static Answer of(String turn) {
        List<String> blocks = new ArrayList<>();
        StringBuilder block = null;
        boolean prose = false;
        for (String line : turn.split("\n", -1)) {
            String fence = line.strip();
            if (block != null && fence.equals(CLOSING)) {
                blocks.add(block.toString());
                block = null;
            } else if (block != null) {
                block.append(block.isEmpty() ? "" : "\n").append(line);
            } else if (prose) {
                prose = !fence.equals(CLOSING);
            } else if (fence.equals(OPENING)) {
                block = new StringBuilder();
            } else {
                prose = fence.startsWith(CLOSING);
            }
        }
        if (block != null) {
            return new Malformed(reminder("a bash block that is not closed"));
        }
        return switch (blocks.size()) {
            case 1 -> new Command(blocks.getFirst());
            case 0 -> new Malformed(reminder("no bash block"));
            default -> new Malformed(reminder(blocks.size() + " bash blocks"));
        };
    }

    private static String reminder(String found) {
        return "Nothing was run: your message has " + found + ". Send exactly one, in this form:\n" + OPENING
                + "\nyour command\n" + CLOSING;
    }
}
