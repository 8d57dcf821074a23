// Package archive reads documents that are zip archives of XML: EPUB and DOCX. They unpack in memory, within a limit
// over all files together; no name in them is ever a path.
package archive
