package dev.tmax.operator.run.children;

/** Paths inside trainer and generator pods. */
public final class Mounts {

    static final String CONFIGURATION = "/etc/tmax";
    static final String CONFIGURATION_FILE = "run.yaml";
    static final String TOKEN = "secrets/token";
    static final String SANDBOX_TOKEN_KEY = "secrets/sandbox-token-key";
    static final String MODEL = "/model";
    static final String TASKS = "/tasks";
    static final String EVALUATION_TASKS = "/evaluation-tasks";
    public static final String CHECKPOINTS = "/checkpoints";

    private Mounts() {}

    /** A path below a mount; the folder is relative, null or empty for the mount itself. */
    public static String below(String mount, String folder) {
        return folder == null || folder.isEmpty() ? mount : mount + "/" + folder;
    }
}
