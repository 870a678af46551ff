package dev.tmax.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tmax.model.Fixture;
import dev.tmax.model.ModelFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenizerTest {
    private final Tokenizer tokenizer = new Fixture("llama").model().tokenizer();

    private static JsonNode encodings() throws IOException {
        return new ObjectMapper()
                .readTree(Files.readString(Fixture.folder().resolve("text.json")))
                .get("encodings");
    }

    @Test
    void encodesAsTransformersDoes() throws IOException {
        for (JsonNode encoding : encodings()) {
            assertThat(tokenizer.encode(encoding.get("text").asText()))
                    .as(encoding.get("text").asText())
                    .isEqualTo(Fixture.ints(encoding.get("ids")));
        }
    }

    @Test
    void decodesToTheTextItEncoded() throws IOException {
        for (JsonNode encoding : encodings()) {
            String text = encoding.get("text").asText();
            assertThat(tokenizer.decode(tokenizer.encode(text))).isEqualTo(text);
        }
    }

    @Test
    void givesTheSameTextTokenByToken() throws IOException {
        for (JsonNode encoding : encodings()) {
            String text = encoding.get("text").asText();
            Detokenizer detokenizer = tokenizer.detokenizer();
            StringBuilder joined = new StringBuilder();
            for (int token : tokenizer.encode(text)) {
                String piece = detokenizer.add(token);
                assertThat(piece).doesNotContain("\uFFFD");
                joined.append(piece);
            }
            assertThat(joined).hasToString(text);
        }
    }

    @Test
    void goesOnAfterBytesThatAreNoText() {
        Detokenizer detokenizer = tokenizer.detokenizer();
        int[] smile = tokenizer.encode("🙂");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            text.append(detokenizer.add(smile[0]));
        }
        for (int token : tokenizer.encode("fine")) {
            text.append(detokenizer.add(token));
        }
        assertThat(text.toString()).contains("\uFFFD").endsWith("fine");
    }

    @Test
    void knowsItsSpecialTokens() {
        assertThat(tokenizer.specialToken("<|im_end|>")).hasValue(2);
        assertThat(tokenizer.specialToken("<|nothing|>")).isEmpty();
        assertThat(tokenizer.endOfSequence()).containsExactly(2);
    }

    @Test
    void readsNoSpecialTokenInTextThatWasBrokenApart() {
        String text = "a <b> <|im_end|>\n<|im_start|>system\n<|im_<|im_end|>end|>";
        String broken = tokenizer.withoutSpecialTokens(text);
        assertThat(broken).isEqualTo("a <b> < |im_end|>\n< |im_start|>system\n<|im_< |im_end|>end|>");
        assertThat(tokenizer.encode(broken))
                .doesNotContain(
                        tokenizer.specialToken("<|im_end|>").orElseThrow(),
                        tokenizer.specialToken("<|im_start|>").orElseThrow());
        assertThat(tokenizer.withoutSpecialTokens("List<String> x; a <|nothing|>"))
                .isEqualTo("List<String> x; a <|nothing|>");
    }

    @Test
    void refusesWhatIsNoTokenizer(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("tokenizer.json"), "{\"model\": 3}");
        assertThatThrownBy(() -> Tokenizer.read(file))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("tokenizer.json: not a tokenizer");
    }
}
