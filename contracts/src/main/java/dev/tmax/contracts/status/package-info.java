/** What the trainer says of its run at {@code GET /v1/status}; the operator turns it into the status of the TrainingRun. */
package dev.tmax.contracts.status;
