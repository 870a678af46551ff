package dev.tmax.tasks.trial;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** Tar archives made of a part of another's entries. */
final class ArchiveEntries {
    private ArchiveEntries() {}

    /** What lies in a folder of the archive, under names from there on; the folder ends in a slash. */
    static byte[] below(byte[] tar, String folder) {
        return copy(
                tar,
                name -> name.startsWith(folder) && name.length() > folder.length()
                        ? Optional.of(name.substring(folder.length()))
                        : Optional.empty());
    }

    /** Without what a pattern matches, by its whole name or by that of a folder or file on the way to it, as tar does. */
    static byte[] without(byte[] tar, List<String> patterns) {
        if (patterns.isEmpty()) {
            return tar;
        }
        List<PathMatcher> excluded = patterns.stream()
                .map(pattern -> FileSystems.getDefault().getPathMatcher("glob:" + pattern))
                .toList();
        return copy(tar, name -> {
            Path whole = Path.of(name);
            for (int parts = 1; parts <= whole.getNameCount(); parts++) {
                Path folder = whole.subpath(0, parts);
                if (excluded.stream().anyMatch(one -> one.matches(folder) || one.matches(folder.getFileName()))) {
                    return Optional.empty();
                }
            }
            return Optional.of(name);
        });
    }

    private static byte[] copy(byte[] tar, Function<String, Optional<String>> names) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveInputStream in =
                        new TarArchiveInputStream(new ByteArrayInputStream(tar), StandardCharsets.UTF_8.name());
                TarArchiveOutputStream out = new TarArchiveOutputStream(bytes, StandardCharsets.UTF_8.name())) {
            out.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            out.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
            for (TarArchiveEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                Optional<String> name = names.apply(entry.getName());
                if (name.isPresent()) {
                    entry.setName(name.get());
                    out.putArchiveEntry(entry);
                    in.transferTo(out);
                    out.closeArchiveEntry();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the archive of the sandbox cannot be read", e);
        }
        return bytes.toByteArray();
    }
}
