package dev.tmax.api.v1alpha1;

/** Group and version of every kind here. */
public final class Api {

    public static final String GROUP = "tmax.dev";
    public static final String VERSION = "v1alpha1";

    private Api() {}
}
