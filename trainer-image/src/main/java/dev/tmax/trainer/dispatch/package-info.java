/**
 * Episodes to generators: they connect, say their capacity, get whole groups and cells to run them in, and send tokens
 * and rewards back. What breaks on the way is issued again.
 */
package dev.tmax.trainer.dispatch;
