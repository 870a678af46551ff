package dev.tmax.operator.condition;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;

/** A reconciliation that the API server did not let come to its end, in words for a condition. */
public final class ApiRefusal {

    public static final String REASON = "ApiServerRefused";

    private ApiRefusal() {}

    /**
     * What the API server said, or why it could not be asked. Empty where the failure is another, and in a namespace that is
     * being deleted: nothing can be made there, and there is nothing to say about it.
     */
    public static Optional<String> message(Exception failure) {
        return refusal(failure)
                .filter(refused -> !isNamespaceEnding(refused))
                .map(refused -> words(refused) + "; it is tried again");
    }

    /** The framework may have wrapped it. */
    private static Optional<KubernetesClientException> refusal(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof KubernetesClientException)) {
            cause = cause.getCause();
        }
        return Optional.ofNullable((KubernetesClientException) cause);
    }

    /** The server's own sentence where it gave one. */
    public static String words(KubernetesClientException refused) {
        return refused.getStatus() == null || refused.getStatus().getMessage() == null
                ? refused.getMessage()
                : refused.getStatus().getMessage();
    }

    private static boolean isNamespaceEnding(KubernetesClientException refused) {
        return refused.getStatus() != null
                && refused.getStatus().getDetails() != null
                && refused.getStatus().getDetails().getCauses().stream()
                        .anyMatch(cause -> "NamespaceTerminating".equals(cause.getReason()));
    }
}
