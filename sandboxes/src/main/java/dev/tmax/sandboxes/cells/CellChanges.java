package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CellTools;
import dev.tmax.sandboxes.Changes;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Reads what a cell changed from the upper layer of its overlay. */
final class CellChanges {

    private static final int MOST = 10_000;

    private CellChanges() {}

    static Changes of(Path upper) throws IOException {
        List<String> written = new ArrayList<>();
        List<String> deleted = new ArrayList<>();
        Files.walkFileTree(upper, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                if (folder.equals(upper)) {
                    return FileVisitResult.CONTINUE;
                }
                String name = name(upper, folder);
                if (name.equals(CellTools.FOLDER)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                if (isOpaque(folder)) {
                    deleted.add(name);
                }
                written.add(name + "/");
                return more(written, deleted);
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                (isWhiteout(file, attributes) ? deleted : written).add(name(upper, file));
                return more(written, deleted);
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE; // gone meanwhile
            }
        });
        Collections.sort(written);
        Collections.sort(deleted);
        return new Changes(written, deleted, written.size() + deleted.size() > MOST);
    }

    private static FileVisitResult more(List<String> written, List<String> deleted) {
        return written.size() + deleted.size() > MOST ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
    }

    private static String name(Path upper, Path path) {
        return "/" + upper.relativize(path);
    }

    private static boolean isWhiteout(Path file, BasicFileAttributes attributes) {
        return attributes.isOther() && isWhiteout(file);
    }

    /** A character device 0/0 stands for something deleted. */
    static boolean isWhiteout(Path file) {
        try {
            Map<String, Object> unix = Files.readAttributes(file, "unix:mode,rdev", LinkOption.NOFOLLOW_LINKS);
            int type = (int) unix.get("mode") & 0170000;
            return type == 0020000 && (long) unix.get("rdev") == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Hides what lay there in the layers below. */
    static boolean isOpaque(Path folder) {
        try {
            return Files.getFileAttributeView(folder, UserDefinedFileAttributeView.class)
                    .list()
                    .contains("overlay.opaque");
        } catch (IOException e) {
            return false;
        }
    }
}
