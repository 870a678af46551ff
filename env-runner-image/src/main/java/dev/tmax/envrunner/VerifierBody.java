package dev.tmax.envrunner;

import dev.tmax.sandboxes.VerifierRun;
import dev.tmax.sandboxes.protocol.Json;
import dev.tmax.sandboxes.protocol.RunVerifier;
import dev.tmax.sandboxes.tar.TarReader;
import java.io.IOException;
import java.io.InputStream;

/** The body of a request to run a verifier, read as it comes: tests may be larger than this process. */
final class VerifierBody {

    private static final int MAX_REQUEST_BYTES = 16 << 20;

    private final TarReader archive;

    VerifierBody(InputStream body) {
        this.archive = new TarReader(body);
    }

    /** The request itself. */
    RunVerifier request() throws IOException {
        TarReader.Head head = archive.next()
                .filter(first -> first.name().equals(RunVerifier.ENTRY) && first.size() <= MAX_REQUEST_BYTES)
                .orElseThrow(() -> new IOException("body: its first entry must be " + RunVerifier.ENTRY
                        + " with at most " + MAX_REQUEST_BYTES + " bytes"));
        return Json.read(archive.content().readNBytes((int) head.size()), RunVerifier.class);
    }

    /** What to run; its uploads are the entries that follow, opened in order. */
    VerifierRun run(RunVerifier request) {
        return request.run(index -> this::nextUpload);
    }

    private InputStream nextUpload() throws IOException {
        if (archive.next().isEmpty()) {
            throw new IOException("body: an entry for each of uploads must follow");
        }
        return archive.content();
    }
}
