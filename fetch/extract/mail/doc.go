// Package mail reads messages: a file of many in the mbox format, or one. It is pure; where the bytes come
// from is the caller's business.
//
// mbox has no standard that programs keep to (RFC 4155 describes what they do). Here a message begins at a line
// "From sender date" that is the first of the file or follows a blank line, and a line of a body that somebody
// escaped so as not to be one (">From ") loses one ">". Headers are read leniently: a line that is none is
// passed over. What a message holds is given as the parts that a person would read; the character sets of bodies
// are left to whoever reads text of any kind anyway, those of headers are decoded here.
//
// Everything is bounded: the size of a message, its headers, how deep its parts nest and how many there are.
package mail
