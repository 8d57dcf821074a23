// Package extract turns bytes into a document that can be cited: HTML, PDF, Markdown, plain text, EPUB, DOCX,
// feeds and articles in JATS, in any character set that is declared or can be told from the bytes.
//
// [Text] reads the text formats and needs nothing. An [Extractor] reads all of them, and keeps the PDF library
// that it compiles. Both answer a [document.Extraction]: the document, and the signs by which a reader tells a
// source from a wall. How the bytes were come by is package fetch's concern, and so is that judgement.
//
// Each format has a room of its own below this one; document has what they share.
//
// # What is defended
//
// Every body is taken to be made by somebody who wants this machine to work for them, or its reader misled.
//
//   - Parsing is bounded whatever a page holds: deep nesting and elements that multiply are built into a
//     flat tree (html/tree.go), and what would cost readability too much is read without it (html/html.go). A panic
//     of a parser is the caller's to catch: fetch makes a page with the status error of it.
//   - PDFium runs in a sandbox without files or network, with 320 MiB of memory, for one document at a time, and
//     is stopped in the middle of a call when the time is over. Archives unpack in memory, within the same
//     limit as pages; no name in them is ever a path. XML has no entities but its own five, and its nesting is
//     bounded.
//   - Text is cleaned of what a person cannot see: scripts, comments, hidden elements, zero-width and
//     bidirectional characters.
//
// # What is not
//
//   - What a text says. It reaches the model fenced and labelled by the rooms above; sentences that address the
//     model are not removed here.
//   - Elements that style sheets hide: only attributes are read.
package extract
