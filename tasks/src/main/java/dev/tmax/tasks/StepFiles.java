package dev.tmax.tasks;

import java.util.Optional;

/**
 * The files of a step as tar archives, read when they are asked for: a set of many tasks would not fit into memory. The
 * same files give the same bytes.
 */
public interface StepFiles {

    /** The tests; the archive's root is {@code /tests} and holds {@link Verifier#SCRIPT}, unless an image brings them. */
    byte[] tests();

    /** The reference solution; the archive's root is {@code /solution} and holds {@code solve.sh}. */
    Optional<byte[]> solution();

    /** Whether there is a {@link #solution}, without reading it. */
    boolean hasSolution();

    /** What is put into the working directory before the agent begins. */
    Optional<byte[]> workdir();

    /** Whether there is a script {@link Step#SETUP} among {@link #workdir}. */
    boolean hasSetup();
}
