package dev.tmax.operator.pool;

import dev.tmax.api.v1alpha1.SandboxPoolSpec.Demand;
import dev.tmax.operator.pool.PodView.Life;
import dev.tmax.operator.pool.PodView.PodName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which sandbox pods to make and to delete. Pure arithmetic over the demand and the pods that are there:
 *
 * <ul>
 *   <li>an entry wants ⌈attempts ÷ attemptsPerPod⌉ pods, at the indices 0, 1, …;
 *   <li>entries are granted pods in the order of their steps, all together at most maxPods;
 *   <li>an entry whose pods cannot start is granted one, which goes on trying; where another entry waits for that place, or
 *       the pod failed for good, the entry gives it up and has its next turn after a pause;
 *   <li>an index has one live pod at a time; one that ended, or no longer answers, is deleted and followed by its next
 *       incarnation;
 *   <li>pods that end or are being deleted still count until they are gone, so that maxPods holds at every moment;
 *   <li>few pods are on their way at one time, and very few of an image until its first pod is ready: the others would only
 *       pull the same.
 * </ul>
 *
 * @param create pods to make now, in order of need
 * @param delete names of pods to delete now, with the reason
 * @param granted number of pods by entry, in step order
 * @param setbacks entries that have no turn now
 * @param wake when time alone will change the plan; empty where it will not
 */
