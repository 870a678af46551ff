package dev.tmax.trainer.cells;

import dev.tmax.sandboxes.Sandbox;
import java.time.Instant;

/** One sandbox pod in the eyes of {@link PoolCells}, whose lock guards it. */
final class Host {

    /**
     * WARMING: not ready; LEASING: asked for the lease; USABLE: ours; SUSPECT: ours, but something failed there; RETIRED: told
     * to end.
     */
    enum State {
        WARMING,
        LEASING,
        USABLE,
        SUSPECT,
        RETIRED
    }

    final PodView pod;
    final Sandbox sandbox;
    final Cells.Place place;
    State state = State.WARMING;
    int taken;
    /** Attempts that it was ever taken for. */
    int hosted;

    int missedHeartbeats;
    boolean heartbeatUnderWay;

    Host(PodView pod, Sandbox sandbox, Cells.Place place) {
        this.pod = pod;
        this.sandbox = sandbox;
        this.place = place;
    }

    /** Whether it has hosted as many attempts, or has lived as long, as a pod may. */
    boolean isWornOut(int mostAttempts, Instant now) {
        return (mostAttempts > 0 && hosted >= mostAttempts)
                || pod.retireAt().map(time -> !time.isAfter(now)).orElse(false);
    }
}
