package dev.tmax.tasks.archive;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * The content of a folder as a tar archive that is the same, byte by byte, for the same files: entries sorted by name,
 * owned by root, without times. Modes and empty directories are kept. A link that stays within the folder is kept as a
 * link; of any other, what it points to is stored. What a {@code .harborignore} in the folder names is left out.
 */
public final class FolderTar {
    private FolderTar() {}

    /**
     * Archives the content of a folder, not the folder itself.
     *
     * @throws UncheckedIOException where something in it cannot be read, is neither file, folder nor link, or where
     *     links form a cycle
     */
    public static byte[] of(Path folder) {
        return ofAll(List.of(folder));
    }

    /**
     * Archives the content of folders as if copied one over another: what a later one holds replaces what an earlier one
     * holds under the same name.
     *
     * @throws UncheckedIOException as {@link #of}
     */
    public static byte[] ofAll(List<Path> folders) {
        return archive(folders, Map.of());
    }

    /**
     * A file that is in no folder.
     *
     * @param mode its permissions
     * @param content what it holds
     */
    public record Addition(int mode, byte[] content) {}

    /**
     * Archives the content of a folder, if any, with files beside it.
     *
     * @param added by name; none of the folder has one of these names
     * @throws UncheckedIOException as {@link #of}
     */
    public static byte[] of(Optional<Path> folder, Map<String, Addition> added) {
        return archive(folder.map(List::of).orElse(List.of()), added);
    }

    private static byte[] archive(List<Path> folders, Map<String, Addition> added) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes, StandardCharsets.UTF_8.name())) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
            tar.setAddPaxHeadersForNonAsciiNames(true);
            for (int i = 0; i < folders.size(); i++) {
                Path root = folders.get(i).toRealPath();
                addChildren(
                        tar, new Tree(root, IgnoreRules.of(root), folders.subList(i + 1, folders.size())), root, "");
            }
            for (Map.Entry<String, Addition> addition : new TreeMap<>(added).entrySet()) {
                putFile(
                        tar,
                        addition.getKey(),
                        addition.getValue().mode(),
                        addition.getValue().content());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot archive " + folders, e);
        }
        return bytes.toByteArray();
    }

    /**
     * A folder on the way into the archive.
     *
     * @param later folders whose files replace those of this one
     */
    private record Tree(Path root, IgnoreRules rules, List<Path> later) {
        boolean sends(Path file, String name) {
            return !rules.ignores(name, Files.isDirectory(file)) && (Files.isDirectory(file) || !isReplaced(name));
        }

        boolean isReplaced(String name) {
            return later.stream().anyMatch(folder -> Files.exists(folder.resolve(name)));
        }
    }

    private static void addChildren(TarArchiveOutputStream tar, Tree tree, Path folder, String prefix)
            throws IOException {
        List<Path> children;
        try (Stream<Path> listed = Files.list(folder)) {
            children = listed.sorted().toList();
        }
        for (Path child : children) {
            String name = prefix + child.getFileName();
            if (tree.sends(child, name)) {
                add(tar, tree, child, name);
            }
        }
    }

    private static void add(TarArchiveOutputStream tar, Tree tree, Path file, String name) throws IOException {
        Path root = tree.root();
        if (Files.isSymbolicLink(file) && staysWithin(root, file)) {
            TarArchiveEntry link = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
            link.setLinkName(Files.readSymbolicLink(file).toString());
            put(tar, link, 0777, new byte[0]);
        } else if (Files.isDirectory(file)) {
            if (root.startsWith(file.toRealPath())) {
                throw new IOException("the link " + file + " points to a folder that it lies in");
            }
            if (!tree.isReplaced(name)) {
                put(tar, new TarArchiveEntry(name + "/"), mode(file), new byte[0]);
            }
            addChildren(tar, tree, file, name + "/");
        } else if (Files.isRegularFile(file)) {
            putFile(tar, name, mode(file), Files.readAllBytes(file));
        } else {
            throw new IOException(file + " is neither a file nor a folder nor a link to one");
        }
    }

    private static boolean staysWithin(Path root, Path link) throws IOException {
        Path target = Files.readSymbolicLink(link);
        return !target.isAbsolute()
                && Files.exists(link)
                && link.toRealPath().startsWith(root)
                && link.resolveSibling(target).normalize().startsWith(root);
    }

    private static void putFile(TarArchiveOutputStream tar, String name, int mode, byte[] content) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setSize(content.length);
        put(tar, entry, mode, content);
    }

    private static void put(TarArchiveOutputStream tar, TarArchiveEntry entry, int mode, byte[] content)
            throws IOException {
        entry.setMode(mode);
        entry.setIds(0, 0);
        entry.setNames("root", "root");
        entry.setModTime(0);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
    }

    private static int mode(Path file) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        int mode = 0;
        // The enum lists owner, group and others, each as read, write, execute: the order of the mode's bits.
        for (PosixFilePermission permission : PosixFilePermission.values()) {
            mode = mode << 1 | (permissions.contains(permission) ? 1 : 0);
        }
        return mode;
    }
}
