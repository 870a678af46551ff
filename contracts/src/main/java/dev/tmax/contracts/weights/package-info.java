/** How weights go from the trainer to generators: the messages of {@code weights.proto} and the format of a patch. */
package dev.tmax.contracts.weights;
