package dev.tmax.e2e.apiserver;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test with a namespace of its own. */
@ExtendWith(Cluster.class)
abstract class OperatorTest {

    Cluster.Running cluster;
    Stage stage;

    @BeforeEach
    void prepare(Cluster.Running running) {
        cluster = running;
        stage = new Stage(running);
    }

    @AfterEach
    void clear() {
        if (stage != null) {
            stage.close();
        }
    }
}
