// Package quote looks quotes up in a text and grades how well their words are there.
//
// [Find] grades a quote: [Exact] for the same characters, [Normalised] when only typography differs, [Fuzzy] for a long quote of
// which most words are there, [Absent] otherwise. Only the first two say that the words are there. For many quotes of one text,
// [New] prepares it once. [Nearest] shows where most of the words of a refused quote are, and [Changed] which of them differ.
//
// What typesetting changes is ignored: compatibility forms, case, quotation marks, dashes, ligatures, hyphens at the ends of
// lines, white space, and marks of notes such as [1] and markup of links that the quote leaves out. What changes an amount is not: a
// sign, a decimal point, a comparison sign, % and currencies, an exponent. An amount of mW and one of MW are the same here: package
// quantity tells them apart.
//
// The files, each using only those before it: markup.go finds what a page does not show, letters.go reduces a text to what is compared,
// nearest.go aligns words, quote.go grades.
//
// The package compares characters. It does not know which quotes matter, nor whether a sentence before the quote denies it.
package quote
