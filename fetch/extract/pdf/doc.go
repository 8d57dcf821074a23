// Package pdf reads PDFs. PDFium, which runs as WebAssembly without files or network, returns characters and their
// positions. This package finds words, lines, columns, paragraphs, tables and notes, and what repeats on every page.
//
// An instance of PDFium has 96 MiB of memory and serves one document. It is interrupted during a call when the time is over.
//
// The files follow a document: the instance (pdfium.go, memory.go), its characters (chars.go, font.go, links.go), words and
// pages (page.go, words.go), lines in reading order (layout.go), metadata (metadata.go), what repeats (furniture.go), the
// kind of each line (structure.go, table.go, footnotes.go), the text (flow.go), and the whole (pdf.go).
package pdf
