// Package passage cuts texts into passages and finds those that answer a query, by BM25.
//
//   - [Split] cuts a text into passages, joins headings to what they lead to and names the section of each passage.
//   - [Index] ranks the passages of many texts. [Weight], [Norm] and [Gain] are its formula, for other indexes.
//   - [Excerpt] is the part of a paragraph that has most of a query.
//
// Comments, tables of contents and lists of links are never offered; offsets stay those of the whole text and count Unicode
// code points. The package is pure, and its work is linear in the length of a text.
//
// The files, each of which uses only those before it: block, contents, split; rank, index, queries; excerpt.
//
// It compares stems of words. It knows no synonyms, derived words or translations, and no meaning.
package passage
