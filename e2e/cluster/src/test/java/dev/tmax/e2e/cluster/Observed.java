package dev.tmax.e2e.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What an object of ours says in its status, as any client can read it. */
record Observed(GenericKubernetesResource object) {

    String phase() {
        return text("phase");
    }

    int step() {
        return number("step");
    }

    int policyVersion() {
        return number("policyVersion");
    }

    Object status(String... path) {
        Object[] full = new Object[path.length + 1];
        full[0] = "status";
        System.arraycopy(path, 0, full, 1, path.length);
        return object.get(full);
    }

    boolean is(String condition) {
        return condition(condition).map(c -> "True".equals(c.get("status"))).orElse(false);
    }

    /** Message of a condition, whatever its status; empty where there is none. */
    String message(String condition) {
        return condition(condition).map(c -> c.getOrDefault("message", "")).orElse("");
    }

    /** All conditions in one line, for failures and for finding a reason wherever it is said. */
    String conditions() {
        return String.valueOf(status("conditions"));
    }

    @SuppressWarnings("unchecked")
    private Optional<Map<String, String>> condition(String type) {
        List<Map<String, String>> conditions = (List<Map<String, String>>) status("conditions");
        if (conditions == null) {
            return Optional.empty();
        }
        return conditions.stream().filter(c -> type.equals(c.get("type"))).findFirst();
    }

    private String text(String field) {
        return String.valueOf(status(field));
    }

    private int number(String field) {
        Object value = status(field);
        return value == null ? 0 : ((Number) value).intValue();
    }

    @Override
    public String toString() {
        return object.getKind() + " " + object.getMetadata().getName() + " " + object.get("status");
    }
}
