package dev.tmax.trainer.checkpoint;

import dev.tmax.contracts.status.RunStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Snapshots of a run in one folder.
 *
 * <p>A snapshot is written beside, under a name that no reader looks at; then its files are brought to the disk, the
 * manifest with their digests is written last, and the folder is renamed into place. A reader believes only a folder
 * with a manifest that fits its files. "Newest" is by step number. Used by one thread at a time.
 */
public final class CheckpointStore {

    private static final Logger LOG = LoggerFactory.getLogger(CheckpointStore.class);
    private static final Pattern NAME = Pattern.compile("step-(\\d+)");
    private static final String WRITING = ".writing-";
    private static final String DELETING = ".deleting-";
    private static final String MANIFEST = "manifest.json";
    private static final String STATE = "state.json";
    private static final String ENGINE = "engine";
    private static final String HUGGING_FACE = "huggingface";

    /** Writes into a folder that exists and is empty. */
    @FunctionalInterface
    public interface Content {
        void write(Path folder) throws IOException;
    }

    /**
     * A complete snapshot.
     *
     * @param engine folder with weights and moments
     */
    public record Stored(TrainerState state, Path engine, RunStatus.Snapshot snapshot) {}

    /** A snapshot whose files are written, but which does not count yet. */
    public record Unfinished(Path folder, int step, long policyVersion, double reward, boolean huggingFace) {}

    private final Path folder;
    private final int keep;
    private final Clock clock;
    private String parent;

    /**
     * Opens a folder, and removes what a crash left half written or half deleted.
     *
     * @param keep newest snapshots to keep
     */
    public CheckpointStore(Path folder, int keep, Clock clock) throws IOException {
        this.folder = folder;
        this.keep = keep;
        this.clock = clock;
        Files.createDirectories(folder);
        try (Stream<Path> children = Files.list(folder)) {
            for (Path child : children.toList()) {
                String name = child.getFileName().toString();
                if (name.startsWith(WRITING) && completes(child)) {
                    LOG.info("{} was complete but for its name", child);
                } else if (name.startsWith(WRITING) || name.startsWith(DELETING)) {
                    LOG.info("{} is removed: a process ended while it wrote or deleted it", child);
                    Durable.deleteTree(child);
                }
            }
        }
        snapshots().stream().reduce((first, second) -> second).ifPresent(newest -> parent = newest.name());
    }

    /** Gives a whole snapshot the name that a crash kept it from, where nothing else has it. */
    private boolean completes(Path writing) throws IOException {
        Path place = folder.resolve(writing.getFileName().toString().substring(WRITING.length()));
        Optional<Manifest> manifest = manifest(writing);
        if (Files.exists(place)
                || manifest.isEmpty()
                || damage(writing, manifest.get()).isPresent()) {
            return false;
        }
        Files.move(writing, place, StandardCopyOption.ATOMIC_MOVE);
        Durable.sync(folder);
        return true;
    }

    /** Complete snapshots, oldest first. */
    public List<RunStatus.Snapshot> snapshots() throws IOException {
        List<RunStatus.Snapshot> found = new ArrayList<>();
        for (Path path : folders()) {
            Optional<Manifest> manifest = manifest(path);
            if (manifest.isPresent()) {
                found.add(snapshot(path, manifest.get()));
            }
        }
        return found;
    }

    /**
     * The newest snapshot whose files are all there and are what was written; a damaged one is passed over, loudly.
     */
    public Optional<Stored> newest() throws IOException {
        for (Path path : folders().reversed()) {
            Optional<Manifest> manifest = manifest(path);
            if (manifest.isEmpty()) {
                continue;
            }
            Optional<String> damage = damage(path, manifest.get());
            if (damage.isEmpty()) {
                return Optional.of(new Stored(
                        Durable.JSON.readValue(path.resolve(STATE).toFile(), TrainerState.class),
                        path.resolve(ENGINE),
                        snapshot(path, manifest.get())));
            }
            LOG.error("checkpoint {} is passed over: {}", path, damage.get());
        }
        return Optional.empty();
    }

    /**
     * Writes all files of a snapshot. It counts only after {@link #finish}, which needs neither engine nor learner.
     *
     * @param reward mean of the step
     * @param export writes the model in Hugging Face layout; empty for none
     */
    public Unfinished write(
            TrainerState state, long policyVersion, double reward, Content engine, Optional<Content> export)
            throws IOException {
        Path writing = folder.resolve(WRITING + name(state.step()));
        if (Files.exists(writing)) {
            Durable.deleteTree(writing);
        }
        Path engineFolder = Files.createDirectories(writing.resolve(ENGINE));
        engine.write(engineFolder);
        if (export.isPresent()) {
            export.get().write(Files.createDirectories(writing.resolve(HUGGING_FACE)));
        }
        Files.write(writing.resolve(STATE), Durable.JSON.writeValueAsBytes(state));
        return new Unfinished(writing, state.step(), policyVersion, reward, export.isPresent());
    }

