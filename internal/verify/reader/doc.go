// Package reader prepares what a reader reads who is not the author: claims beside the passages that they cite, with test items among
// them. It is pure: the same request gives the same batch, byte for byte, and a seed that nobody knows hides what is a test.
//
// Test items are made from the author's own sentences, so that their style tells nothing and no language needs a list of words. A false
// one has another figure or quoted name than its passages, or stands beside the passages of another citation. A true one is a sentence of
// a source beside its own block, or one that a reader found supported. Where the texts are too short there are fewer, down to none: a
// review is never refused.
//
// [NextBatch] says what a batch is made from and [Batch.Items] makes it, [QuoteFound] and [NearestWords] judge the words that a reader
// quotes, [Accuracy] is of a reader. The files from the top: batch.go, testitems.go, passage.go, bound.go.
//
// Careless readers are caught, dishonest ones are not: a program can compare the items with the text.
package reader
