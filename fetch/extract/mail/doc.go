// Package mail reads single messages and mailboxes in the mbox format. It performs no input or output itself.
//
// mbox has no standard that all programs follow; RFC 4155 describes the practice. A message begins at a line "From sender
// date" that is the first of the file or follows a blank line. An escaped line of a body (">From ") loses one ">". Headers
// are read leniently: malformed lines are skipped. A message is returned as the parts that a person would read. Headers are
// decoded here; the character sets of bodies are left to package extract.
//
// The size of a message, its headers, and the depth and number of its parts are limited.
package mail
