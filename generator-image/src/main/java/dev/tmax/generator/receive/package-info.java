/** From an announcement to verified weights in the decoder. */
package dev.tmax.generator.receive;
