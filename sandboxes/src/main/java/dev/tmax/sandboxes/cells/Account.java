package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.SandboxFailure.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Who runs a process.
 *
 * @param groups supplementary groups
 * @param home home folder; / where the image does not know the user
 */
record Account(int uid, int gid, List<Integer> groups, String home) {

    /** Ids above are not mapped into cells. */
    private static final int IDS = 65_536;

    /**
     * Looks a user up in the image's own files, which no cell can change.
     *
     * @param user as in {@link dev.tmax.sandboxes.CellSpec#user}
     */
    static Account of(String user, Path rootFileSystem) throws SandboxFailure {
        String[] parts = (user.isEmpty() ? "0:0" : user).split(":", 2);
        List<String[]> passwd = lines(rootFileSystem.resolve("etc/passwd"), 7);
        List<String[]> group = lines(rootFileSystem.resolve("etc/group"), 3);
        Optional<String[]> entry = passwd.stream()
                .filter(line -> line[0].equals(parts[0]) || line[2].equals(parts[0]))
                .findFirst();
        int uid = entry.isPresent() ? number(entry.get()[2], user) : number(parts[0], user);
        int gid = entry.isPresent() ? number(entry.get()[3], user) : 0;
        if (parts.length == 2) {
            Optional<String> known = group.stream()
                    .filter(line -> line[0].equals(parts[1]))
                    .map(line -> line[2])
                    .findFirst();
            gid = number(known.orElse(parts[1]), user);
        }
        List<Integer> groups = new ArrayList<>();
        if (entry.isPresent() && parts.length == 1) {
            for (String[] line : group) {
                if (line.length > 3 && Arrays.asList(line[3].split(",")).contains(entry.get()[0])) {
                    groups.add(number(line[2], user));
                }
            }
        }
        String home =
                entry.map(line -> line[5]).filter(path -> path.startsWith("/")).orElse("/");
        return new Account(uid, gid, List.copyOf(groups), home);
    }

    private static int number(String text, String user) throws SandboxFailure {
        try {
            int id = Integer.parseInt(text);
            if (id >= 0 && id < IDS) {
                return id;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new SandboxFailure(
                Reason.BAD_REQUEST,
                "user '" + user + "': the image's /etc/passwd and /etc/group do not have it, and it is no number below "
                        + IDS);
    }

    private static List<String[]> lines(Path file, int fields) {
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1)
                    .lines()
                    .map(line -> line.split(":", -1))
                    .filter(line -> line.length >= fields)
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
