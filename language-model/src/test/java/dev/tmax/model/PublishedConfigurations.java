package dev.tmax.model;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Published sizes of Qwen3 and Qwen3.5, as {@code config.json} alone; the names are folders of the test resources. */
public enum PublishedConfigurations {
    QWEN3_0_6B("qwen3-0.6b", 596_049_920L),
    QWEN3_1_7B("qwen3-1.7b", 1_720_574_976L),
    QWEN3_4B("qwen3-4b", 4_022_468_096L),
    QWEN3_8B("qwen3-8b", 8_190_735_360L),
    QWEN3_14B("qwen3-14b", 14_768_307_200L),
    QWEN3_32B("qwen3-32b", 32_762_123_264L),
    QWEN3_5_2B("qwen3.5-2b", 1_881_825_088L),
    QWEN3_5_4B("qwen3.5-4b", 4_205_751_296L),
    QWEN3_5_9B("qwen3.5-9b", 8_953_803_264L),
    QWEN3_5_27B("qwen3.5-27b", 26_895_998_464L);

    private final String folder;
    private final long parameters;

    PublishedConfigurations(String folder, long parameters) {
        this.folder = folder;
        this.parameters = parameters;
    }

    public Path path() {
        try {
            return Path.of(PublishedConfigurations.class
                            .getResource("/configurations")
                            .toURI())
                    .resolve(folder);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    public ModelConfiguration read() {
        return ModelFolder.configuration(path());
    }

    /** Weights of the text part, counted by hand from the sizes; Qwen3's are also what its files hold. */
    public long parameters() {
        return parameters;
    }
}
