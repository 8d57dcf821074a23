// Package references reads lists of references and compares their entries with the records of bibliographic services. It is
// pure: it looks nothing up.
//
// [Parse] reads BibTeX, RIS, CSL-JSON, and text with a list of references. An entry of a text is compared by its own words,
// because where its title ends and its journal begins is a guess. [Compare] compares an entry with a record field by field:
// initials, diacritics, capitals, abbreviated venues, subtitles and preprints are no differences. [Repair] writes the
// recorded values into a BibTeX file and leaves the rest as it is.
package references
