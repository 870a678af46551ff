package dev.tmax.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** Exactly one place of a model folder. */
@ValidationRule(
        value = "[has(self.image), has(self.persistentVolumeClaim), has(self.checkpointRef)].filter(x, x).size() == 1",
        messageExpression =
                "(has(self.image) || has(self.persistentVolumeClaim) || has(self.checkpointRef) ? 'model.source has several sources' : 'model.source has no source') + '; give exactly one of image, persistentVolumeClaim, checkpointRef'")
public record ModelSource(
        @Size(min = 1, max = 512) @JsonPropertyDescription("OCI image whose root is the folder.")
        String image,

        @JsonPropertyDescription("Claim that holds the folder.")
        ClaimSource persistentVolumeClaim,

        @JsonPropertyDescription("Checkpoint in this namespace that was exported in Hugging Face layout.")
        NameRef checkpointRef) {}
