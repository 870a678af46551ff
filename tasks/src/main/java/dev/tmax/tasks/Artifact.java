package dev.tmax.tasks;

import java.util.List;

/**
 * Something that an attempt leaves and that a verifier with an environment of its own gets to see.
 *
 * @param source path in the sandbox
 * @param exclude patterns of what is left out of a folder
 */
public record Artifact(String source, List<String> exclude) {
    public Artifact {
        exclude = List.copyOf(exclude);
    }
}
