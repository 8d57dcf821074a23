// Package archive writes one loop to a zip file and reads it back: the log, the texts and the responses, checked by their
// hashes and, if the file is signed, by its key. It also writes bundles: RO-Crates that are checked without this program.
package archive
