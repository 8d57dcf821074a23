// Package extract turns bytes into a citable document: HTML, PDF, Markdown, plain text, EPUB, DOCX, messages, feeds and JATS
// articles, in any character set that is declared or can be detected.
//
// An [Extractor] reads a body in three steps: the bytes say what format it is (format.go), the package of the format makes blocks
// of it, and [document.Document.Write] makes lines of them. Whether the result is a source, a paywall or a log-in page is decided
// in package fetch.
//
// # Protections
//
// Every body is untrusted: it may be made to exhaust this machine or to mislead its reader.
//
//   - Parsing is bounded for any input, in time, memory, nodes and depth. The caller recovers from a panic of a parser.
//   - PDFium runs in a sandbox without files or network, with 96 MiB of memory for each document. A call that exceeds its time is
//     interrupted. Archives unpack in memory within the same limit as pages, and names in them are never used as paths. XML has
//     only its five predefined entities.
//   - Text is cleaned of what a person cannot see: scripts, comments, hidden elements, zero-width and bidirectional characters.
//
// The meaning of a text is not checked: callers fence and label it for the model. Elements that external style sheets hide are
// not recognised.
package extract
