package dev.tmax.sandboxes.verify;

import dev.tmax.sandboxes.Sandbox;
import dev.tmax.sandboxes.SandboxFailure;
import dev.tmax.sandboxes.tar.TarEntry;
import java.util.Optional;

/**
 * What lies at the path of a reward.
 *
 * @param path in the cell
 * @param entry empty where it is too large to be looked at
 */
record RewardFile(String path, Optional<TarEntry> entry) {

    static final String JSON = "/logs/verifier/reward.json";
    static final String TEXT = "/logs/verifier/reward.txt";

    private static final int MAX_BYTES = 64 << 10;

    /** A tar archive of the file has a header, padding and an end besides. */
    private static final int MAX_ARCHIVE_BYTES = MAX_BYTES + (16 << 10);

    /** Empty where nothing lies there. */
    static Optional<RewardFile> read(Sandbox sandbox, String cell, String path) throws SandboxFailure {
        try {
            return Optional.of(new RewardFile(path, TarEntry.first(sandbox.getFiles(cell, path, MAX_ARCHIVE_BYTES))));
        } catch (SandboxFailure e) {
            return switch (e.reason()) {
                case NOT_FOUND -> Optional.empty();
                case TOO_LARGE -> Optional.of(new RewardFile(path, Optional.empty()));
                default -> throw e;
            };
        }
    }

    double reward() throws InvalidRewardException {
        TarEntry file = entry.filter(found -> found.size() <= MAX_BYTES)
                .orElseThrow(() -> new InvalidRewardException(path + " is larger than 64 KiB"));
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
