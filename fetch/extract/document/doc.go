// Package document is a text that can be cited, what its own metadata says about it, and the rules by which every
// format writes both: one line for a title, a day for a date, no character that a person cannot see.
//
// Formats differ in where they keep a title or a date, never in how it is written down. What is shared by the rooms
// that read them stands here, and nothing that opens a file or a connection.
package document
