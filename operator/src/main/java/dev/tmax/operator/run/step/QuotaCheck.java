package dev.tmax.operator.run.step;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the quota that refuses a pod. A StatefulSet's own controller is refused, not the operator, and says so only in
 * Events; the numbers are in the quotas.
 */
final class QuotaCheck {

    private final KubernetesClient client;

    QuotaCheck(KubernetesClient client) {
        this.client = client;
    }

    /** Names quota, resource, asked, used and limit, for the first quota without room for one more such pod. */
    Optional<String> refusal(String namespace, PodSpec pod) {
        Map<String, BigDecimal> asked = asked(pod);
        return client.resourceQuotas().inNamespace(namespace).list().getItems().stream()
                .map(quota -> refusal(quota, asked))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> refusal(ResourceQuota quota, Map<String, BigDecimal> asked) {
        if (quota.getStatus() == null || quota.getStatus().getHard() == null) {
            return Optional.empty();
        }
        for (Map.Entry<String, Quantity> hard : quota.getStatus().getHard().entrySet()) {
            BigDecimal more = asked.get(hard.getKey());
            if (more == null) {
                continue;
            }
            Quantity used = quota.getStatus().getUsed() == null
                    ? null
                    : quota.getStatus().getUsed().get(hard.getKey());
            BigDecimal inUse = used == null ? BigDecimal.ZERO : used.getNumericalAmount();
            if (inUse.add(more).compareTo(hard.getValue().getNumericalAmount()) > 0) {
                return Optional.of("exceeded quota: " + quota.getMetadata().getName() + ", requested: " + hard.getKey()
                        + "=" + more.toPlainString() + ", used: " + hard.getKey() + "="
                        + (used == null ? "0" : used.toString()) + ", limited: " + hard.getKey() + "=" + hard.getValue()
                        + "; raise the quota or ask for less, the run goes on then");
            }
        }
        return Optional.empty();
    }

    private static Map<String, BigDecimal> asked(PodSpec pod) {
        Map<String, BigDecimal> asked = new HashMap<>();
        asked.put("pods", BigDecimal.ONE);
        asked.put("count/pods", BigDecimal.ONE);
        pod.getContainers().forEach(container -> {
            if (container.getResources() == null) {
                return;
            }
            Map<String, Quantity> limits = container.getResources().getLimits();
            if (limits != null) {
                limits.forEach((resource, amount) -> add(asked, "limits." + resource, amount));
            }
            // What is limited and not requested is requested as it is limited.
            Map<String, Quantity> requests = new HashMap<>(limits == null ? Map.of() : limits);
            if (container.getResources().getRequests() != null) {
                requests.putAll(container.getResources().getRequests());
            }
            requests.forEach((resource, amount) -> {
                add(asked, "requests." + resource, amount);
                add(asked, resource, amount);
            });
        });
        return asked;
    }

    private static void add(Map<String, BigDecimal> asked, String resource, Quantity amount) {
        asked.merge(resource, amount.getNumericalAmount(), BigDecimal::add);
    }
}
