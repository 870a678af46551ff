package dev.tmax.contracts.configuration;

/** One form for every complaint about a value: field, value, remedy. */
final class Check {

    private Check() {}

    static void require(boolean holds, String field, Object value, String remedy) {
        if (!holds) {
            throw new InvalidConfigurationException(field, value, remedy);
        }
    }

    static void requirePositive(long number, String field) {
        require(number > 0, field, number, "give a number above 0");
    }
}
