package dev.tmax.tasks.trial;

import dev.tmax.sandboxes.Sandbox;

/**
 * Where trials in one image run.
 *
 * @param sandbox makes cells of the image
 * @param image what it says about them
 */
public record Host(Sandbox sandbox, ImageSettings image) {}
