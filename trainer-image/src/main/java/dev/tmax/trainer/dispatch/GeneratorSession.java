package dev.tmax.trainer.dispatch;

import dev.tmax.contracts.rollout.GeneratorStatus;
import dev.tmax.contracts.rollout.ToGenerator;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One connected generator. Guarded by the dispatcher's lock. */
final class GeneratorSession {

    /** Weights that a generator has not shown to have. */
    static final long NO_VERSION = -1;

    private final String id;
    private final int slots;
    private final StreamObserver<ToGenerator> outbound;
    private final Map<String, OpenEpisode> episodes = new LinkedHashMap<>();
    private long version = NO_VERSION;
    private GeneratorStatus status = GeneratorStatus.getDefaultInstance();

    GeneratorSession(String id, int slots, StreamObserver<ToGenerator> outbound) {
        this.id = id;
        this.slots = slots;
        this.outbound = outbound;
    }

    String id() {
        return id;
    }

    int slots() {
        return slots;
    }

    int freeSlots() {
        return slots - episodes.size();
    }

    /** Weights that it decodes with, as proven by their digest. */
    long version() {
        return version;
    }

    void applied(long newVersion) {
        version = newVersion;
    }

    GeneratorStatus status() {
        return status;
    }

    void reported(GeneratorStatus newStatus) {
        status = newStatus;
    }

    void begin(OpenEpisode episode) {
        episodes.put(episode.id(), episode);
    }

    void end(OpenEpisode episode) {
        episodes.remove(episode.id());
    }

    List<OpenEpisode> episodes() {
        return new ArrayList<>(episodes.values());
    }

    /** Never blocks: the transport buffers, and what is sent is bounded by the generator's slots. */
    void send(ToGenerator message) {
        outbound.onNext(message);
    }

    boolean sendsTo(StreamObserver<ToGenerator> stream) {
        return outbound == stream;
    }

    void close() {
        outbound.onCompleted();
    }
}
