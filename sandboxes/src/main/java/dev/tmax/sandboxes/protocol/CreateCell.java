package dev.tmax.sandboxes.protocol;

import dev.tmax.sandboxes.CellLimits;
import dev.tmax.sandboxes.CellSpec;
import dev.tmax.sandboxes.Network;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Body of {@code POST /v1/cells}.
 *
 * @param requestId the same when a request is sent again after its answer was lost
 * @param base null: none
 * @param network null: NONE
 * @param limits null: defaults
 * @param restored null: nothing
 */
public record CreateCell(
        String requestId,
        String id,
        String base,
        String user,
        String workdir,
        Map<String, String> environment,
        Network network,
        CellLimits limits,
        List<String> restored) {

    public static CreateCell of(String requestId, CellSpec spec) {
        return new CreateCell(
                requestId,
                spec.id(),
                spec.base().orElse(null),
                spec.user(),
                spec.workdir(),
                spec.environment(),
                spec.network(),
                spec.limits(),
                spec.restored());
    }

    public CellSpec spec() {
        return new CellSpec(
                id == null ? "" : id,
                Optional.ofNullable(base),
                user == null ? "" : user,
                workdir == null ? "" : workdir,
                environment == null ? Map.of() : environment,
                network == null ? Network.NONE : network,
                limits == null ? CellLimits.DEFAULT : limits,
                restored == null ? List.of() : restored);
    }
}
