package dev.tmax.sandboxes.tar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TarTest {

    private static final byte[] TEXT = "text".getBytes(StandardCharsets.UTF_8);

    @Test
    void entriesAreReadAsWritten() {
        byte[] archive = new TarWriter()
                .folder("d", 0755)
                .file("d/f", 0600, TEXT)
                .link("l", "d/f")
                .toByteArray();
        assertThat(TarEntry.all(archive))
                .extracting(TarEntry::name, TarEntry::type, TarEntry::size)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("d/", '5', 0L),
                        org.assertj.core.groups.Tuple.tuple("d/f", '0', 4L),
                        org.assertj.core.groups.Tuple.tuple("l", '2', 0L));
        assertThat(TarEntry.all(archive).get(1).content()).isEqualTo(TEXT);
    }

    @Test
    void anArchiveCutShortOrDamagedEndsThere() {
        byte[] archive = new TarWriter()
                .file("f", 0600, new byte[2000])
                .file("g", 0600, TEXT)
                .toByteArray();
        assertThat(TarEntry.all(Arrays.copyOf(archive, 1000)))
                .extracting(TarEntry::name)
                .containsExactly("f");
        assertThat(TarEntry.all(Arrays.copyOf(archive, 100))).isEmpty();
        assertThat(TarEntry.all(new byte[0])).isEmpty();
        archive[130] = 'x';
        assertThat(TarEntry.all(archive)).isEmpty();
    }

    @Test
    void theScriptBecomesExecutableAndNothingElseChanges() {
        byte[] plain = new TarWriter()
                .file("test.sh", 0644, TEXT)
                .file("x/test.sh", 0644, TEXT)
                .toByteArray();
        byte[] wanted = new TarWriter()
                .file("test.sh", 0755, TEXT)
                .file("x/test.sh", 0644, TEXT)
                .toByteArray();
        assertThat(TarEntry.all(TarModes.withExecutable(plain, "test.sh")))
                .extracting(TarEntry::name, TarEntry::content)
                .hasSize(2);
        assertThat(Arrays.copyOfRange(TarModes.withExecutable(plain, "test.sh"), 100, 108))
                .startsWith(Arrays.copyOfRange(wanted, 100, 107));
        assertThatThrownBy(() -> TarModes.withExecutable(plain, "other.sh")).hasMessageContaining("other.sh");
    }

    @Test
    void anArchiveIsUnpackedWholeWithLongNamesModesAndLinks(@TempDir Path folder) throws IOException {
        String longName = "n".repeat(120) + "/" + "m".repeat(120);
        byte[] archive = new TarWriter()
                .folder("d", 0750)
                .file("./d/f", 0640, TEXT)
                .file(longName, 0755, TEXT)
                .link("l", "../anywhere")
                .toByteArray();
        unpack(folder, archive);
        assertThat(folder.resolve("d/f")).hasBinaryContent(TEXT);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("d/f"))))
                .isEqualTo("rw-r-----");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("d"))))
                .isEqualTo("rwxr-x---");
        assertThat(folder.resolve(longName)).isExecutable();
        assertThat(Files.readSymbolicLink(folder.resolve("l"))).isEqualTo(Path.of("../anywhere"));
    }

    @Test
    void whatTheSystemsOwnTarWritesIsUnpackedAlike(@TempDir Path folder) throws IOException, InterruptedException {
        Path source = Files.createDirectories(folder.resolve("source/" + "long-".repeat(30)));
        Files.write(source.resolve("name-".repeat(40)), TEXT);
        for (String format : new String[] {"gnu", "posix", "ustar"}) {
            Path unpacked = Files.createDirectory(folder.resolve(format));
            Process tar = new ProcessBuilder(
                            "tar",
                            "--format=" + format,
                            "-C",
                            folder.resolve("source").toString(),
                            "-cf",
                            "-",
                            ".")
                    .start();
            byte[] archive = tar.getInputStream().readAllBytes();
            if (tar.waitFor() == 0) {
                unpack(unpacked, archive);
                assertThat(unpacked.resolve("long-".repeat(30) + "/" + "name-".repeat(40)))
                        .as(format)
                        .hasBinaryContent(TEXT);
            } else {
                assertThat(format).isEqualTo("ustar"); // has no names that long
            }
        }
    }

    @Test
    void nothingIsWrittenOutsideOfTheFolder(@TempDir Path folder) throws IOException {
        Path inside = Files.createDirectory(folder.resolve("inside"));
        for (TarWriter archive : List.of(
                new TarWriter().file("../escaped", 0644, TEXT),
                new TarWriter().file("a/../../escaped", 0644, TEXT),
                new TarWriter().link("out", "..").file("out/escaped", 0644, TEXT))) {
            assertThatThrownBy(() -> unpack(inside, archive.toByteArray())).hasMessageContaining("escaped");
            assertThat(folder.resolve("escaped")).doesNotExist();
        }
        unpack(
                inside,
                new TarWriter()
                        .link("replaced", "../escaped")
                        .file("replaced", 0644, TEXT)
                        .toByteArray());
        unpack(inside, new TarWriter().file("/absolute", 0644, TEXT).toByteArray());
        assertThat(folder.resolve("escaped")).doesNotExist();
        assertThat(inside.resolve("absolute")).exists();
    }

    @Test
    void anArchiveLargerThanAllowedOrCutShortIsRefused(@TempDir Path folder) {
        byte[] archive = new TarWriter()
                .file("f", 0644, new byte[2000])
                .file("g", 0644, new byte[2000])
                .toByteArray();
        assertThatThrownBy(() -> new TarExtraction(folder, 3000, 10).unpack(new ByteArrayInputStream(archive)))
                .hasMessageContaining("larger than allowed");
        assertThatThrownBy(() -> new TarExtraction(folder, 9000, 1).unpack(new ByteArrayInputStream(archive)))
                .hasMessageContaining("more entries");
        for (int length : new int[] {100, 1000, 2600}) {
            assertThatThrownBy(() -> unpack(folder, Arrays.copyOf(archive, length)))
                    .hasMessageContaining("cut short");
        }
    }

    private static void unpack(Path folder, byte[] archive) throws IOException {
        new TarExtraction(folder, 1 << 20, 100).unpack(new ByteArrayInputStream(archive));
    }
}
