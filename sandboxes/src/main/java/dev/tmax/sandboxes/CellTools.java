package dev.tmax.sandboxes;

/** Where every cell finds the host's own tools, read-only: what an attempt replaced or removed does not matter to them. */
public final class CellTools {

    /** Mount point of the tools; directly below the root, so that no process of a cell can rename or replace it. */
    public static final String FOLDER = "/.tmax";

    /** A static busybox. */
    public static final String BUSYBOX = FOLDER + "/busybox";

    private CellTools() {}
}
