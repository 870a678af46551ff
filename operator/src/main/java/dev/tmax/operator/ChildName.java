package dev.tmax.operator;

/** Names of children: the parent's name and a suffix, shortened with a hash where Kubernetes allows no more. */
public final class ChildName {

    /** Longest name of a Service, and longest value of a label. */
    public static final int LABEL = 63;

    /** Longest name of a StatefulSet: its pods carry a label of that name, a hyphen and a hash of ten characters. */
    public static final int STATEFUL_SET = 52;

    private static final int HASH = 8;

    private ChildName() {}

    /** {@code parent-suffix}, or the parent's beginning, a hash of the whole parent, and the suffix. */
    public static String of(String parent, String suffix, int longest) {
        String end = suffix.isEmpty() ? "" : "-" + suffix;
        if (parent.length() + end.length() <= longest) {
            return parent + end;
        }
        String hash = "-" + Hash.of(parent, HASH);
        String beginning = parent.substring(0, longest - end.length() - hash.length());
        // A name may not have a hyphen or a dot before the hash's own hyphen by accident of the cut.
        return beginning.replaceAll("[-.]+$", "") + hash + end;
    }
}
