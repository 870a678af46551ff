/** Which task comes next: a seeded order, a cursor, and the prompts that are in flight. */
package dev.tmax.trainer.schedule;
