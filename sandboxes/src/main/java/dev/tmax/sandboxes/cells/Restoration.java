package dev.tmax.sandboxes.cells;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What has to be put back so that the image's own programs are in a stacked cell as they are in the image, whatever the
 * cells below it did to them: replaced or deleted files are copied again, replaced folders mounted again, and what was
 * added so that it would be found before a program of the image is hidden. Other additions stay.
 */
final class Restoration {

    private final Path image;
    private final Set<Path> copied = new TreeSet<>();
    private final Set<Path> hidden = new TreeSet<>();
    private final Set<Path> mounted = new TreeSet<>();

    private Restoration(Path image) {
        this.image = image;
    }

    /**
     * @param restored absolute paths of files and folders, as seen in a cell
     * @param changes upper layers of the cells below
     */
    static Restoration of(List<String> restored, Path image, List<Path> changes) throws IOException {
        Restoration restoration = new Restoration(image);
        for (String path : restored) {
            for (Path upper : changes) {
                restoration.lookAlong(Path.of(path.substring(1)), upper);
            }
        }
        return restoration;
    }

    /** Folders of the image to mount over the cell's, relative to the root. */
    Set<Path> mounted() {
        return mounted;
    }

    boolean isEmpty() {
        return copied.isEmpty() && hidden.isEmpty() && mounted.isEmpty();
    }

    /** Makes the layer that goes on top of the changes. */
    void writeTo(Path layer, Crun crun) throws IOException, InterruptedException {
        Files.createDirectories(layer);
        for (Path folder : mounted) {
            Files.createDirectories(layer.resolve(folder));
            UpperLayer.hideBelow(layer.resolve(folder));
        }
        run(crun, "cd \"$1\" && target=$2 && shift 2 && exec cp -a --parents \"$@\" \"$target\"", layer, copied);
        run(
                crun,
                "cd \"$2\" && shift 2 && for path; do mkdir -p \"${path%/*}\" && mknod \"$path\" c 0 0 || exit 1; done",
                layer,
                hidden);
    }

    private void run(Crun crun, String script, Path layer, Set<Path> paths) throws IOException, InterruptedException {
        if (paths.isEmpty()) {
            return;
        }
        List<String> arguments = new ArrayList<>(List.of(image.toString(), layer.toString()));
        paths.forEach(path -> arguments.add("./" + path));
        Crun.ScriptResult result = crun.script(script, arguments);
        if (result.status() != 0) {
            throw new IOException("files of the image cannot be put back: " + result.output());
        }
    }

    /** From the root towards the path, as far as both image and cell go. */
    private void lookAlong(Path path, Path upper) throws IOException {
        for (int names = 1; names <= path.getNameCount(); names++) {
            Path part = path.subpath(0, names);
            if (!exists(upper.resolve(part)) || !compare(part, upper)) {
                return;
            }
        }
        lookInto(path, upper);
    }

    private void lookInto(Path folder, Path upper) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(upper.resolve(folder))) {
            for (Path entry : entries) {
                Path path = folder.resolve(entry.getFileName().toString());
                if (compare(path, upper)) {
                    lookInto(path, upper);
                }
            }
        }
    }

    /**
     * Notes what to do about a path that the cell changed.
     *
     * @return whether it is a folder in both, to be looked into
     */
    private boolean compare(Path path, Path upper) throws IOException {
        Path changed = upper.resolve(path);
        Path original = image.resolve(path);
        if (!exists(original)) {
            if (isConfiguration(path) || shadows(path)) {
                hidden.add(path);
            }
            return false;
        }
        if (!Files.isDirectory(original, LinkOption.NOFOLLOW_LINKS)) {
            copied.add(path);
            return false;
        }
        if (Files.isDirectory(changed, LinkOption.NOFOLLOW_LINKS) && !CellChanges.isOpaque(changed)) {
            return true;
        }
        mounted.add(path);
        return false;
    }

    /** Asked for by name, and not in the image: nothing may be there. */
    private static boolean isConfiguration(Path path) {
        return path.startsWith("etc");
    }

    /** Whether a program of this name is in the image, where it would be found later. */
    private boolean shadows(Path path) {
        Path folder = path.getParent();
        if (folder == null || !(folder.endsWith("bin") || folder.endsWith("sbin"))) {
            return false;
        }
        return List.of("usr/local/sbin", "usr/local/bin", "usr/sbin", "usr/bin", "sbin", "bin").stream()
                .anyMatch(other -> exists(image.resolve(other).resolve(path.getFileName())));
    }

    private static boolean exists(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }
}
