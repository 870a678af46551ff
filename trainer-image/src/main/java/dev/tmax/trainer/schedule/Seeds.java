package dev.tmax.trainer.schedule;

/** Seeds that depend on what they are for and on nothing else. */
public final class Seeds {

    private Seeds() {}

    /** Seed of one attempt: the same in every issue of it, also after a resume. */
    public static long ofAttempt(long runSeed, long prompt, int attempt) {
        return mix(mix(runSeed, prompt), attempt);
    }

    /** A well mixed number of two (the finaliser of SplitMix64). */
    static long mix(long seed, long number) {
        long z = seed + (number + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
