// Package foreign makes what strangers wrote fit to be shown: titles, passages, queries and addresses may hold control
// characters, characters that turn the direction of what follows, and links that lead elsewhere than they seem to.
// The report, the page, the drawings and the results of verify show the same text by the same rules. What a format
// needs beyond them (HTML, Markdown, BibTeX) is escaped where that format is written.
package foreign
