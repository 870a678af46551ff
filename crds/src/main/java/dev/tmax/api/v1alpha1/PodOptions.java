package dev.tmax.api.v1alpha1;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;

/** What a person may say about the pods of one part of a run. Absent parts are null or empty. */
public interface PodOptions {

    ResourceRequirements resources();

    Map<String, String> nodeSelector();

    List<Toleration> tolerations();

    Affinity affinity();

    String runtimeClassName();

    String priorityClassName();
}
