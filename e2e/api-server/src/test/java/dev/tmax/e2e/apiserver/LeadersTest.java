package dev.tmax.e2e.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tmax.operator.OperatorRuntime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeadersTest extends OperatorTest {

    @Test
    void ofTwoReplicasOneWorksAndTheOtherTakesOver() {
        Await.until("the first leads", Duration.ofSeconds(40), cluster.operator()::isLeading);
        OperatorRuntime second = cluster.startOperator("second-of-" + stage.namespace());
        assertThat(second.isReady()).as("a follower is ready, too").isTrue();
        assertThat(second.isLeading()).isFalse();
        stage.applyGoodTasks();
        stage.apply(Stage.RUN_YAML);
        stage.awaitPod("run-trainer-0");

        cluster.operator().close();
        cluster.replaceOperator(second);

        Await.until("the second leads", Duration.ofSeconds(40), second::isLeading);
        stage.patchRun("{\"generators\":{\"replicas\":3}}");
        stage.awaitPod("run-generator-2");
    }
}
