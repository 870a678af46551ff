package dev.tmax.api.v1alpha1;

/** Patterns of paths. */
final class Paths {

    /** A folder below another, or that one itself: relative, without a hidden part, so that no {@code ..} leads out. */
    static final String BELOW = "^([^/.][^/]*(/[^/.][^/]*)*)?$";

    private Paths() {}
}
