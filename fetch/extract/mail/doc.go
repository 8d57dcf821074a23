// Package mail reads messages as a person would: header fields, and the parts of the body in the form that mail programs show.
//
// Headers are decoded here, leniently: malformed lines are skipped. The character sets of bodies are left to package extract.
// The size of the headers, and the depth and number of the parts are limited.
package mail
