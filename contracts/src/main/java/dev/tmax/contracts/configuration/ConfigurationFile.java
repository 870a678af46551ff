package dev.tmax.contracts.configuration;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads and writes a {@link RunConfiguration} as YAML. Writing is stable: equal configurations give equal bytes. */
public final class ConfigurationFile {

    private static final ObjectMapper YAML = YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .serializationInclusion(JsonInclude.Include.NON_NULL)
            .build();

    private ConfigurationFile() {}

    /**
     * @throws InvalidConfigurationException with field, value and remedy
     * @throws IOException where the file cannot be read
     */
    public static RunConfiguration read(Path file) throws IOException {
        return parse(Files.readString(file));
    }

    /** @throws InvalidConfigurationException with field, value and remedy */
    public static RunConfiguration parse(String yaml) {
        try {
            return YAML.readValue(yaml, RunConfiguration.class);
        } catch (JsonProcessingException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof InvalidConfigurationException invalid) {
                    throw invalid;
                }
            }
            throw new InvalidConfigurationException("configuration", null, e.getOriginalMessage());
        }
    }

    /** The file's text; {@link #parse} gives back an equal configuration. */
    public static String write(RunConfiguration configuration) {
        try {
            return YAML.writeValueAsString(configuration);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("records of strings and numbers are always writable", e);
        }
    }
}
