package dev.tmax.tasks;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * One thing that is wrong with a task.
 *
 * @param file relative to the folder of the task
 * @param line from 1, where the file is a text that was parsed
 * @param column from 1
 * @param key the dotted key, where it is about one
 * @param value what was found there
 * @param reason what is wrong with it
 * @param remedy what to write or do instead
 */
public record Problem(
        String file,
        OptionalInt line,
        OptionalInt column,
        Optional<String> key,
        Optional<String> value,
        String reason,
        String remedy) {

    /** A problem with a whole file or folder. */
    public static Problem ofFile(String file, String reason, String remedy) {
        return new Problem(
                file, OptionalInt.empty(), OptionalInt.empty(), Optional.empty(), Optional.empty(), reason, remedy);
    }

    /** In one line: {@code task.toml:3:1: agent.timeout_sec = -5: is not above 0; write …}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(file);
        line.ifPresent(number -> text.append(':').append(number));
        column.ifPresent(number -> text.append(':').append(number));
        text.append(": ");
        key.ifPresent(name -> {
            text.append(name);
            value.ifPresent(found -> text.append(" = ").append(found));
            text.append(": ");
        });
        return text.append(reason).append("; ").append(remedy).toString();
    }
}
