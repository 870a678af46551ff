package dev.tmax.tasks.build;

import dev.tmax.tasks.trial.ImageSettings;
import java.nio.file.Path;
import java.time.Duration;

/** A program that builds images from Dockerfiles and keeps them. Layers that two images begin with are built once. */
public interface ImageBuilder extends AutoCloseable {

    /** What is recorded of an image: its digest, and what it says about containers. */
    record Inspected(String digest, ImageSettings settings) {}

    /** The name of the program. */
    String name();

    /** Whether it has an image of this name. */
    boolean has(String image) throws BuildFailedException;

    /**
     * Builds an image.
     *
     * @param image name to give it
     * @param context folder that the Dockerfile copies from
     * @param network whether RUN steps have the network
     */
    void build(String image, Path dockerfile, Path context, boolean network, Duration timeout)
            throws BuildFailedException;

    /** Looks at an image that it has. */
    Inspected inspect(String image) throws BuildFailedException;

    /** A folder with the root file system of an image that it has; not to be written to, and gone with {@link #close}. */
    Path rootFileSystem(String image) throws BuildFailedException;

    @Override
    void close();
}
