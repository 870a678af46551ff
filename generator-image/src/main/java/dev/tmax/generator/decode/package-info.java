/** The one thread that owns the decoding engine, and what episodes see of it: conversations. */
package dev.tmax.generator.decode;
