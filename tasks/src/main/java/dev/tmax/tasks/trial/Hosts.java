package dev.tmax.tasks.trial;

import dev.tmax.tasks.Environment;

/** Finds the host of an environment. Hosts live until this is closed. */
public interface Hosts extends AutoCloseable {

    /**
     * The host of an environment.
     *
     * @throws NoHostException where there is none
     */
    Host of(Environment environment) throws NoHostException;

    @Override
    void close();
}
