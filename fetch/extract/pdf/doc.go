// Package pdf reads PDFs. PDFium, which runs as WebAssembly without files or network, returns characters and their
// positions. This package finds words, lines, columns, paragraphs, tables and notes, and what repeats on every page.
//
// An instance of PDFium has 96 MiB of memory and serves one document. It is interrupted during a call when the time is over.
//
// The files follow a document: the instance (pdfium.go), its characters (chars.go), the words of a page (page.go,
// text.go, words.go), lines in reading order (lines.go, layout.go), the title page (titlepage.go), the kind of each line (table.go,
// structure.go), what repeats (furniture.go), the text with its notes (flow.go), and the whole (pdf.go).
package pdf
