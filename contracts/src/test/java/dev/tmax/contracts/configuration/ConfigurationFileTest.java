package dev.tmax.contracts.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationFileTest {

    private static final String MINIMAL = """
            run: first
            namespace: local
            model: {path: /model, maxPromptTokens: 256, maxResponseTokens: 64, maxTurnTokens: 64}
            tasks: {path: /tasks, shuffleSeed: 0}
            recipe:
              algorithm: DPPO
              steps: 10
              promptsPerStep: 8
              groupSize: 8
              asyncSteps: 2
              optimizer: {learningRate: 1e-6, beta1: 0.9, beta2: 0.95, weightDecay: 0, maxGradNorm: 1}
            sandboxes: {backend: LOCAL, attemptsPerPod: 8}
            checkpoints: {path: /checkpoints, everySteps: 5, keep: 3, exportHuggingFace: true}
            """;

    @Test
    void whatIsWrittenIsReadBackEqual() {
        RunConfiguration configuration = ConfigurationFile.parse(MINIMAL);

        String text = ConfigurationFile.write(configuration);

        assertThat(ConfigurationFile.parse(text)).isEqualTo(configuration);
        assertThat(ConfigurationFile.write(ConfigurationFile.parse(text))).isEqualTo(text);
    }

    @Test
    void leavesOutWhatHasADefault() {
        RunConfiguration configuration = ConfigurationFile.parse(MINIMAL);

        assertThat(configuration.recipe().dppo()).isEqualTo(Recipe.Dppo.DEFAULT);
        assertThat(configuration.agent()).isEqualTo(Agent.DEFAULT);
        assertThat(configuration.weightSync()).isEqualTo(WeightSync.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource({
        "groupSize: 8,groupSize: 1,recipe.groupSize,at least 2",
        "steps: 10,steps: 0,recipe.steps,above 0",
        "learningRate: 1e-6,learningRate: -1,recipe.optimizer.learningRate,positive",
        "maxTurnTokens: 64,maxTurnTokens: 65,model.maxTurnTokens,at most maxResponseTokens",
        "keep: 3,keep: 0,checkpoints.keep,above 0",
        "algorithm: DPPO,algorithm: REINFORCE,configuration,DPPO",
        "keep: 3,'keep: 3, kept: 3',configuration,kept",
    })
    void saysWhichFieldIsWrongAndWhatToDo(String good, String bad, String field, String remedy) {
        assertThatThrownBy(() -> ConfigurationFile.parse(MINIMAL.replace(good, bad)))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining(remedy)
                .extracting(e -> ((InvalidConfigurationException) e).field())
                .isEqualTo(field);
    }
}
