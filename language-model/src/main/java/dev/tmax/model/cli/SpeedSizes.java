package dev.tmax.model.cli;

import picocli.CommandLine.Option;

/** How large the things are that {@link Speed} measures. */
final class SpeedSizes {
    @Option(names = "--prompt", defaultValue = "100", description = "prompt tokens, of decoding and of a group")
    int prompt;

    @Option(names = "--new", defaultValue = "32", description = "tokens decoded")
    int newTokens;

    @Option(names = "--groups", defaultValue = "8", description = "groups of train-group")
    int groups;

    @Option(names = "--samples", defaultValue = "8", description = "samples of a group")
    int samples;

    @Option(names = "--response", defaultValue = "30", description = "tokens of a sample")
    int response;
}
