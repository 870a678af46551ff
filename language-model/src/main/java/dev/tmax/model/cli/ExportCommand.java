package dev.tmax.model.cli;

import dev.tmax.model.ModelFolder;
import dev.tmax.model.Precision;
import dev.tmax.model.train.AdamW;
import dev.tmax.model.train.TrainingEngine;
import dev.tmax.model.train.TrainingOptions;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = {
            "Writes a model as a training run exports it: the text part, in bfloat16, as transformers reads it.",
            "Needs the memory of training (see inspect)."
        })
final class ExportCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "DIR", description = "model folder")
    private Path folder;

    @Parameters(index = "1", paramLabel = "TARGET", description = "folder to write")
    private Path target;

    @Override
    public void run() {
        TrainingOptions options = new TrainingOptions(Precision.FP32, true, 1, AdamW.recipe(), 1);
        try (TrainingEngine engine = TrainingEngine.open(ModelFolder.open(folder), options)) {
            engine.exportHuggingFace(target);
        }
        spec.commandLine()
                .getOut()
                .printf("%s: %,d parameters%n", target, ModelFolder.open(target).parameters());
    }
}
