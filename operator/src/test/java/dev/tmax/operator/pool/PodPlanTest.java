package dev.tmax.operator.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.api.v1alpha1.SandboxPoolSpec.Demand;
import dev.tmax.operator.pool.PodPlan.Wish;
import dev.tmax.operator.pool.PodView.Life;
import dev.tmax.operator.pool.PodView.PodName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodPlanTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void attemptsAreSharedOutOverPods() {
        PodPlan plan = PodPlan.of(wish(10, 4, new Demand("a", "a:1", 9, 1)), List.of());

        assertThat(plan.create()).extracting(PodName::toString).containsExactly("p-a-0-0", "p-a-1-0", "p-a-2-0");
    }

    @Test
    void earlierStepsAreServedFirst() {
        PodPlan plan =
                PodPlan.of(wish(2, 1, new Demand("late", "b:1", 2, 9), new Demand("early", "a:1", 1, 3)), List.of());

        assertThat(plan.granted()).containsExactly(Map.entry("early", 1), Map.entry("late", 1));
    }

    @Test
    void anEndedPodIsDeletedAndFollowedByTheNextIncarnation() {
        PodPlan plan = PodPlan.of(wish(1, 1, new Demand("a", "a:1", 1, 1)), List.of(view("a", 0, 4, Life.ENDED)));

        assertThat(plan.delete()).containsOnlyKeys("p-a-0-4");
        assertThat(plan.create()).extracting(PodName::toString).containsExactly("p-a-0-5");
    }

    @Test
    void aPodThatIsBeingDeletedStillTakesItsPlace() {
        PodPlan plan =
                PodPlan.of(wish(1, 1, new Demand("a", "a:1", 1, 1)), List.of(terminating(view("a", 0, 0, Life.READY))));

        assertThat(plan.isNothing()).isTrue();
    }

    @Test
    void anotherImageUnderTheSameNameMakesThePodAnewOnceTheOldOneIsGone() {
        Wish wish = wish(2, 1, new Demand("a", "a:2", 1, 1));

        PodPlan first = PodPlan.of(wish, List.of(view("a", 0, 0, Life.READY)));
        PodPlan then = PodPlan.of(wish, List.of());

        assertThat(first.delete()).containsOnlyKeys("p-a-0-0");
        assertThat(first.create()).isEmpty();
        assertThat(then.create()).extracting(PodName::toString).containsExactly("p-a-0-0");
    }

    @Test
    void aPodThatNoLongerAnswersIsReplacedAfterAWhile() {
        Wish wish = wish(1, 1, new Demand("a", "a:1", 1, 1));

        PodPlan soon = PodPlan.of(wish, List.of(aged(view("a", 0, 0, Life.SILENT), Duration.ofSeconds(119))));
        PodPlan later = PodPlan.of(wish, List.of(aged(view("a", 0, 0, Life.SILENT), Duration.ofSeconds(120))));

        assertThat(soon.isNothing()).isTrue();
        assertThat(soon.wake()).contains(NOW.plusSeconds(1));
        assertThat(later.delete()).containsOnlyKeys("p-a-0-0");
    }

    @Test
    void anImageThatCannotBePulledKeepsOnePodOnly() {
        PodPlan plan = PodPlan.of(
                wish(4, 1, new Demand("bad", "bad:1", 4, 1), new Demand("good", "good:1", 4, 2)),
                List.of(view("bad", 0, 0, Life.STUCK)));

        assertThat(plan.granted()).containsEntry("bad", 1).containsEntry("good", 3);
    }

    @Test
    void anImageThatOneNodeCannotPullKeepsThePodsOfTheOthers() {
        PodPlan plan = PodPlan.of(
                wish(4, 1, new Demand("a", "a:1", 2, 1)),
                List.of(view("a", 0, 0, Life.STUCK), view("a", 1, 0, Life.READY)));

        assertThat(plan.delete()).isEmpty();
    }

    @Test
    void aBadImageGivesItsPlaceToThoseWhoWaitAndHasItsTurnLater() {
        Wish first = wish(1, 1, new Demand("bad", "bad:1", 1, 1), new Demand("good", "good:1", 1, 2));
        PodView stuck = aged(view("bad", 0, 0, Life.STUCK), PodPlan.STUCK_PATIENCE);

        PodPlan gaveUp = PodPlan.of(first, List.of(stuck));
        PodPlan inPause = PodPlan.of(later(first, gaveUp, Duration.ofSeconds(29)), List.of());
        PodPlan nextTurn = PodPlan.of(later(first, gaveUp, Duration.ofSeconds(31)), List.of());

        assertThat(gaveUp.delete()).containsEntry("p-bad-0-0", "cannot start");
        assertThat(gaveUp.granted()).containsExactly(Map.entry("bad", 0), Map.entry("good", 1));
        assertThat(gaveUp.wake()).contains(NOW.plusSeconds(30));
        assertThat(inPause.create()).extracting(PodName::entry).containsExactly("good");
        assertThat(nextTurn.create()).extracting(PodName::entry).containsExactly("bad");
    }

    @Test
    void aBadImageKeepsAPlaceThatNobodyWaitsFor() {
        PodPlan plan = PodPlan.of(
                wish(2, 1, new Demand("bad", "bad:1", 8, 1), new Demand("good", "good:1", 1, 2)),
                List.of(aged(view("bad", 0, 0, Life.STUCK), Duration.ofHours(1)), view("good", 0, 0, Life.READY)));

        assertThat(plan.isNothing()).isTrue();
        assertThat(plan.setbacks()).isEmpty();
    }

    @Test
    void anImageThatCannotRunIsTriedAgainAfterPausesThatGrow() {
        Wish wish = wish(4, 1, new Demand("a", "a:1", 3, 1));
        Instant now = NOW;
        List<Duration> pauses = new ArrayList<>();
        for (int turn = 0; turn < 7; turn++) {
            PodPlan failed = PodPlan.of(wish, List.of(view("a", 0, turn, Life.FAILED_AT_START)));
            assertThat(failed.create()).isEmpty();
            assertThat(failed.delete()).hasSize(1);
            pauses.add(Duration.between(now, failed.setbacks().get("a").until()));
            now = failed.setbacks().get("a").until();
            wish = new Wish("p", 4, 1, wish.demand(), failed.setbacks(), now);
            assertThat(PodPlan.of(wish, List.of()).create())
                    .as("one pod tries for all")
                    .hasSize(1);
        }

        assertThat(pauses).extracting(Duration::toSeconds).containsExactly(30L, 60L, 120L, 240L, 480L, 480L, 480L);
    }

    @Test
    void aPodThatStartedEndsTheSetback() {
        Setback past = new Setback(3, NOW.minusSeconds(1), "exit code 1");

        PodPlan plan = PodPlan.of(
                new Wish("p", 9, 1, List.of(new Demand("a", "a:1", 3, 1)), Map.of("a", past), NOW),
                List.of(view("a", 0, 0, Life.READY)));

        assertThat(plan.setbacks()).isEmpty();
        assertThat(plan.create()).hasSize(2);
    }

    @Test
    void anImageIsPulledByFewPodsUntilTheFirstIsReady() {
        Wish wish = wish(64, 1, new Demand("a", "a:1", 20, 1));
        List<PodView> four = IntStream.range(0, 4)
                .mapToObj(i -> view("a", i, 0, Life.WARMING))
                .toList();

        assertThat(PodPlan.of(wish, List.of()).create()).hasSize(PodPlan.MOST_OF_NEW_IMAGE);
        assertThat(PodPlan.of(wish, four).create()).isEmpty();
        List<PodView> oneReady = new ArrayList<>(four);
        oneReady.set(0, view("a", 0, 0, Life.READY));
        assertThat(PodPlan.of(wish, oneReady).create()).hasSize(16);
    }

    @Test
    void podsOnTheirWayAreBounded() {
        Demand[] many = IntStream.range(0, 20)
                .mapToObj(i -> new Demand("e" + i, "e" + i + ":1", 3, i))
                .toArray(Demand[]::new);

        assertThat(PodPlan.of(wish(64, 1, many), List.of()).create()).hasSize(PodPlan.MOST_IN_FLIGHT);
    }

    /** Random demand against random pods, with a cluster that carries the plans out in random order and pace. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whateverHappensTheInvariantsHoldAndThePlanComesToRest(long seed) {
        Random random = new Random(seed);
        List<PodView> pods = new ArrayList<>();
        Wish wish = randomWish(random);
        for (int pass = 0; pass < 200; pass++) {
            boolean calm = pass >= 150;
            PodPlan plan = PodPlan.of(wish, pods);
            int before = alive(pods);
            carryOut(plan, wish, pods, random, calm);
            assertThat(alive(pods))
                    .as("never above maxPods by creation")
                    .isLessThanOrEqualTo(Math.max(before, wish.maxPods()));
            assertNoIndexHasTwo(pods);
            Duration step = Duration.ofSeconds(calm ? 500 : random.nextInt(60));
            if (!calm && random.nextInt(10) == 0) {
                // A smaller bound is reached by deletion, which takes a moment.
                Wish other = randomWish(random);
                wish = new Wish(
                        "p",
                        other.maxPods(),
                        other.attemptsPerPod(),
                        other.demand(),
                        plan.setbacks(),
                        wish.now().plus(step));
            } else {
                wish = later(wish, plan, step);
            }
        }
        PodPlan rest = PodPlan.of(wish, pods);
        assertThat(rest.isNothing()).isTrue();
        Instant end = wish.now();
        assertThat(rest.setbacks().values())
                .noneMatch(setback -> setback.until().isAfter(end));
        assertThat(pods).allMatch(PodView::works);
        assertThat(alive(pods))
                .isEqualTo(rest.granted().values().stream().mapToInt(n -> n).sum());
    }

    private static void carryOut(PodPlan plan, Wish wish, List<PodView> pods, Random random, boolean calm) {
        pods.replaceAll(pod -> plan.delete().containsKey(pod.name().toString()) && (calm || random.nextBoolean())
                ? terminating(pod)
                : pod);
        for (PodName name : plan.create()) {
            if (calm || random.nextBoolean()) {
                pods.add(new PodView(name, name.entry() + ":1", Life.WARMING, wish.now(), false, ""));
            }
        }
        pods.removeIf(pod -> pod.terminating() && (calm || random.nextBoolean()));
        Life[] lives = Life.values();
        pods.replaceAll(pod -> {
            if (calm) {
                return pod.alive() ? lives(pod, Life.READY, wish.now()) : pod;
            }
            return pod.alive() && random.nextInt(8) == 0
                    ? lives(pod, lives[random.nextInt(lives.length)], wish.now())
                    : pod;
        });
    }

    private static Wish randomWish(Random random) {
        List<Demand> demand = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d")) {
            if (random.nextInt(3) > 0) {
                demand.add(new Demand(name, name + ":1", random.nextInt(12), random.nextInt(5)));
            }
        }
        return wish(1 + random.nextInt(8), 1 + random.nextInt(4), demand.toArray(Demand[]::new));
    }

    private static int alive(List<PodView> pods) {
        return (int) pods.stream().filter(PodView::alive).count();
    }

    private static void assertNoIndexHasTwo(List<PodView> pods) {
        Map<String, Integer> working = new HashMap<>();
        pods.stream()
                .filter(PodView::alive)
                .forEach(pod -> working.merge(pod.name().entry() + pod.name().index(), 1, Integer::sum));
        assertThat(working.values()).allMatch(count -> count == 1);
    }

    private static PodView view(String entry, int index, int incarnation, Life life) {
        return new PodView(new PodName("p", entry, index, incarnation), entry + ":1", life, NOW, false, "");
    }

    private static PodView terminating(PodView pod) {
        return new PodView(pod.name(), pod.image(), pod.life(), pod.since(), true, pod.problem());
    }

    private static PodView aged(PodView pod, Duration age) {
        return new PodView(
                pod.name(), pod.image(), pod.life(), pod.since().minus(age), pod.terminating(), pod.problem());
    }

    private static PodView lives(PodView pod, Life life, Instant since) {
        return new PodView(pod.name(), pod.image(), life, since, pod.terminating(), "");
    }

    private static Wish wish(int maxPods, int attemptsPerPod, Demand... demand) {
        return new Wish("p", maxPods, attemptsPerPod, List.of(demand), Map.of(), NOW);
    }

    private static Wish later(Wish wish, PodPlan plan, Duration time) {
        return new Wish(
                wish.pool(),
                wish.maxPods(),
                wish.attemptsPerPod(),
                wish.demand(),
                plan.setbacks(),
                wish.now().plus(time));
    }
}
