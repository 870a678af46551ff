package dev.tmax.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tmax.model.Fixture;
import dev.tmax.model.ModelFolder;
import dev.tmax.model.ModelFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChatTemplateTest {
    private final ModelFolder model = new Fixture("llama").model();
    private final ChatTemplate template = model.chatTemplate();

    @Test
    void rendersAsJinja2Does() throws IOException {
        JsonNode conversations = new ObjectMapper()
                .readTree(Files.readString(Fixture.folder().resolve("text.json")))
                .get("conversations");
        for (JsonNode conversation : conversations) {
            List<Message> messages = new ArrayList<>();
            for (JsonNode message : conversation.get("messages")) {
                messages.add(new Message(
                        message.get("role").asText(), message.get("content").asText()));
            }
            assertThat(template.render(messages, true))
                    .isEqualTo(conversation.get("prompt").asText());
            assertThat(template.render(messages, false))
                    .isEqualTo(conversation.get("closed").asText());
        }
    }

    @Test
    void continuesAConversationToTheTextOfTheWhole() {
        List<Message> first = List.of(Message.system("shell"), Message.user("list"));
        List<Message> whole = List.of(
                Message.system("shell"),
                Message.user("list"),
                Message.assistant("ls"),
                Message.user("{{ a }}\n<b> & 'c'"));
        assertThat(template.render(first, true) + "ls" + template.continuation("{{ a }}\n<b> & 'c'"))
                .isEqualTo(template.render(whole, true));
    }

    @Test
    void appendsTheEndOfTurnOnlyIfThePolicyDidNotWriteIt() {
        int end = model.tokenizer().specialToken("<|im_end|>").orElseThrow();
        int[] cut = template.continuation(model.tokenizer(), 50, "0");
        int[] ended = template.continuation(model.tokenizer(), end, "0");
        assertThat(cut[0]).isEqualTo(end);
        assertThat(ended).hasSize(cut.length - 1);
        assertThat(model.tokenizer().decode(ended)).startsWith("\n<|im_start|>user\n0");
    }

    @Test
    void refusesAModelWithoutTemplateAndATemplateThatFails(@TempDir Path folder) throws IOException {
        assertThatThrownBy(() -> ChatTemplate.inFolder(folder))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("chat_template: missing");
        Files.writeString(folder.resolve("chat_template.jinja"), "{% for m in messages %}{{ m['role'] }}");
        assertThatThrownBy(() -> ChatTemplate.inFolder(folder).render(List.of(Message.user("x")), true))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("chat_template.jinja");
    }
}
