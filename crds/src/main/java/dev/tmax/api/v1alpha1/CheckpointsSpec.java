package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;

/** Snapshots of the run. */
public record CheckpointsSpec(
        @Default("20") @Min(1) @JsonPropertyDescription("Steps between two snapshots.")
        Integer everySteps,

        @Default("3") @Min(1) @JsonPropertyDescription("Newest snapshots that are kept.")
        Integer keep,

        @Default("{}") @JsonPropertyDescription("Where they lie.")
        Storage storage,

        @Default("true") @JsonPropertyDescription("Write the model beside each snapshot in Hugging Face layout.")
        Boolean exportHuggingFace,

        @Default("Delete") @JsonPropertyDescription("What becomes of the snapshots when the run is deleted.")
        DeletionPolicy deletionPolicy) {

    /** A claim that exists, or the size of one to make. */
    @ValidationRule(
            value = "!has(self.persistentVolumeClaim) || !has(self.storageClassName)",
            message =
                    "storage has persistentVolumeClaim and storageClassName; name a claim that exists, or give size and storageClassName of one to make",
            fieldPath = ".storageClassName")
    public record Storage(
            @JsonPropertyDescription("Claim that exists; the run uses a folder of its own in it.")
            ClaimName persistentVolumeClaim,

            @Default("10Gi") @JsonPropertyDescription("Size of the claim to make.")
            Quantity size,

            @Size(max = 253) @JsonPropertyDescription("Class of the claim to make; absent: the cluster's default.")
            String storageClassName) {}

    /** A PersistentVolumeClaim by name. */
    public record ClaimName(
            @Required @Size(min = 1, max = 253) @JsonPropertyDescription("Name of the PersistentVolumeClaim.")
            String claimName) {}
}
