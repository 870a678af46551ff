package dev.tmax.tasks.statistics;

/**
 * Two tasks whose instructions are almost the same.
 *
 * @param first id of the one
 * @param second id of the other
 * @param similarity Jaccard similarity of their 5-grams of words, in [0.8, 1]
 */
public record NearDuplicate(String first, String second, double similarity) {}
