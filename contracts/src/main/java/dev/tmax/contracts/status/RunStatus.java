package dev.tmax.contracts.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;

/**
 * The run as its trainer sees it. Times are ISO-8601 instants, durations seconds.
 *
 * @param phase what the trainer does now
 * @param message one sentence for people: what, and if it failed what to do
 * @param step optimizer steps done
 * @param steps optimizer steps wanted
 * @param policyVersion version of the newest published weights
 * @param rewards mean reward of each step so far, oldest first
 * @param etaSeconds estimated seconds to the end; negative while unknown
 * @param checkpoints snapshots that are complete on disk, oldest first
 * @param heldOutBefore mean reward on the held-out tasks before the first step; null until measured
 * @param heldOutAfter the same after the last step
 * @param sampleEpisode transcript of one recent episode, for people; null until there is one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunStatus(
        Phase phase,
        String message,
        int step,
        int steps,
        long policyVersion,
        List<Double> rewards,
        double tokensPerSecond,
        double etaSeconds,
        Generators generators,
        Sandboxes sandboxes,
        Groups groups,
        List<Snapshot> checkpoints,
        Double heldOutBefore,
        Double heldOutAfter,
        Guardrail guardrail,
        String sampleEpisode,
        PhaseSeconds phaseSeconds) {

    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    public RunStatus {
        rewards = rewards == null ? List.of() : List.copyOf(rewards);
        checkpoints = checkpoints == null ? List.of() : List.copyOf(checkpoints);
    }

    /** DRAINED: everything is in the checkpoint, the pods may go. SUCCEEDED and FAILED are final. */
    public enum Phase {
        LOADING,
        EVALUATING,
        RUNNING,
        PAUSED,
        DRAINING,
        DRAINED,
        SUCCEEDED,
        FAILED
    }

    /** Connected generators, and how many of them have the newest published weights. */
    public record Generators(int connected, int current) {}

    /** Sandbox pods as the trainer sees them; {@code cells} counts attempts since the start of the run. */
    public record Sandboxes(int warming, int ready, int leased, long cells, long pods) {}

    /** Groups since the start of the run, by what became of them; {@code episodesReplaced} counts attempts issued again. */
    public record Groups(
            long trained, long filteredAllZero, long filteredAllOne, long stale, long failed, long episodesReplaced) {}

    /** One complete checkpoint. {@code huggingFace} is the exported folder, null where none was written. */
    public record Snapshot(
            String name,
            int step,
            long policyVersion,
            String location,
            String huggingFace,
            String digest,
            long sizeBytes,
            String parent,
            double reward,
            String time) {}

    /** Why the guardrail acted; null fields where it did not. */
    public record Guardrail(String signal, double value, double bound, String action) {}

    /** Seconds since the start of this trainer process, by what the learner did. */
    public record PhaseSeconds(
            double loading,
            double evaluating,
            double waiting,
            double learning,
            double publishing,
            double checkpointing) {}

    public String toJson() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record of strings and numbers is always writable", e);
        }
    }

    /** @throws IllegalArgumentException where the text is no status */
    public static RunStatus fromJson(String json) {
        try {
            return JSON.readValue(json, RunStatus.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a trainer's status: " + e.getOriginalMessage(), e);
        }
    }
}
