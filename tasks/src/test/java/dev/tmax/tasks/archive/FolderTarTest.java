package dev.tmax.tasks.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderTarTest {
    @TempDir
    Path folder;

    private void file(String name, String mode, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    /** Mode, name and, for files and links, what they hold or point to. */
    private static List<String> entries(byte[] tar) throws IOException {
        List<String> entries = new ArrayList<>();
        try (TarArchiveInputStream in = new TarArchiveInputStream(new ByteArrayInputStream(tar))) {
            for (TarArchiveEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                String held = entry.isSymbolicLink()
                        ? "-> " + entry.getLinkName()
                        : new String(in.readAllBytes(), StandardCharsets.UTF_8);
                entries.add("%o %s %s"
                        .formatted(entry.getMode() & 0777, entry.getName(), held)
                        .strip());
            }
        }
        return entries;
    }

    @Test
    void modesContentAndEmptyFoldersAreKept() throws IOException {
        file("b.sh", "rwxr-x--x", "echo b");
        file("a/caf\u00e9.txt", "rw-r--r--", "\u00e9");
        Files.setPosixFilePermissions(folder.resolve("a"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectory(folder.resolve("empty"));
        Files.setPosixFilePermissions(folder.resolve("empty"), PosixFilePermissions.fromString("rwx------"));

        assertThat(entries(FolderTar.of(folder)))
                .containsExactly("755 a/", "644 a/caf\u00e9.txt \u00e9", "751 b.sh echo b", "700 empty/");
    }

    @Test
    void theSameFilesGiveTheSameBytesWhateverTheirTimes() throws IOException {
        file("a.txt", "rw-r--r--", "a");
        byte[] before = FolderTar.of(folder);

        Files.setLastModifiedTime(folder.resolve("a.txt"), FileTime.from(Instant.EPOCH));

        assertThat(FolderTar.of(folder)).isEqualTo(before);
    }

    @Test
    void linksWithinStayLinksAndOthersAreFollowed() throws IOException {
        file("inner/a.txt", "rw-r--r--", "a");
        file("beside/b.txt", "rw-r--r--", "b");
        Files.createSymbolicLink(folder.resolve("inner/within"), Path.of("a.txt"));
        Files.createSymbolicLink(folder.resolve("inner/out"), Path.of("../beside/b.txt"));

        assertThat(entries(FolderTar.of(folder.resolve("inner"))))
                .containsExactly("644 a.txt a", "644 out b", "777 within -> a.txt");
    }

    @Test
    void aLinkToAFolderAroundItIsAnError() throws IOException {
        Files.createDirectory(folder.resolve("inner"));
        Files.createSymbolicLink(folder.resolve("inner/up"), Path.of(".."));

        assertThatThrownBy(() -> FolderTar.of(folder.resolve("inner")))
                .isInstanceOf(UncheckedIOException.class)
                .hasRootCauseMessage(
                        "the link " + folder.toRealPath().resolve("inner/up") + " points to a folder that it lies in");
    }

    @Test
    void whatTheFolderSaysToLeaveOutIsLeftOut() throws IOException {
        file(".harborignore", "rw-r--r--", "*.log\n/cache/\n!kept.log\n");
        file("cache/a.txt", "rw-r--r--", "");
        file("b.log", "rw-r--r--", "");
        file("kept.log", "rw-r--r--", "");

        assertThat(entries(FolderTar.of(folder))).containsExactly("644 kept.log");
    }

    @Test
    void longNamesAreKept() throws IOException {
        String name = "n".repeat(120);
        file(name + "/" + name, "rw-r--r--", "");

        assertThat(entries(FolderTar.of(folder))).last().isEqualTo("644 " + name + "/" + name);
    }
}
