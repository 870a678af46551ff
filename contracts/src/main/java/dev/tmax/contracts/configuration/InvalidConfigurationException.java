package dev.tmax.contracts.configuration;

/** A value of the run's configuration that cannot be used. The message names the field, the value and the remedy. */
public final class InvalidConfigurationException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String field;

    public InvalidConfigurationException(String field, Object value, String remedy) {
        super("%s: %s is not usable; %s".formatted(field, value == null ? "nothing" : "'" + value + "'", remedy));
        this.field = field;
    }

    /** Path of the field within the file, for example {@code recipe.groupSize}. */
    public String field() {
        return field;
    }
}
