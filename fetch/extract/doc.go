// Package extract turns bytes into a citable document: HTML, PDF, Markdown, plain text, EPUB, DOCX, messages, feeds and JATS
// articles, in any character set that is declared or can be detected.
//
// [Text] reads the text formats and needs no state. An [Extractor] reads all formats and keeps the compiled PDF library.
// Both return a [document.Extraction]: the document, and the signals by which package fetch tells a source from a paywall,
// a log-in page or a shell. Getting the bytes, and that decision, belong to package fetch.
//
// Each format has a package below this one. Package document holds what the formats share, package limit bounds what they
// read, and package xmltree parses the XML of those that look things up in it.
//
// # Protections
//
// Every body is untrusted: it may be made to exhaust this machine or to mislead its reader.
//
//   - Parsing is bounded for any input. Deeply nested and multiplying elements are parsed into a flat tree
//     (html/tree.go), and pages that would cost readability too much are read without it (html/html.go). The caller
//     recovers from a panic of a parser.
//   - PDFium runs in a sandbox without files or network, with 96 MiB of memory for each document. A call that
//     exceeds its time is interrupted. Archives unpack in memory within the same limit as pages, and names in them are
//     never used as paths. XML has only its five predefined entities, and its nesting is limited.
//   - Text is cleaned of what a person cannot see: scripts, comments, hidden elements, zero-width and bidirectional
//     characters.
//
// # Known limits
//
//   - The meaning of a text is not checked. Callers fence and label it for the model; sentences that address the model are
//     kept here.
//   - Elements that external style sheets hide are not recognised.
package extract
