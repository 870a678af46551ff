/**
 * A generator of a run: it decodes episodes in a batch, runs their commands in cells, and streams what was said and what
 * came of it to the trainer. In the order of the data: {@code connect}, {@code receive}, {@code decode}, {@code episode};
 * {@code serve} tells people.
 */
package dev.tmax.generator;
