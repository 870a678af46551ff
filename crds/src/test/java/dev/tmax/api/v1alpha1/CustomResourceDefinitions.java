package dev.tmax.api.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRuleBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes the YAML of the kinds from their classes, and adds what no annotation can say. */
final class CustomResourceDefinitions {

    static final List<Class<? extends HasMetadata>> KINDS =
            List.of(TrainingRun.class, TaskSet.class, SandboxPool.class, Checkpoint.class);

    private CustomResourceDefinitions() {}

    /** YAML by file name. */
    static Map<String, String> generate(Path scratch) throws IOException {
        new CRDGenerator()
                .customResourceClasses(KINDS)
                .forCRDVersions("v1")
                .inOutputDir(Files.createDirectories(scratch).toFile())
                .detailedGenerate();
        Map<String, String> yamlByFile = new TreeMap<>();
        try (var files = Files.list(scratch)) {
            for (Path file : files.toList()) {
                var definition = Serialization.unmarshal(Files.readString(file), CustomResourceDefinition.class);
                complete(definition);
                order(definition);
                yamlByFile.put(definition.getMetadata().getName() + ".yaml", Serialization.asYaml(definition));
            }
        }
        return yamlByFile;
    }

    private static void complete(CustomResourceDefinition definition) {
        JSONSchemaProps root =
                definition.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
        root.setRequired(List.of("spec"));
        removeRepeatedRules(root);
        if (definition.getSpec().getNames().getKind().equals("TrainingRun")) {
            root.getXKubernetesValidations()
                    .add(new ValidationRuleBuilder()
                            .withRule(
                                    "size(self.metadata.name) <= 63 && self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')")
                            .withMessageExpression(
                                    "'metadata.name: ' + self.metadata.name + ' is not usable; it becomes part of Service names: at most 63 characters, lower-case letters, digits and hyphens, a letter first'")
                            .build());
            // A bound, so that the API server can estimate the cost of the rule.
            recipe(root)
                    .getProperties()
                    .get("optimizer")
                    .getProperties()
                    .get("betas")
                    .getItems()
                    .getSchema()
                    .setMaxLength(32L);
        }
        if (definition.getSpec().getNames().getKind().equals("TaskSet")) {
            root.setXKubernetesValidations(List.of(new ValidationRuleBuilder()
                    .withRule("size(self.metadata.name) <= 63")
                    .withMessageExpression(
                            "'metadata.name: ' + self.metadata.name + ' is not usable; it becomes the value of a label: at most 63 characters'")
                    .build()));
        }
        if (definition.getSpec().getNames().getKind().equals("SandboxPool")) {
            JSONSchemaProps demand =
                    root.getProperties().get("spec").getProperties().get("demand");
            demand.setXKubernetesListType("map");
            demand.setXKubernetesListMapKeys(List.of("name"));
        }
        useListMapsForConditions(root);
    }

    /** The generator sorts columns by path; people read them in the order of the class. */
    private static void order(CustomResourceDefinition definition) {
        List<String> names = KINDS.stream()
                .filter(kind -> kind.getSimpleName()
                        .equals(definition.getSpec().getNames().getKind()))
                .flatMap(kind -> Arrays.stream(kind.getAnnotationsByType(AdditionalPrinterColumn.class)))
                .map(AdditionalPrinterColumn::name)
                .toList();
        definition
                .getSpec()
                .getVersions()
                .getFirst()
                .getAdditionalPrinterColumns()
                .sort(Comparator.comparingInt(column -> names.indexOf(column.getName())));
    }

    /** An annotation on a component of a record is seen on its field and on its accessor. */
    private static void removeRepeatedRules(JSONSchemaProps schema) {
        if (schema.getXKubernetesValidations() != null) {
            schema.setXKubernetesValidations(new ArrayList<>(new LinkedHashSet<>(schema.getXKubernetesValidations())));
        }
        if (schema.getProperties() != null) {
            schema.getProperties().values().forEach(CustomResourceDefinitions::removeRepeatedRules);
        }
        if (schema.getItems() != null) {
            removeRepeatedRules(schema.getItems().getSchema());
        }
    }

    private static JSONSchemaProps recipe(JSONSchemaProps root) {
        return root.getProperties().get("spec").getProperties().get("recipe");
    }

    private static void useListMapsForConditions(JSONSchemaProps root) {
        JSONSchemaProps status = root.getProperties().get("status");
        JSONSchemaProps conditions = status.getProperties().get("conditions");
        conditions.setXKubernetesListType("map");
        conditions.setXKubernetesListMapKeys(List.of("type"));
        conditions.getItems().getSchema().setRequired(List.of("type", "status"));
    }
}
