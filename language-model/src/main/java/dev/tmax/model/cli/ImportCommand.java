package dev.tmax.model.cli;

import dev.tmax.model.ModelFolder;
import dev.tmax.model.gguf.GgufImport;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "import-gguf",
        mixinStandardHelpOptions = true,
        description = "Turns a GGUF file into a folder in Hugging Face layout, weights in bfloat16.")
final class ImportCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "FILE", description = "GGUF file")
    private Path file;

    @Parameters(index = "1", paramLabel = "DIR", description = "folder to write")
    private Path folder;

    @Override
    public void run() {
        ModelFolder model = GgufImport.convert(file, folder);
        spec.commandLine().getOut().printf("%s: %,d parameters%n", folder, model.parameters());
    }
}
