package dev.tmax.trainer.schedule;

import dev.tmax.contracts.configuration.InvalidConfigurationException;
import dev.tmax.contracts.configuration.RunConfiguration;
import dev.tmax.contracts.configuration.SandboxSource;
import dev.tmax.contracts.configuration.TaskSelection;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.text.Message;
import dev.tmax.tasks.LoadedTaskSet;
import dev.tmax.tasks.Selection;
import dev.tmax.tasks.Split;
import dev.tmax.tasks.Task;
import dev.tmax.tasks.TaskFormat;
import dev.tmax.tasks.TaskSet;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tasks of a folder that this run can use, and how many it cannot use and why.
 *
 * @param byId usable tasks, sorted by id
 * @param skipped number of unusable tasks by reason
 */
public record UsableTasks(SequencedMap<String, Task> byId, Map<String, Integer> skipped) {

    /** The image name of tasks that run on this machine's own root file system. */
    public static final String LOCAL_IMAGE = "local";

    /** Tokens that may come or go where an instruction meets what stands around it. */
    private static final int JOINTS = 8;

    private static final Logger LOG = LoggerFactory.getLogger(UsableTasks.class);

    /**
     * @param field of the configuration that names the folder, for errors
     * @throws InvalidConfigurationException if no task is usable
     */
    public static UsableTasks load(
            String field,
            String path,
            String format,
            TaskSelection selection,
            RunConfiguration configuration,
            ModelFolder model) {
        LoadedTaskSet loaded =
                TaskSet.load(Path.of(path), format(field, format)).select(selection(selection));
        int empty = promptTokens("", configuration, model);
        Map<String, Integer> skipped = new LinkedHashMap<>();
        SequencedMap<String, Task> usable = new LinkedHashMap<>();
        loaded.invalid().forEach(task -> {
            skipped.merge("invalid", 1, Integer::sum);
            LOG.warn("task {} is skipped: {}", task.name(), task.reason());
        });
        for (Task task : loaded.tasks()) {
            if (!hasImage(task, configuration.sandboxes())) {
                skipped.merge("no image", 1, Integer::sum);
                LOG.warn("task {} is skipped: it names no image; build it first with `tasks build`", task.id());
                continue;
            }
            if (!task.demands().isEmpty()) {
                skipped.merge("more than one cell", 1, Integer::sum);
                LOG.warn("task {} is skipped: episodes cannot have {}", task.id(), String.join(", ", task.demands()));
                continue;
            }
            // Rendering and encoding thousands of prompts takes long, and no token is shorter than a byte.
            int bytes = task.instruction().getBytes(StandardCharsets.UTF_8).length;
            int tokens = empty + bytes + JOINTS <= configuration.model().maxPromptTokens()
                    ? empty + bytes
                    : promptTokens(task.instruction(), configuration, model);
            if (tokens > configuration.model().maxPromptTokens()) {
                skipped.merge("prompt too long", 1, Integer::sum);
                LOG.warn(
                        "task {} is skipped: its prompt of {} tokens is longer than model.maxPromptTokens, {}",
                        task.id(),
                        tokens,
                        configuration.model().maxPromptTokens());
                continue;
            }
            usable.put(task.id(), task);
        }
        if (usable.isEmpty()) {
            throw new InvalidConfigurationException(
                    field, path, "no task in it can be used (" + reasons(skipped) + "): mend the tasks or name others");
        }
        LOG.info("{}: {} tasks, {} skipped {}", path, usable.size(), count(skipped.values()), skipped);
        return new UsableTasks(usable, Map.copyOf(skipped));
    }

    /** Ids, sorted. */
    public List<String> ids() {
        return List.copyOf(byId.keySet());
    }

    /** The image that a task's cells need. */
    public static String image(Task task) {
        return task.environment().image().orElse(LOCAL_IMAGE);
    }

    private static Selection selection(TaskSelection wanted) {
        return new Selection(
                Set.copyOf(wanted.domains()),
                Set.copyOf(wanted.difficulties()),
                Set.copyOf(wanted.languages()),
                Optional.ofNullable(wanted.split())
                        .map(split -> new Split(
                                Split.Part.valueOf(split.part().name()), split.heldOutPercent(), split.seed())));
    }

    private static boolean hasImage(Task task, SandboxSource sandboxes) {
        return sandboxes.backend() == SandboxSource.Backend.LOCAL
                || task.environment().image().isPresent();
    }

    /** Length of the prompt as generators render it: system prompt, if any, and instruction. */
    private static int promptTokens(String instruction, RunConfiguration configuration, ModelFolder model) {
        List<Message> messages = new ArrayList<>();
        if (configuration.agent().systemPrompt() != null) {
            messages.add(Message.system(configuration.agent().systemPrompt()));
        }
        messages.add(Message.user(instruction));
        return model.tokenizer().encode(model.chatTemplate().render(messages, true)).length;
    }

    private static TaskFormat format(String field, String title) {
        return Arrays.stream(TaskFormat.values())
                .filter(format -> format.title().equalsIgnoreCase(title))
                .findFirst()
                .orElseThrow(() -> new InvalidConfigurationException(
                        field.replace("path", "format"), title, "use Harbor, TerminalBench or Auto"));
    }

    private static int count(Collection<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).sum();
    }

    private static String reasons(Map<String, Integer> skipped) {
        return skipped.isEmpty() ? "it holds none" : skipped.toString();
    }
}
