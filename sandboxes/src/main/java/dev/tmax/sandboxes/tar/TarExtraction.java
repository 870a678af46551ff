package dev.tmax.sandboxes.tar;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Unpacks an archive into a folder that nothing else has access to meanwhile. Nothing is written outside of it: names with
 * {@code ..} are refused, and so are entries below a link. Owners are this process's own. Times are those of unpacking.
 */
public final class TarExtraction {

    private static final Set<OpenOption> NEW_FILE =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private final Path folder;
    private long bytesLeft;
    private int entriesLeft;

    /**
     * @param maxBytes that all files together may have
     * @param maxEntries that the archive may have
     */
    public TarExtraction(Path folder, long maxBytes, int maxEntries) {
        this.folder = folder;
        this.bytesLeft = maxBytes;
        this.entriesLeft = maxEntries;
    }

    /**
     * @throws IOException where the archive is damaged, leads out of the folder, or is larger than allowed; the message says
     *     which
     */
    public void unpack(InputStream archive) throws IOException {
        TarReader reader = new TarReader(archive);
        for (Optional<TarReader.Head> head = reader.next(); head.isPresent(); head = reader.next()) {
            if (--entriesLeft < 0) {
                throw new IOException("the tar archive has more entries than allowed");
            }
            entry(head.get(), reader.content());
        }
    }

    private void entry(TarReader.Head head, InputStream content) throws IOException {
        Path path = folder;
        boolean named = false;
        for (String part : head.name().split("/")) {
            if (part.equals("..")) {
                throw outside(head);
            }
            if (!part.isEmpty() && !part.equals(".")) {
                if (named) {
                    makeFolder(path, head);
                }
                path = resolve(path, part, head);
                named = true;
            }
        }
        if (!named) {
            return;
        }
        switch (head.type()) {
            case '5' -> {
                makeFolder(path, head);
                Files.setPosixFilePermissions(path, permissions(head.mode()));
            }
            case '0', 0, '7' -> file(path, head, content);
            case '2' -> {
                Files.deleteIfExists(path);
                Files.createSymbolicLink(path, Path.of(head.linkTarget()));
            }
            default ->
                throw new IOException("the tar archive has '" + head.name() + "' of type '" + head.type()
                        + "': use files, folders and symbolic links");
        }
    }

    private static Path resolve(Path parent, String part, TarReader.Head head) throws IOException {
        try {
            return parent.resolve(part);
        } catch (InvalidPathException e) {
            throw new IOException("the tar archive has the name '" + head.name() + "', which cannot be written", e);
        }
    }

    private static void makeFolder(Path path, TarReader.Head head) throws IOException {
        try {
            Files.createDirectory(path);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                throw outside(head);
            }
        }
    }

    private void file(Path path, TarReader.Head head, InputStream content) throws IOException {
        bytesLeft -= head.size();
        if (bytesLeft < 0) {
            throw new IOException("the tar archive is larger than allowed");
        }
        Files.deleteIfExists(path);
        try (OutputStream out = Files.newOutputStream(path, NEW_FILE.toArray(OpenOption[]::new))) {
            content.transferTo(out);
        }
        Files.setPosixFilePermissions(path, permissions(head.mode()));
    }

    private static IOException outside(TarReader.Head head) {
        return new IOException(
                "the tar archive has '" + head.name() + "', which leads out of its folder or through a file");
    }

    /** Of mode bits; set-user-id and its like are left out. */
    public static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        PosixFilePermission[] all = PosixFilePermission.values(); // from owner's read to others' execute
        for (int i = 0; i < all.length; i++) {
            if ((mode & (0400 >> i)) != 0) {
                permissions.add(all[i]);
            }
        }
        return permissions;
    }
}
