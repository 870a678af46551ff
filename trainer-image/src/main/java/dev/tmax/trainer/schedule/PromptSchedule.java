package dev.tmax.trainer.schedule;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Hands out prompts in a seeded order and remembers those whose step is not finished, so that a resumed run issues them
 * again first and counts nothing twice. Not thread-safe.
 */
public final class PromptSchedule {

    private final List<String> taskIds;
    private final TaskOrder order;
    private final SortedMap<Long, Prompt> inFlight = new TreeMap<>();
    private final Deque<Prompt> again = new ArrayDeque<>();
    private long cursor;

    /**
     * @param taskIds sorted, at least one
     * @param state of an earlier process; a prompt in it whose task is gone is left out
     */
    public PromptSchedule(List<String> taskIds, long seed, ScheduleState state) {
        this.taskIds = List.copyOf(taskIds);
        this.order = new TaskOrder(taskIds.size(), seed);
        this.cursor = state.cursor();
        for (Prompt prompt : state.inFlight()) {
            if (taskIds.contains(prompt.taskId())) {
                inFlight.put(prompt.number(), prompt);
                again.add(prompt);
            }
        }
    }

    /** The next prompt; it is in flight until {@link #settle}. */
    public Prompt next() {
        if (!again.isEmpty()) {
            return again.remove();
        }
        Prompt prompt = prompt(cursor++);
        inFlight.put(prompt.number(), prompt);
        return prompt;
    }

    /** The prompts that {@link #next} will give, without taking them. */
    public List<Prompt> ahead(int count) {
        List<Prompt> prompts = new ArrayList<>(count);
        again.stream().limit(count).forEach(prompts::add);
        for (long position = cursor; prompts.size() < count; position++) {
            prompts.add(prompt(position));
        }
        return prompts;
    }

    /** These prompts are accounted for by a finished step. */
    public void settle(Collection<Long> numbers) {
        numbers.forEach(inFlight::remove);
    }

    public ScheduleState state() {
        return new ScheduleState(cursor, List.copyOf(inFlight.values()));
    }

    private Prompt prompt(long position) {
        return new Prompt(position, taskIds.get(order.at(position)));
    }
}
