package dev.tmax.sandboxes.cells;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Environment of a cell's processes: the image's, what the cell adds, what every process expects. */
record CellEnvironment(Map<String, String> image, Map<String, String> added) {

    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    List<String> of(Account account, Map<String, String> more) {
        Map<String, String> all = new TreeMap<>();
        all.put("PATH", PATH);
        all.put("HOME", account.home());
        // No terminal: programs that ask are told so.
        all.put("TERM", "dumb");
        all.putAll(image);
        all.putAll(added);
        all.putAll(more);
        return all.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
    }
}
