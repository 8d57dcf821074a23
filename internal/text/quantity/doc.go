// Package quantity reads the numbers and dates of a text, and says whether one can be what another says.
//
// [Read] finds them in digits and in words, with unit, scale, sign, exponent, and with what limits them ("at least", ≤, "about").
// [Quantity.SameValue] compares: 1.2 million is 1,200,000, 2 % is two per cent, 1 km is 1,000 m. Amounts of other dimensions do not
// compare. mW and MW, Mb and MB, −5 and 5, 10^5 and 105 differ.
//
// The data are tables beside the code: data/symbols.txt has the symbols of every language, data/en.txt and so on its words,
// data/other.txt the scales and months of languages without a file.
//
// The files, each using only those before it: quantity.go, tokens.go, lexicon.go, numbers.go, dates.go, around.go, read.go;
// match.go compares what they read.
//
// Ordinals, decades, times of day, rates and multiples are not read, and what a number counts is not compared: 3 boats match
// 3 ships. Nor are 3/4/2024, which is a day in March or in April, and fünfundzwanzig. Temperatures, currencies and mg/l are not converted.
package quantity
