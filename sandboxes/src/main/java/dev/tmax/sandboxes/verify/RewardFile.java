package dev.tmax.sandboxes.verify;

import dev.tmax.sandboxes.VerifierResult.Kind;
import dev.tmax.sandboxes.VerifierResult.WrittenFile;
import java.util.List;
import java.util.Optional;

/** The file that holds a reward. */
final class RewardFile {

    static final String FOLDER = "/logs/verifier";
    static final int MAX_BYTES = 64 << 10;

    private static final String JSON = FOLDER + "/reward.json";
    private static final String TEXT = FOLDER + "/reward.txt";

    /** Where a reward is looked for: the first that is there counts. */
    static final List<String> PATHS = List.of(JSON, TEXT);

    private RewardFile() {}

    /** Empty where the verifier wrote none. */
    static Optional<Double> reward(List<WrittenFile> written) throws InvalidRewardException {
        return written.isEmpty() ? Optional.empty() : Optional.of(reward(written.getFirst()));
    }

    private static double reward(WrittenFile file) throws InvalidRewardException {
        if (file.kind() != Kind.REGULAR_FILE) {
            throw new InvalidRewardException(file.path() + " is " + file.kind().words() + ", not a regular file");
        }
        if (file.size() > MAX_BYTES) {
            throw new InvalidRewardException(file.path() + " has " + file.size() + " bytes, more than " + MAX_BYTES);
        }
        try {
            return file.path().equals(JSON) ? Reward.ofJson(file.content()) : Reward.ofText(file.content());
        } catch (InvalidRewardException e) {
            throw new InvalidRewardException(file.path() + " " + e.getMessage());
        }
    }
}
