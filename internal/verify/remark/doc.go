// Package remark says about a claim what can be said without a reader: which quantities the cited blocks lack, and where a
// nearly verbatim sentence differs from its source. A remark puts a claim at the front of the reader's queue. It is never a
// verdict: a claim without remarks may be false, and one with remarks true.
//
//   - Quantities: a number, date or measure that the blocks lack where they have another one in its place.
//   - Near-verbatim sentences: the claim is aligned word by word with the best sentence of the blocks. Where the words around
//     it are the same, a difference is visible: a negation, an opposite, another name, or words left out.
//
// Both are blind to paraphrases, which share too few words with their source. data/words.txt has short lists of negations
// and opposites for six languages; the alignment does the rest.
//
// Files, each using only those above it: tokens.go (a text as comparable words), lists.go (the lists of words), align.go (the
// alignment with the best sentence), numbers.go (quantities), changes.go (near-verbatim sentences), leftout.go (what a quotation
// leaves out), speaker.go (who says it), remark.go (Find, Verbatim).
package remark
