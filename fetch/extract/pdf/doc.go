// Package pdf reads PDFs. PDFium, which runs as WebAssembly without files or network, returns characters and their
// positions. This package finds words, lines, columns, paragraphs, tables and notes, and what repeats on every page.
//
// An instance of PDFium has 96 MiB of memory and serves one document. It is interrupted during a call when the time is over.
//
// The files follow a document: the instance (pdfium.go), its characters (glyph.go), words (word.go, text.go), columns in reading
// order (columns.go), their lines (lines.go), what repeats (furniture.go), what lines have in common (usual.go), the kind of each
// line (structure.go, table.go), the text with its notes (flow.go), the title page (titlepage.go), and the whole (pdf.go).
package pdf
