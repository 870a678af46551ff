package dev.tmax.trainer.cells;

import dev.tmax.sandboxes.Sandbox;

/** One sandbox pod in the eyes of {@link PoolCells}, whose lock guards it. */
final class Host {

    /** WARMING: not ready; LEASING: asked for the lease; USABLE: ours; SUSPECT: ours, but something failed there. */
    enum State {
        WARMING,
        LEASING,
        USABLE,
        SUSPECT
    }

    final PodView pod;
    final Sandbox sandbox;
    final Cells.Place place;
    State state = State.WARMING;
    int taken;
    int missedHeartbeats;
    boolean heartbeatUnderWay;

    Host(PodView pod, Sandbox sandbox, Cells.Place place) {
        this.pod = pod;
        this.sandbox = sandbox;
        this.place = place;
    }
}
