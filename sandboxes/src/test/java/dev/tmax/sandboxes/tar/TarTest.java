package dev.tmax.sandboxes.tar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

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
}
