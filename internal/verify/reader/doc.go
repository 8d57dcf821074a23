// Package reader prepares what a second reader reads, who is not the author: claims beside the passages that they cite,
// mixed with planted errors and controls that test the reader. It is pure: the same request gives the same batch, byte for
// byte, and a seed that nobody knows hides what was planted.
//
// A planted error is a sentence with one change that makes it false: another number or unit, a negation more or less, an
// opposite, another quantifier or certainty. It is the twin of a claim of the batch, of a claim that a believed reader
// supported, or of a sentence of the cited texts. Nobody knows yet whether a claim of the batch is true; its twin is false in any case,
// because the passages have the words that were changed and nothing like the new ones. A control is true. Both have other words
// that say the same. At most half of the planted errors show by comparing alone: a number, a negation, a twin of a claim that waits.
//
// [Prepare] makes a batch, [Sharing] shows each passage once, [QuoteFound] and [NearestWords] judge the words that a reader
// quotes. [NewPlan] says which claims to read now and, with [Bound], what follows for the rest; [Accuracy] is of a reader.
//
// The files, each using only those before it: lists.go (the words of data/), passage.go, word.go and
// number.go (the changes), batch.go; and bound.go, plan.go.
//
// The package knows English, German, French, Spanish, Chinese and Japanese; in other languages it changes numbers alone. It
// cannot hide planted errors from a program that knows its lists, or learned them from many batches. Whether a reader is believed is the caller's business.
package reader
