// Package lines numbers the lines of a stored text, from 1, and tells what belongs to a line.
//
// A line is what stands between two line breaks of the stored text, so that line 120 is what sed -n 120p, an editor and a
// host's own file tool call line 120. Plain text formats keep the lines of their file, front matter included; extraction
// writes one block a line. Numbers never move: they belong to the text.
//
// What belongs to a line is its [Block] (the wrapped paragraph, the list item, the row of a table, the heading, the lines of
// code) with the [Context] above it: the path of headings, the introduction of its list, the header of its table.
//
// Files, lowest first: ranges.go (references such as 120-128,140), kinds.go (what a single line is), blocks.go (lines to
// blocks), text.go (the numbered text).
//
// The package is pure. It recognises Markdown and the plain text that extraction writes. It does not know other markup: there
// a wrapped paragraph is a block and nothing is a heading.
package lines