    /** Brings a snapshot to the disk, makes it count, and removes those that are no longer kept. */
    public RunStatus.Snapshot finish(Unfinished unfinished) throws IOException {
        Path writing = unfinished.folder();
        Manifest manifest = new Manifest(
                Manifest.FORMAT,
                unfinished.step(),
                unfinished.policyVersion(),
                parent,
                unfinished.reward(),
                clock.instant().toString(),
                unfinished.huggingFace(),
                entries(writing));
        Durable.write(writing.resolve(MANIFEST), Durable.JSON.writeValueAsBytes(manifest));
        Path place = folder.resolve(name(unfinished.step()));
        remove(place);
        Files.move(writing, place, StandardCopyOption.ATOMIC_MOVE);
        Durable.sync(folder);
        parent = name(unfinished.step());
        prune();
        return snapshot(place, manifest);
    }

    private static List<Manifest.Entry> entries(Path root) throws IOException {
        List<Manifest.Entry> entries = new ArrayList<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted().toList()) {
                Durable.sync(path);
                if (Files.isRegularFile(path)) {
                    entries.add(new Manifest.Entry(
                            root.relativize(path).toString(), Files.size(path), Durable.sha256(path)));
                }
            }
        }
        return entries;
    }

    private void prune() throws IOException {
        List<Path> all = folders();
        for (Path path : all.subList(0, Math.max(0, all.size() - keep))) {
            remove(path);
        }
    }

    /** A snapshot loses its name first, so that none is ever seen without some of its files. */
    private void remove(Path snapshot) throws IOException {
        if (Files.exists(snapshot)) {
            Path deleting = folder.resolve(DELETING + snapshot.getFileName());
            if (Files.exists(deleting)) {
                Durable.deleteTree(deleting);
            }
            Files.move(snapshot, deleting, StandardCopyOption.ATOMIC_MOVE);
            Durable.deleteTree(deleting);
        }
    }

    private List<Path> folders() throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.filter(child ->
                            NAME.matcher(child.getFileName().toString()).matches())
                    .sorted(Comparator.comparingLong(CheckpointStore::step))
                    .toList();
        }
    }

    private static long step(Path snapshot) {
        Matcher matcher = NAME.matcher(snapshot.getFileName().toString());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(snapshot + " is no snapshot");
        }
        return Long.parseLong(matcher.group(1));
    }

    private static String name(int step) {
        return "step-%06d".formatted(step);
    }

    private static Optional<Manifest> manifest(Path snapshot) {
        Path file = snapshot.resolve(MANIFEST);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            Manifest manifest = Durable.JSON.readValue(file.toFile(), Manifest.class);
            return manifest.format() == Manifest.FORMAT ? Optional.of(manifest) : Optional.empty();
        } catch (IOException e) {
            LOG.error("checkpoint {} is passed over: its manifest cannot be read: {}", snapshot, e.getMessage());
            return Optional.empty();
        }
    }

    private static Optional<String> damage(Path snapshot, Manifest manifest) throws IOException {
        for (Manifest.Entry entry : manifest.files()) {
            Path file = snapshot.resolve(entry.path());
            if (!Files.isRegularFile(file) || Files.size(file) != entry.bytes()) {
                return Optional.of(entry.path() + " is missing or has another size");
            }
            if (!Durable.sha256(file).equals(entry.sha256())) {
                return Optional.of(entry.path() + " has another content than was written");
            }
        }
        return Optional.empty();
    }

    private static RunStatus.Snapshot snapshot(Path path, Manifest manifest) {
        byte[] written;
        try {
            written = Files.readAllBytes(path.resolve(MANIFEST));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new RunStatus.Snapshot(
                path.getFileName().toString(),
                manifest.step(),
                manifest.policyVersion(),
                path.toString(),
                manifest.huggingFace() ? path.resolve(HUGGING_FACE).toString() : null,
                "sha256:" + HexFormat.of().formatHex(Durable.sha256().digest(written)),
                manifest.bytes(),
                manifest.parent(),
                manifest.reward(),
                manifest.time());
    }
}
