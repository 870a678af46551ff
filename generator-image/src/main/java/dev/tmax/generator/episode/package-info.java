/** The agent loop of one attempt: think, run a command in its cell, observe, and at the end let the tests judge. */
package dev.tmax.generator.episode;
