/** The one stream to the trainer: opened, kept, opened again. */
package dev.tmax.generator.connect;
