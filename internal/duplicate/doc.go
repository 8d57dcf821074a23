// Package duplicate finds texts that repeat each other, with other typography or a few changed words. [Jaccard] compares the
// [Shingles] of two texts. A [Sketch] of 128 bytes estimates that without the texts, so that only those that share one of its
// [Sketch.Bands] need a comparison. Hosts store sketches as strings, so terms, hashes and the format must not change.
//
// It knows no translations or paraphrases, and texts of one form that differ in their figures are near-duplicates.
package duplicate
