package dev.tmax.model.cli;

import dev.tmax.model.ModelFolder;
import dev.tmax.model.Precision;
import dev.tmax.model.decode.DecodeEngine;
import dev.tmax.model.decode.DecodeOptions;
import dev.tmax.model.decode.GenerationLimits;
import dev.tmax.model.decode.Prompt;
import dev.tmax.model.decode.SamplingParameters;
import dev.tmax.model.decode.SequenceEvent;
import dev.tmax.model.text.Detokenizer;
import dev.tmax.model.text.Message;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "chat",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Talks to a model: one user turn a line on standard input, until it ends.")
final class ChatCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "model folder")
    private Path folder;

    @Option(names = "--system", defaultValue = "", description = "system prompt; empty for the template's own")
    private String system;

    @Option(names = "--temperature", defaultValue = "0", description = "0 for the most probable token")
    private double temperature;

    @Option(names = "--max-tokens", defaultValue = "256", description = "most tokens of an answer")
    private int maxTokens;

    @Option(names = "--context", defaultValue = "2048", description = "most tokens of the conversation")
    private int context;

    @Option(names = "--threads", defaultValue = "2")
    private int threads;

    @Option(names = "--seed", defaultValue = "1")
    private long seed;

    @Override
    public void run() {
        ModelFolder model = ModelFolder.open(folder);
        int positions = Math.min(context, model.configuration().maxPositions());
        try (DecodeEngine engine =
                        DecodeEngine.open(model, new DecodeOptions(1, positions, Precision.BF16, true, threads));
                BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            talk(model, engine, input);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void talk(ModelFolder model, DecodeEngine engine, BufferedReader input) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        GenerationLimits limits =
                new GenerationLimits(maxTokens, List.of(), model.tokenizer().endOfSequence());
        long sequence = 0;
        int last = 0;
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (sequence == 0) {
                int[] prompt = model.tokenizer().encode(model.chatTemplate().render(opening(line), true));
                sequence = engine.start(new Prompt(prompt), limits, SamplingParameters.temperature(temperature), seed);
            } else {
                engine.resume(sequence, model.chatTemplate().continuation(model.tokenizer(), last, line), limits);
            }
            last = answer(model, engine, out);
        }
    }

    private List<Message> opening(String line) {
        List<Message> messages = new ArrayList<>();
        if (!system.isEmpty()) {
            messages.add(Message.system(system));
        }
        messages.add(Message.user(line));
        return messages;
    }

    /** Prints one turn as it comes; returns its last token. */
    private static int answer(ModelFolder model, DecodeEngine engine, PrintWriter out) {
        Detokenizer text = model.tokenizer().detokenizer();
        int last = 0;
        for (List<SequenceEvent> events = engine.step(); !events.isEmpty(); events = engine.step()) {
            for (SequenceEvent event : events) {
                if (event instanceof SequenceEvent.Token token) {
                    last = token.token();
                    if (!model.tokenizer().endOfSequence().contains(last)) {
                        out.print(text.add(last));
                        out.flush();
                    }
                }
            }
        }
        out.println();
        out.flush();
        return last;
    }
}
