package dev.tmax.envrunner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LifeTest {

    @Test
    void withoutAnyLeaseItEnds() throws InterruptedException {
        assertThat(new Life(Duration.ofMillis(50), Optional.empty()).awaitEnd()).contains("nobody took a lease");
    }

    @Test
    void aLeaseThatIsNotRenewedEndsIt() throws InterruptedException {
        Life life = new Life(Duration.ofHours(1), Optional.empty());
        life.lease("trainer-0", Duration.ofMillis(50));
        assertThat(life.awaitEnd()).isEqualTo("the lease of trainer-0 was not renewed for 50 ms");
    }

    @Test
    void heartbeatsRenewTheLease() throws InterruptedException {
        Life life = new Life(Duration.ofHours(1), Optional.of(Duration.ofMillis(600)));
        life.lease("trainer-0", Duration.ofMillis(400));
        Thread beats = Thread.ofVirtual().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                life.heartbeat();
            }
        });
        assertThat(life.awaitEnd()).contains("deadline");
        beats.interrupt();
    }

    @Test
    void beingToldEndsItAtOnce() throws InterruptedException {
        Life life = new Life(Duration.ofHours(1), Optional.empty());
        life.finish();
        assertThat(life.awaitEnd()).contains("told");
    }

    @Test
    void settingsComeFromTheEnvironmentAndAreHiddenFromCells() throws java.io.IOException {
        Settings settings = Settings.of(Map.of(
                "TMAX_TOKEN", "0123456789abcdef",
                "TMAX_PORT", "9090",
                "KUBERNETES_SERVICE_HOST", "10.96.0.1",
                "LC_ALL", "C.UTF-8",
                "TMAX_IMAGE_LC_ALL", "de_DE.UTF-8",
                "PATH", "/app/bin",
                "OF_THE_IMAGE", "1"));
        assertThat(settings.port()).isEqualTo(9090);
        assertThat(settings.imageEnvironment())
                .isEqualTo(Map.of("PATH", "/app/bin", "OF_THE_IMAGE", "1", "LC_ALL", "de_DE.UTF-8"));
    }

    @Test
    void wrongSettingsSayWhatToWrite() {
        Assertions.assertThatThrownBy(() -> Settings.of(Map.of())).hasMessageContaining("TMAX_TOKEN");
        Assertions.assertThatThrownBy(() -> Settings.of(Map.of("TMAX_TOKEN", "0123456789abcdef", "TMAX_PORT", "http")))
                .hasMessage("TMAX_PORT='http': use a whole number above 0");
    }
}
