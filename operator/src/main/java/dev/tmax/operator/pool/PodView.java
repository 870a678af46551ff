package dev.tmax.operator.pool;

import java.time.Instant;

/**
 * A sandbox pod in the eyes of the plan.
 *
 * @param since when the life began; the time of creation for WARMING and STUCK
 * @param terminating it is being deleted
 * @param problem what the pod's status says is wrong; empty where nothing is
 */
record PodView(PodName name, String image, Life life, Instant since, boolean terminating, String problem) {

    /** Where a pod is between its creation and its end. */
    enum Life {
        /** Without a running container yet. */
        WARMING,
        /** As WARMING, but its image cannot be pulled or its container not be made. */
        STUCK,
        READY,
        /** Its container runs, and its env-runner does not answer: not yet, or no longer. */
        SILENT,
        /** Ended: told to, without a lease, at its deadline, or taken by its node. */
        ENDED,
        /** Ended before it can have been of use: its image cannot run the env-runner. */
        FAILED_AT_START
    }

    /** Name of the pod of one index of one entry. */
    record PodName(String pool, String entry, int index, int incarnation) {

        @Override
        public String toString() {
            return pool + "-" + entry + "-" + index + "-" + incarnation;
        }
    }

    /** Whether it takes a place of maxPods. */
    boolean alive() {
        return life != Life.ENDED && life != Life.FAILED_AT_START;
    }

    boolean works() {
        return alive() && !terminating;
    }

    /** Whether it is on its way and may still be pulling its image. A pull that failed waits, and costs nothing. */
    boolean inFlight() {
        return life == Life.WARMING && !terminating;
    }
}
