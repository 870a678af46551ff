package dev.tmax.generator.receive;

import dev.tmax.contracts.rollout.Announce;
import dev.tmax.contracts.rollout.Applied;
import dev.tmax.contracts.weights.WeightsGrpc;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Weights to bring in.
 *
 * @param announce which
 * @param trainer where to fetch them
 * @param applied told once the decoder uses them
 * @param current whether the trainer that announced them is still connected
 */
public record Announcement(
        Announce announce,
        WeightsGrpc.WeightsBlockingStub trainer,
        Consumer<Applied> applied,
        BooleanSupplier current) {}
