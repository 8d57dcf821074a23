// Package words reads text as words and sentences.
//
//   - [Sentences] cuts a text into sentences, [Cut] into pieces of a size. A sentence may be wrapped over lines.
//   - [Terms] and [Analyzer] give the terms by which a text is searched and compared: folded and stemmed words, plain
//     numbers, and pairs of characters in scripts without spaces.
//   - [Fold] unifies the spellings of a word. [Language] detects a language, [Function] knows its function words, [Common]
//
// aligns sequences.
//
// All offsets count Unicode code points, and the work is linear in the length of a text. The package is pure. The files, each of
// which uses only those before it: lists (the embedded word lists), fold, stem, terms, span, lines, sentences; language; sequence.
//
// It does not know the parts of speech, compounds, or words of Chinese and Japanese. Stemmers exist for eight languages,
// long lists of function words for six; others have their most frequent words only.
package words
