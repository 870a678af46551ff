package dev.tmax.trainer.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PromptScheduleTest {

    private static final List<String> TASKS =
            IntStream.range(0, 10).mapToObj(i -> "task-" + i).toList();

    private static PromptSchedule schedule(long seed) {
        return new PromptSchedule(TASKS, seed, ScheduleState.start());
    }

    private static List<Prompt> take(PromptSchedule schedule, int count) {
        List<Prompt> prompts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            prompts.add(schedule.next());
        }
        return prompts;
    }

    private static List<String> tasks(List<Prompt> prompts) {
        return prompts.stream().map(Prompt::taskId).toList();
    }

    @Test
    void everyPassGivesEveryTaskOnceInAnotherOrder() {
        List<Prompt> prompts = take(schedule(1), 20);

        assertThat(tasks(prompts.subList(0, 10))).containsExactlyInAnyOrderElementsOf(TASKS);
        assertThat(tasks(prompts.subList(10, 20))).containsExactlyInAnyOrderElementsOf(TASKS);
        assertThat(tasks(prompts.subList(0, 10))).isNotEqualTo(tasks(prompts.subList(10, 20)));
    }

    @Test
    void theSeedDecidesTheOrder() {
        assertThat(take(schedule(1), 20)).isEqualTo(take(schedule(1), 20));
        assertThat(take(schedule(1), 10)).isNotEqualTo(take(schedule(2), 10));
    }

    @Test
    void aResumedScheduleIssuesWhatWasInFlightFirstAndNothingTwice() {
        PromptSchedule before = schedule(1);
        List<Prompt> issued = take(before, 6);
        before.settle(Set.of(issued.get(0).number(), issued.get(3).number()));

        PromptSchedule after = new PromptSchedule(TASKS, 1, before.state());

        List<Prompt> expected = new ArrayList<>(List.of(issued.get(1), issued.get(2), issued.get(4), issued.get(5)));
        expected.addAll(take(before, 3));
        assertThat(take(after, 7)).isEqualTo(expected);
    }

    @Test
    void whatIsIssuedAgainStaysInFlightUntilItsStepIsDone() {
        PromptSchedule before = schedule(1);
        take(before, 3);
        PromptSchedule after = new PromptSchedule(TASKS, 1, before.state());
        take(after, 2);

        assertThat(after.state().inFlight()).hasSize(3);
    }

    @Test
    void lookingAheadTakesNothing() {
        PromptSchedule schedule = schedule(1);
        take(schedule, 2);

        List<Prompt> ahead = schedule.ahead(5);

        assertThat(take(schedule, 5)).isEqualTo(ahead);
    }

    @Test
    void everyAttemptHasASeedOfItsOwnWhichAnyProcessComputesAlike() {
        long count = IntStream.range(0, 100)
                .mapToLong(i -> Seeds.ofAttempt(1, i / 10, i % 10))
                .distinct()
                .count();

        assertThat(count).isEqualTo(100);
        assertThat(Seeds.ofAttempt(1, 2, 3)).isEqualTo(Seeds.ofAttempt(1, 2, 3));
    }
}
