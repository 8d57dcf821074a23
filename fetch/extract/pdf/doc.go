// Package pdf reads PDFs: words and places by PDFium, which runs as WebAssembly without files or network; lines,
// columns, paragraphs and what is repeated on every page by this package.
//
// PDFium has 320 MiB of memory, serves one document and is then thrown away, and is stopped in the middle of a
// call when the time is over (pdfium.go).
package pdf
