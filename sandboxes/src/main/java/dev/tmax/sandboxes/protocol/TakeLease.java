package dev.tmax.sandboxes.protocol;

/** Body of {@code POST /v1/lease}. */
public record TakeLease(String holder, long ttlMs) {}
