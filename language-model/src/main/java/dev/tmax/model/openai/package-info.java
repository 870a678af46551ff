/** An OpenAI-compatible HTTP interface of a model: chat completions and completions over the decoding engine. */
package dev.tmax.model.openai;
