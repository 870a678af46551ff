package dev.tmax.sandboxes;

/**
 * Bounds of one cell. A cell over a bound loses its biggest process, and the command at that time reports it; the other
 * cells go on.
 *
 * @param memoryBytes private memory of all its processes together
 * @param processes processes and threads
 * @param diskBytes what it adds to its root file system
 */
public record CellLimits(long memoryBytes, int processes, long diskBytes) {

    public static final CellLimits DEFAULT = new CellLimits(2L << 30, 512, 4L << 30);

    public CellLimits {
        if (memoryBytes < 16L << 20 || processes < 8 || diskBytes < 1L << 20) {
            throw new IllegalArgumentException("cell limits memoryBytes=" + memoryBytes + " processes=" + processes
                    + " diskBytes=" + diskBytes + ": use at least 16 MiB, 8 and 1 MiB");
        }
    }
}
