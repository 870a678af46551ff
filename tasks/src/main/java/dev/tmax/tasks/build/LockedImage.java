package dev.tmax.tasks.build;

/**
 * An image as it was built.
 *
 * @param image its name
 * @param digest of the image
 * @param source digest of the Dockerfile and of the folder that it was built in
 * @param network whether its RUN steps needed the network
 */
public record LockedImage(String image, String digest, String source, boolean network) {}
