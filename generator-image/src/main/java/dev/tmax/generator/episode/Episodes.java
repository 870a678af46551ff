package dev.tmax.generator.episode;

import dev.tmax.contracts.rollout.Assign;
import dev.tmax.contracts.rollout.Finished;
import dev.tmax.contracts.rollout.FromGenerator;
import dev.tmax.generator.connect.Outbound;
import dev.tmax.generator.connect.StreamClosedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The episodes that run now, each in a virtual thread. Thread-safe; no method waits. */
public final class Episodes {

    private static final Logger LOG = LoggerFactory.getLogger(Episodes.class);

    private final EpisodeContext context;
    private final Map<String, Thread> running = new ConcurrentHashMap<>();

    public Episodes(EpisodeContext context) {
        this.context = context;
    }

    /** Begins an episode. One that runs already is not begun a second time. */
    public void assign(Assign assign, Outbound trainer) {
        Thread thread =
                Thread.ofVirtual().name("episode-" + assign.getEpisodeId()).unstarted(() -> run(assign, trainer));
        if (running.putIfAbsent(assign.getEpisodeId(), thread) == null) {
            thread.start();
        } else {
            LOG.warn("episode {}: assigned a second time, ignored", assign.getEpisodeId());
        }
    }

    private void run(Assign assign, Outbound trainer) {
        Episode episode = new Episode(context, assign, trainer);
        Finished finished;
        try {
            finished = episode.run();
        } catch (InterruptedException e) {
            finished = episode.failed("cancelled");
        } catch (StreamClosedException e) {
            running.remove(assign.getEpisodeId());
            return;
        } catch (RuntimeException e) {
            LOG.error("episode {}: failed in the generator", assign.getEpisodeId(), e);
            finished = episode.failed("the generator failed, see its log: " + e);
        }
        // The slot is free before the trainer hears of it, as it may fill it at once.
        running.remove(assign.getEpisodeId());
        context.metrics().episodeEnded(finished, episode.responseTokens());
        report(finished, trainer);
    }

    private static void report(Finished finished, Outbound trainer) {
        LOG.debug("episode {}: {} {}", finished.getEpisodeId(), finished.getOutcome(), finished.getReason());
        Thread.interrupted();
        try {
            trainer.send(FromGenerator.newBuilder().setFinished(finished).build());
        } catch (StreamClosedException e) {
            LOG.debug("episode {}: its trainer is gone", finished.getEpisodeId());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends an episode; the trainer is told when its cell is gone. */
    public void cancel(String episodeId) {
        Thread thread = running.get(episodeId);
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** Ends all. */
    public void cancelAll() {
        running.values().forEach(Thread::interrupt);
    }

    /** Waits until those that were cancelled have removed their cells. */
    public void awaitEnd(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        for (Thread thread : List.copyOf(running.values())) {
            thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
        }
    }

    public int active() {
        return running.size();
    }
}
