package dev.tmax.sandboxes;

import java.util.List;

/**
 * What a cell changed in its root file system.
 *
 * @param written files, links and folders that it made or changed, sorted, as seen in the cell
 * @param deleted what it deleted, or hid by a new folder of the same name
 * @param truncated whether there are more than are listed
 */
public record Changes(List<String> written, List<String> deleted, boolean truncated) {

    public Changes {
        written = List.copyOf(written);
        deleted = List.copyOf(deleted);
    }
}
