// Package archive writes one loop to a zip file and reads it back: the log, the texts and the responses, checked by their
// hashes and, if the file is signed, by its key.
package archive
