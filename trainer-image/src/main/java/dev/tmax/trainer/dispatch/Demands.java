package dev.tmax.trainer.dispatch;

import dev.tmax.tasks.Task;
import dev.tmax.trainer.cells.Cells;
import dev.tmax.trainer.schedule.Prompt;
import dev.tmax.trainer.schedule.PromptSchedule;
import dev.tmax.trainer.schedule.UsableTasks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which images will be wanted, from what is under way and what the schedule brings next. */
final class Demands {

    /** Entries of one demand: the soonest ones. */
    private static final int MOST_ENTRIES = 256;

    private final Map<String, Cells.Demand> byImage = new LinkedHashMap<>();
    private final int mostAttempts;

    /** @param mostAttempts that can run at the same time: more cells of one image would stay idle */
    private Demands(int mostAttempts) {
        this.mostAttempts = mostAttempts;
    }

    /**
     * @param step optimizer steps done
     * @param nextGroups groups of the schedule to look ahead
     */
    static List<Cells.Demand> of(
            Board board,
            PromptSchedule schedule,
            Map<String, Task> tasks,
            DispatchSettings settings,
            int step,
            int nextGroups) {
        int perStep = settings.staleness().groupsPerStep();
        // Before generators come, room for one step; then as much as they can use.
        Demands demands = new Demands(Math.max(board.slots(), settings.groupSize() * perStep));
        board.heldOut.forEach(group -> demands.add(group.image(), group.unfinished(), step));
        int position = 0;
        for (OpenGroup group : board.training.values()) {
            demands.add(group.image(), group.unfinished(), step + position++ / perStep);
        }
        for (Prompt prompt : schedule.ahead(nextGroups)) {
            String image = UsableTasks.image(tasks.get(prompt.taskId()));
            demands.add(image, settings.groupSize(), step + position++ / perStep);
        }
        List<Cells.Demand> all = new ArrayList<>(demands.byImage.values());
        return all.subList(0, Math.min(MOST_ENTRIES, all.size()));
    }

    private void add(String image, int attempts, int step) {
        byImage.merge(
                image,
                new Cells.Demand(image, Math.min(attempts, mostAttempts), step),
                (known, more) -> new Cells.Demand(
                        image, Math.min(known.attempts() + more.attempts(), mostAttempts), known.step()));
    }
}
