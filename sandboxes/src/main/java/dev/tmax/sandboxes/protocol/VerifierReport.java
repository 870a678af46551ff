package dev.tmax.sandboxes.protocol;

import dev.tmax.sandboxes.VerifierResult;
import dev.tmax.sandboxes.VerifierResult.WrittenFile;
import java.util.List;

/** Answer of {@code POST /v1/verifiers}; contents of files are base64. */
public record VerifierReport(CommandOutcome process, List<WrittenFile> files) {

    public static VerifierReport of(VerifierResult result) {
        return new VerifierReport(CommandOutcome.of(result.process()), result.files());
    }

    public VerifierResult result() {
        return new VerifierResult(process.result(), files);
    }
}
