package dev.tmax.sandboxes;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A cell to make.
 *
 * @param id unique on its host for ever: letters, digits, {@code . _ -}, at most 63, beginning with a letter or digit
 * @param base cell whose changes this one is stacked on
 * @param user who runs commands: a name or number of the image's {@code /etc/passwd}, optionally {@code :group}; empty:
 *     root
 * @param workdir absolute folder of the first command, made where missing; empty: {@code /}
 * @param environment variables beyond those of the image
 * @param network what the cell can reach
 * @param limits bounds of the cell
 * @param restored with {@code base}: files and folders, absolute, whose content in the image is put back, whatever the
 *     base did to it; what the base added there stays, unless it would be found before a program of the image
 */
public record CellSpec(
        String id,
        Optional<String> base,
        String user,
        String workdir,
        Map<String, String> environment,
        Network network,
        CellLimits limits,
        List<String> restored) {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    public CellSpec {
        Objects.requireNonNull(base, "base");
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(network, "network");
        Objects.requireNonNull(limits, "limits");
        environment = Map.copyOf(environment);
        restored = List.copyOf(restored);
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("cell id '" + id
                    + "': use 1 to 63 letters, digits, '.', '_' or '-', beginning with a letter or digit");
        }
        restored.forEach(path -> {
            if (!path.startsWith("/") || path.length() < 2 || path.contains("/.")) {
                throw new IllegalArgumentException("cell restored '" + path + "': use absolute paths without dots");
            }
        });
        if (!workdir.isEmpty() && !workdir.startsWith("/")) {
            throw new IllegalArgumentException("cell workdir '" + workdir + "': use an absolute path");
        }
        environment.forEach((name, value) -> {
            if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf(0) >= 0 || value.indexOf(0) >= 0) {
                throw new IllegalArgumentException(
                        "cell environment '" + name + "': a name has no '=' and neither name nor value has a NUL");
            }
        });
    }

    /** A cell of root in {@code /}, without network, with default limits. */
    public static CellSpec of(String id) {
        return new CellSpec(id, Optional.empty(), "", "", Map.of(), Network.NONE, CellLimits.DEFAULT, List.of());
    }

    public CellSpec stackedOn(String baseCell) {
        return new CellSpec(id, Optional.of(baseCell), user, workdir, environment, network, limits, restored);
    }

    public CellSpec withUser(String newUser) {
        return new CellSpec(id, base, newUser, workdir, environment, network, limits, restored);
    }

    public CellSpec withWorkdir(String newWorkdir) {
        return new CellSpec(id, base, user, newWorkdir, environment, network, limits, restored);
    }

    public CellSpec withEnvironment(Map<String, String> newEnvironment) {
        return new CellSpec(id, base, user, workdir, newEnvironment, network, limits, restored);
    }

    public CellSpec withNetwork(Network newNetwork) {
        return new CellSpec(id, base, user, workdir, environment, newNetwork, limits, restored);
    }

    public CellSpec withLimits(CellLimits newLimits) {
        return new CellSpec(id, base, user, workdir, environment, network, newLimits, restored);
    }

    public CellSpec withRestored(List<String> newRestored) {
        return new CellSpec(id, base, user, workdir, environment, network, limits, newRestored);
    }
}
