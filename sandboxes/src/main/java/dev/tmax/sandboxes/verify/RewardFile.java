package dev.tmax.sandboxes.verify;

import dev.tmax.sandboxes.Sandbox;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.tar.TarEntry;
import java.util.List;
import java.util.Optional;

/**
 * What lies at the path of a reward.
 *
 * @param path in the cell
 * @param entry empty where it is too large to be looked at
 */
record RewardFile(String path, Optional<TarEntry> entry) {

    private static final String JSON = "/logs/verifier/reward.json";
    private static final String TEXT = "/logs/verifier/reward.txt";

    /** For people: where a reward is looked for. */
    static final String PATHS = JSON + " nor " + TEXT;

    private static final int MAX_BYTES = 64 << 10;

    /** Tar archives of both have headers, padding and an end besides. */
    private static final int MAX_ARCHIVE_BYTES = 2 * MAX_BYTES + (16 << 10);

    /** The file that counts: JSON before text; empty where there is neither. */
    static Optional<RewardFile> read(Sandbox sandbox, String cell) throws SandboxFailure {
        try {
            byte[] archive = sandbox.getFiles(cell, List.of(JSON, TEXT), MAX_ARCHIVE_BYTES);
            // JSON was asked for first and comes first.
            return TarEntry.all(archive).stream()
                    .findFirst()
                    .map(entry -> new RewardFile(entry.name().endsWith(".json") ? JSON : TEXT, Optional.of(entry)));
        } catch (SandboxFailure e) {
            return switch (e.reason()) {
                case NOT_FOUND -> Optional.empty();
                case TOO_LARGE -> Optional.of(new RewardFile("/logs/verifier", Optional.empty()));
                default -> throw e;
            };
        }
    }

    double reward() throws InvalidRewardException {
        TarEntry file = entry.filter(found -> found.size() <= MAX_BYTES)
                .orElseThrow(() -> new InvalidRewardException("the reward at " + path + " is larger than 64 KiB"));
        if (!file.isRegularFile()) {
            throw new InvalidRewardException(path + " is " + file.kind() + ", not a regular file");
        }
        try {
            return path.equals(JSON) ? Reward.ofJson(file.content()) : Reward.ofText(file.content());
        } catch (InvalidRewardException e) {
            throw new InvalidRewardException(path + " " + e.getMessage());
        }
    }
}
