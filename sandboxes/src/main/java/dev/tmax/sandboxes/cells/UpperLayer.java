package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.Upload;
import dev.tmax.sandboxes.VerifierResult.Kind;
import dev.tmax.sandboxes.VerifierResult.WrittenFile;
import dev.tmax.sandboxes.tar.TarExtraction;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.Optional;

/**
 * The upper layer of a cell's overlay, from outside, while no process of the cell lives: before it starts, and after it
 * ended. A folder made here hides whatever else the layers below have at its path, so nothing of them is read or followed.
 *
 * @param folder of the layer
 */
record UpperLayer(Path folder) {

    private static final long MAX_UPLOAD_BYTES = 1L << 30;
    private static final int MAX_UPLOAD_ENTRIES = 100_000;

    /** Makes a folder anew and unpacks its archive there. */
    void place(Upload upload) throws IOException {
        Path target = parentOf(upload.folder());
        Files.createDirectory(target);
        hideBelow(target);
        try (InputStream tar = upload.tar().open()) {
            new TarExtraction(target, MAX_UPLOAD_BYTES, MAX_UPLOAD_ENTRIES).unpack(tar);
        }
        Files.setPosixFilePermissions(target, TarExtraction.permissions(upload.mode()));
    }

    /** Makes a file anew. */
    void place(String path, byte[] content) throws IOException {
        Path target = parentOf(path);
        Files.write(target, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Files.setPosixFilePermissions(target, TarExtraction.permissions(0644));
    }

    /** The path in this layer; the folders above it are made real ones. */
    private Path parentOf(String path) throws IOException {
        Path at = folder;
        String[] parts = path.substring(1).split("/");
        for (int i = 0; i < parts.length - 1; i++) {
            at = at.resolve(parts[i]);
            if (!Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(at);
                Files.setPosixFilePermissions(at, TarExtraction.permissions(0755));
            }
        }
        return at.resolve(parts[parts.length - 1]);
    }

    /** What the layers below have in a folder is no part of it. */
    static void hideBelow(Path folder) throws IOException {
        Files.getFileAttributeView(folder, UserDefinedFileAttributeView.class)
                .write("overlay.opaque", ByteBuffer.wrap("y".getBytes(StandardCharsets.US_ASCII)));
    }

    /** What the cell wrote at a path; empty where it wrote nothing there. No link is followed. */
    Optional<WrittenFile> read(String path, int maxBytes) throws IOException {
        Path at = folder;
        String[] parts = path.substring(1).split("/");
        for (int i = 0; i < parts.length; i++) {
            at = at.resolve(parts[i]);
            if (i < parts.length - 1 && !Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
        }
        if (!Files.exists(at, LinkOption.NOFOLLOW_LINKS) || CellChanges.isWhiteout(at)) {
            return Optional.empty();
        }
        BasicFileAttributes attributes = Files.readAttributes(at, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        boolean readable = attributes.isRegularFile() && attributes.size() <= maxBytes;
        return Optional.of(new WrittenFile(
                path, kind(attributes), attributes.size(), readable ? Files.readAllBytes(at) : new byte[0]));
    }

    private static Kind kind(BasicFileAttributes attributes) {
        if (attributes.isRegularFile()) {
            return Kind.REGULAR_FILE;
        }
        if (attributes.isDirectory()) {
            return Kind.FOLDER;
        }
        return attributes.isSymbolicLink() ? Kind.SYMBOLIC_LINK : Kind.OTHER;
    }
}
