// Package verify compares claims with the texts that they cite. It is the one engine for verify_citations, citeloop verify,
// citeloop research, the page and reports.
//
// A check takes three steps:
//
//	statements := verify.LibraryOf(state).Read(draft.Parse(text)) // which sentences cite which sources and lines
//	err := verify.Check(ctx, statements.Claims, sources)          // what can be known without a reader
//	claim.Apply(reading)                                          // what a reader found
//
// [Check] decides almost nothing. A citation of what was never read, or of a line that does not exist, is an error; so is a
// quotation that no cited text has. Everything else is inferred until somebody who is not the author has read the cited lines.
// Remarks (package remark) put a claim at the front of the reader's queue. The mark verbatim decides nothing: a text may
// quote a sentence to deny it. Package reader prepares what a reader gets, and judges the reader.
//
// Files, lowest first: text.go (prepared texts), claim.go, library.go (citations to sources), passages.go (what a reader
// sees), check.go, conflict.go, second.go, tally.go (counts and the verdict of a text).
//
// The package is pure: it reads no texts itself, and the same claims and texts give the same result.
package verify
