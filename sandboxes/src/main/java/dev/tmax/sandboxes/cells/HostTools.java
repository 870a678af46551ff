package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CellTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/**
 * Programs of the host that cells are made with.
 *
 * @param crun the OCI runtime
 * @param cellTools folder that cells see as {@link CellTools#FOLDER}; holds a static {@code busybox}
 */
public record HostTools(Path crun, Path cellTools) {

    private static final List<Path> FOLDERS =
            List.of(Path.of("/usr/bin"), Path.of("/bin"), Path.of("/usr/local/bin"), Path.of("/usr/sbin"));

    Path busybox() {
        return cellTools.resolve("busybox");
    }

    /**
     * The tools as Debian's packages {@code crun} and {@code busybox-static} install them.
     *
     * @param cellTools folder to copy into what cells may see
     * @return empty where one is not installed
     */
    public static Optional<HostTools> installed(Path cellTools) throws IOException {
        Optional<Path> crun = find("crun");
        Optional<Path> busybox = find("busybox");
        if (crun.isEmpty() || busybox.isEmpty()) {
            return Optional.empty();
        }
        Files.createDirectories(cellTools);
        Files.copy(
                busybox.get(),
                cellTools.resolve("busybox"),
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.COPY_ATTRIBUTES);
        return Optional.of(new HostTools(crun.get(), cellTools));
    }

    private static Optional<Path> find(String name) {
        return FOLDERS.stream()
                .map(folder -> folder.resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
