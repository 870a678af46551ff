package dev.tmax.generator.episode;

import dev.tmax.contracts.configuration.RunConfiguration;
import dev.tmax.generator.decode.Decoder;
import dev.tmax.generator.serve.GeneratorMetrics;

/** What all episodes of a generator share. */
public record EpisodeContext(
        RunConfiguration configuration,
        Dialogue dialogue,
        TaskCatalog tasks,
        Decoder decoder,
        SandboxHosts hosts,
        GeneratorMetrics metrics) {}
