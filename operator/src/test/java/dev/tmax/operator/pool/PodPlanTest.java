package dev.tmax.operator.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.api.v1alpha1.SandboxPoolSpec;
import dev.tmax.api.v1alpha1.SandboxPoolSpec.Demand;
import dev.tmax.operator.pool.PodPlan.PodName;
import dev.tmax.operator.pool.PodPlan.PodView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodPlanTest {

    @Test
    void attemptsAreSharedOutOverPods() {
        PodPlan plan = PodPlan.of("p", spec(10, 4, new Demand("a", "a:1", 9, 1)), List.of());

        assertThat(plan.create()).extracting(PodName::toString).containsExactly("p-a-0-0", "p-a-1-0", "p-a-2-0");
    }

    @Test
    void earlierStepsAreServedFirst() {
        PodPlan plan = PodPlan.of(
                "p", spec(2, 1, new Demand("late", "b:1", 2, 9), new Demand("early", "a:1", 1, 3)), List.of());

        assertThat(plan.granted()).containsExactly(Map.entry("early", 1), Map.entry("late", 1));
    }

    @Test
    void anEndedPodIsDeletedAndFollowedByTheNextIncarnation() {
        PodPlan plan = PodPlan.of("p", spec(1, 1, new Demand("a", "a:1", 1, 1)), List.of(view("a", 0, 4, true, false)));

        assertThat(plan.delete()).containsExactly("p-a-0-4");
        assertThat(plan.create()).extracting(PodName::toString).containsExactly("p-a-0-5");
    }

    @Test
    void aPodThatIsBeingDeletedStillTakesItsPlace() {
        PodPlan plan = PodPlan.of("p", spec(1, 1, new Demand("a", "a:1", 1, 1)), List.of(view("a", 0, 0, false, true)));

        assertThat(plan.isNothing()).isTrue();
    }

    @Test
    void anotherImageUnderTheSameNameMakesThePodAnew() {
        PodPlan plan =
                PodPlan.of("p", spec(2, 1, new Demand("a", "a:2", 1, 1)), List.of(view("a", 0, 0, false, false)));

        assertThat(plan.delete()).containsExactly("p-a-0-0");
        assertThat(plan.create()).extracting(PodName::toString).containsExactly("p-a-0-1");
    }

    @Test
    void anImageThatCannotBePulledKeepsOnePodOnly() {
        PodView stuck = new PodView(new PodName("p", "bad", 0, 0), "bad:1", false, false, true);

        PodPlan plan = PodPlan.of(
                "p", spec(4, 1, new Demand("bad", "bad:1", 4, 1), new Demand("good", "a:1", 4, 2)), List.of(stuck));

        assertThat(plan.granted()).containsEntry("bad", 1).containsEntry("good", 3);
    }

    /** Random demand against random pods, with a cluster that carries the plans out in random order and pace. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whateverHappensTheInvariantsHoldAndThePlanComesToRest(long seed) {
        Random random = new Random(seed);
        List<PodView> pods = new ArrayList<>();
        SandboxPoolSpec spec = randomSpec(random);
        for (int pass = 0; pass < 200; pass++) {
            if (pass < 150 && random.nextInt(10) == 0) {
                spec = randomSpec(random);
                // A smaller bound is reached by deletion, which takes a moment.
            }
            PodPlan plan = PodPlan.of("p", spec, pods);
            int before = alive(pods);
            carryOut(plan, pods, random, pass >= 150);
            assertThat(alive(pods))
                    .as("never above maxPods by creation")
                    .isLessThanOrEqualTo(Math.max(before, spec.maxPods()));
            assertNoIndexHasTwo(pods);
        }
        assertThat(PodPlan.of("p", spec, pods).isNothing()).isTrue();
        assertThat(pods).allMatch(PodView::works);
        assertThat(alive(pods))
                .isEqualTo(PodPlan.of("p", spec, pods).granted().values().stream()
                        .mapToInt(n -> n)
                        .sum());
    }

    private static void carryOut(PodPlan plan, List<PodView> pods, Random random, boolean calm) {
        pods.replaceAll(pod -> plan.delete().contains(pod.name().toString()) && (calm || random.nextBoolean())
                ? new PodView(pod.name(), pod.image(), pod.ended(), true, false)
                : pod);
        for (PodName name : plan.create()) {
            if (calm || random.nextBoolean()) {
                String image = name.entry() + ":1";
                pods.add(new PodView(name, image, false, false, false));
            }
        }
        pods.removeIf(pod -> pod.terminating() && (calm || random.nextBoolean()));
        if (!calm) {
            pods.replaceAll(pod -> random.nextInt(12) == 0
                    ? new PodView(pod.name(), pod.image(), true, pod.terminating(), false)
                    : pod);
        }
    }

    private static SandboxPoolSpec randomSpec(Random random) {
        List<Demand> demand = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d")) {
            if (random.nextInt(3) > 0) {
                demand.add(new Demand(name, name + ":1", random.nextInt(12), random.nextInt(5)));
            }
        }
        return spec(1 + random.nextInt(8), 1 + random.nextInt(4), demand.toArray(Demand[]::new));
    }

    private static int alive(List<PodView> pods) {
        return (int) pods.stream().filter(pod -> !pod.ended()).count();
    }

    private static void assertNoIndexHasTwo(List<PodView> pods) {
        Map<String, Integer> working = new HashMap<>();
        pods.stream()
                .filter(PodView::works)
                .forEach(pod -> working.merge(pod.name().entry() + pod.name().index(), 1, Integer::sum));
        assertThat(working.values()).allMatch(count -> count == 1);
    }

    private static PodView view(String entry, int index, int incarnation, boolean ended, boolean terminating) {
        return new PodView(new PodName("p", entry, index, incarnation), entry + ":1", ended, terminating, false);
    }

    private static SandboxPoolSpec spec(int maxPods, int attemptsPerPod, Demand... demand) {
        return new SandboxPoolSpec(
                new SandboxPoolSpec.RunRef("n", "r", "u"),
                maxPods,
                attemptsPerPod,
                86_400L,
                null,
                null,
                null,
                null,
                null,
                null,
                Arrays.asList(demand));
    }
}
