package dev.tmax.operator.pool;

import dev.tmax.api.v1alpha1.SandboxPoolSpec;
import dev.tmax.api.v1alpha1.SandboxPoolSpec.Demand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which sandbox pods to make and to delete. Pure arithmetic over the demand and the pods that are there:
 *
 * <ul>
 *   <li>an entry wants ⌈attempts ÷ attemptsPerPod⌉ pods, at the indices 0, 1, …;
 *   <li>entries are granted pods in the order of their steps, all together at most maxPods;
 *   <li>an entry whose image cannot be pulled is granted one pod, which goes on trying;
 *   <li>an index has one pod at a time; one that ended is deleted and followed by its next incarnation;
 *   <li>pods that end or are being deleted still count until they are gone, so that maxPods holds at every moment.
 * </ul>
 *
 * @param create pods to make now, in order of need
 * @param delete names of pods to delete now
 * @param granted number of pods by entry, in step order
 */
record PodPlan(List<PodName> create, Set<String> delete, Map<String, Integer> granted) {

    /** Name of the pod of one index of one entry. */
    record PodName(String pool, String entry, int index, int incarnation) {

        @Override
        public String toString() {
            return pool + "-" + entry + "-" + index + "-" + incarnation;
        }
    }

    /**
     * A pod that is there.
     *
     * @param ended it will never run again
     * @param terminating it is being deleted
     * @param imageProblem its image cannot be pulled
     */
    record PodView(PodName name, String image, boolean ended, boolean terminating, boolean imageProblem) {

        boolean works() {
            return !ended && !terminating;
        }
    }

    static PodPlan of(String pool, SandboxPoolSpec spec, Collection<PodView> pods) {
        List<Demand> demand = inStepOrder(spec);
        Map<String, Integer> granted = grant(spec, demand, pods);
        Map<String, String> imageByEntry = new HashMap<>();
        demand.forEach(entry -> imageByEntry.put(entry.name(), entry.image()));

        Set<String> delete = new HashSet<>();
        Set<String> taken = new HashSet<>();
        Map<String, Integer> lastIncarnation = new HashMap<>();
        for (PodView pod : sorted(pods)) {
            PodName name = pod.name();
            String index = name.entry() + "/" + name.index();
            lastIncarnation.merge(index, name.incarnation(), Math::max);
            boolean wanted = name.index() < granted.getOrDefault(name.entry(), 0)
                    && pod.image().equals(imageByEntry.get(name.entry()));
            if (pod.terminating()) {
                continue;
            }
            if (pod.ended() || !wanted || !taken.add(index)) {
                delete.add(name.toString());
            }
        }

        long alive = pods.stream().filter(pod -> !pod.ended()).count();
        List<PodName> create = new ArrayList<>();
        granted.forEach((entry, count) -> {
            for (int i = 0; i < count && alive + create.size() < spec.maxPods(); i++) {
                String index = entry + "/" + i;
                if (!taken.contains(index)) {
                    create.add(new PodName(pool, entry, i, lastIncarnation.getOrDefault(index, -1) + 1));
                }
            }
        });
        return new PodPlan(List.copyOf(create), Set.copyOf(delete), granted);
    }

    boolean isNothing() {
        return create.isEmpty() && delete.isEmpty();
    }

    private static Map<String, Integer> grant(SandboxPoolSpec spec, List<Demand> demand, Collection<PodView> pods) {
        Set<String> withImageProblem = new HashSet<>();
        pods.stream()
                .filter(PodView::imageProblem)
                .forEach(pod -> withImageProblem.add(pod.name().entry()));
        Map<String, Integer> granted = new LinkedHashMap<>();
        int left = spec.maxPods();
        for (Demand entry : demand) {
            int wanted = Math.ceilDiv(entry.attempts(), spec.attemptsPerPod());
            int most = withImageProblem.contains(entry.name()) ? 1 : left;
            int given = Math.min(Math.min(wanted, most), left);
            granted.put(entry.name(), given);
            left -= given;
        }
        return granted;
    }

    private static List<Demand> inStepOrder(SandboxPoolSpec spec) {
        return (spec.demand() == null ? List.<Demand>of() : spec.demand())
                .stream()
                        .sorted(Comparator.comparing(Demand::step).thenComparing(Demand::name))
                        .toList();
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
