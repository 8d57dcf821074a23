// Package duplicate finds texts that repeat each other, with other typography or a few changed words. [Alike] compares the
// [Shingles] of two texts.
//
// It knows no translations or paraphrases, and texts of one form that differ in their figures are near-duplicates.
package duplicate