record PodPlan(
        List<PodName> create,
        Map<String, String> delete,
        Map<String, Integer> granted,
        Map<String, Setback> setbacks,
        Optional<Instant> wake) {

    /** Pods of a pool on their way at one time. */
    static final int MOST_IN_FLIGHT = 32;

    /** Pods on their way at one time of an image that none has started from yet. */
    static final int MOST_OF_NEW_IMAGE = 4;

    /** Time that a pod may fail to start while others wait for the place. */
    static final Duration STUCK_PATIENCE = Duration.ofSeconds(60);

    /** Time that an env-runner may be silent; longer than a lease, so that a trainer has given the pod up, too. */
    static final Duration SILENCE_PATIENCE = Duration.ofSeconds(120);

    /**
     * What a pool is asked for.
     *
     * @param setbacks entries that had no turn when the pool was looked at last
     */
    record Wish(
            String pool,
            int maxPods,
            int attemptsPerPod,
            List<Demand> demand,
            Map<String, Setback> setbacks,
            Instant now) {

        int pods(Demand entry) {
            return Math.ceilDiv(entry.attempts(), attemptsPerPod);
        }

        List<Demand> inStepOrder() {
            return demand.stream()
                    .sorted(Comparator.comparing(Demand::step).thenComparing(Demand::name))
                    .toList();
        }
    }

    static PodPlan of(Wish wish, Collection<PodView> pods) {
        Map<String, Setback> setbacks = setbacks(wish, pods);
        Map<String, Integer> granted = grant(wish, pods, setbacks);
        Map<String, String> imageByEntry = new HashMap<>();
        wish.demand().forEach(entry -> imageByEntry.put(entry.name(), entry.image()));

        Map<String, String> delete = new LinkedHashMap<>();
        Set<String> kept = new HashSet<>();
        Set<String> occupied = new HashSet<>();
        Map<String, Integer> lastIncarnation = new HashMap<>();
        for (PodView pod : sorted(pods)) {
            PodName name = pod.name();
            String index = name.entry() + "/" + name.index();
            lastIncarnation.merge(index, name.incarnation(), Math::max);
            if (pod.alive()) {
                // Also one that is deleted now: until it is gone, there is no other for its index.
                occupied.add(index);
            }
            if (pod.terminating()) {
                continue;
            }
            boolean wanted = name.index() < granted.getOrDefault(name.entry(), 0)
                    && pod.image().equals(imageByEntry.get(name.entry()));
            if (!pod.alive()) {
                delete.put(name.toString(), "ended" + (pod.problem().isEmpty() ? "" : ": " + pod.problem()));
            } else if (!wanted || kept.contains(index)) {
                delete.put(name.toString(), setbacks.containsKey(name.entry()) ? "cannot start" : "no longer wanted");
            } else if (silentTooLong(pod, wish.now())) {
                delete.put(name.toString(), "no longer answers");
            } else {
                kept.add(index);
            }
        }
        return new PodPlan(
                create(wish, pods, granted, imageByEntry, occupied, lastIncarnation),
                delete,
                granted,
                setbacks,
                wake(wish, pods, setbacks));
    }

    boolean isNothing() {
        return create.isEmpty() && delete.isEmpty();
    }

    private static List<PodName> create(
            Wish wish,
            Collection<PodView> pods,
            Map<String, Integer> granted,
            Map<String, String> imageByEntry,
            Set<String> occupied,
            Map<String, Integer> lastIncarnation) {
        long alive = pods.stream().filter(PodView::alive).count();
        long inFlight = pods.stream().filter(PodView::inFlight).count();
        Set<String> started = new HashSet<>();
        Map<String, Integer> inFlightByImage = new HashMap<>();
        for (PodView pod : pods) {
            if (pod.life() == Life.READY) {
                started.add(pod.image());
            } else if (pod.inFlight()) {
                inFlightByImage.merge(pod.image(), 1, Integer::sum);
            }
        }
        List<PodName> create = new ArrayList<>();
        granted.forEach((entry, count) -> {
            String image = imageByEntry.get(entry);
            for (int i = 0; i < count; i++) {
                String index = entry + "/" + i;
                boolean room = alive + create.size() < wish.maxPods() && inFlight + create.size() < MOST_IN_FLIGHT;
                boolean pulls = started.contains(image) || inFlightByImage.getOrDefault(image, 0) < MOST_OF_NEW_IMAGE;
                if (room && pulls && !occupied.contains(index)) {
                    create.add(new PodName(wish.pool(), entry, i, lastIncarnation.getOrDefault(index, -1) + 1));
                    inFlightByImage.merge(image, 1, Integer::sum);
                }
            }
        });
        return List.copyOf(create);
    }

    /** Those of before whose pause is not over, and those that give up their turn now. */
    private static Map<String, Setback> setbacks(Wish wish, Collection<PodView> pods) {
        boolean othersWait = wish.demand().stream()
                        .filter(entry -> !inPause(wish, entry))
                        .mapToLong(entry -> isStuck(pods, entry) ? 1 : wish.pods(entry))
                        .sum()
                > wish.maxPods();
        Map<String, Setback> setbacks = new HashMap<>();
        for (Demand entry : wish.demand()) {
            Setback before = wish.setbacks().get(entry.name());
            List<PodView> own = ofEntry(pods, entry).toList();
            if (own.stream().anyMatch(pod -> pod.life() == Life.READY)) {
                continue;
            }
            Optional<PodView> failed = own.stream()
                    .filter(pod -> pod.life() == Life.FAILED_AT_START
                            || othersWait
                                    && pod.life() == Life.STUCK
                                    && !pod.since().plus(STUCK_PATIENCE).isAfter(wish.now()))
                    .filter(pod -> !pod.terminating())
                    .findFirst();
            if (inPause(wish, entry)) {
                setbacks.put(entry.name(), before);
            } else if (failed.isPresent()) {
                setbacks.put(
                        entry.name(),
                        Setback.after(
                                before == null ? 0 : before.failures(),
                                failed.get().problem(),
                                wish.now()));
            } else if (before != null) {
                // Its turn has come: the next failure is one more in a row.
                setbacks.put(entry.name(), before);
            }
        }
        return setbacks;
    }

    private static boolean inPause(Wish wish, Demand entry) {
        Setback setback = wish.setbacks().get(entry.name());
        return setback != null && setback.until().isAfter(wish.now());
    }

    private static Map<String, Integer> grant(Wish wish, Collection<PodView> pods, Map<String, Setback> setbacks) {
        Map<String, Integer> granted = new LinkedHashMap<>();
        int left = wish.maxPods();
        for (Demand entry : wish.inStepOrder()) {
            Setback setback = setbacks.get(entry.name());
            boolean pausing = setback != null && setback.until().isAfter(wish.now());
            boolean tries = setback != null || isStuck(pods, entry);
            int most = pausing ? 0 : tries ? 1 : left;
            int given = Math.min(Math.min(wish.pods(entry), most), left);
            granted.put(entry.name(), given);
            left -= given;
        }
        return granted;
    }

    /** Whether no pod of the entry runs, and one says that it cannot start. */
    private static boolean isStuck(Collection<PodView> pods, Demand entry) {
        return ofEntry(pods, entry).anyMatch(pod -> pod.life() == Life.STUCK)
                && ofEntry(pods, entry).noneMatch(pod -> pod.life() == Life.READY);
    }

    private static Stream<PodView> ofEntry(Collection<PodView> pods, Demand entry) {
        return pods.stream()
                .filter(pod -> pod.name().entry().equals(entry.name()))
                .filter(pod -> pod.image().equals(entry.image()));
    }

    private static boolean silentTooLong(PodView pod, Instant now) {
        return pod.life() == Life.SILENT && !pod.since().plus(SILENCE_PATIENCE).isAfter(now);
    }

    private static Optional<Instant> wake(Wish wish, Collection<PodView> pods, Map<String, Setback> setbacks) {
        return Stream.concat(
                        setbacks.values().stream().map(Setback::until),
                        pods.stream().flatMap(pod -> switch (pod.life()) {
                            case STUCK -> Stream.of(pod.since().plus(STUCK_PATIENCE));
                            case SILENT -> Stream.of(pod.since().plus(SILENCE_PATIENCE));
                            case WARMING, READY, ENDED, FAILED_AT_START -> Stream.<Instant>empty();
                        }))
                .filter(time -> time.isAfter(wish.now()))
                .min(Comparator.naturalOrder());
    }

    /** Working pods first, older incarnations first: the one that is kept is the one that may host attempts. */
    private static List<PodView> sorted(Collection<PodView> pods) {
        return pods.stream()
                .sorted(Comparator.comparing((PodView pod) -> !pod.works())
                        .thenComparing(pod -> pod.name().entry())
                        .thenComparing(pod -> pod.name().index())
                        .thenComparing(pod -> pod.name().incarnation()))
                .toList();
    }
}
