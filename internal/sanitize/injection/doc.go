// Package injection finds, in a text that a stranger wrote, the places that speak to a model instead of to a
// reader: that set its instructions aside, tell it what it is, ask it to keep something from its user, to send
// something out or to call a tool, and the marks of a chat that a text may wear to look like one. It also counts
// the invisible characters in which such words are hidden.
//
// What it finds is flagged, never removed: a paper about prompt injection quotes all of this and must stay
// readable, and offsets into a stored text must stay true. It is a net of phrases in nine languages, so it finds
// what is written plainly and nothing that is paraphrased; it is a warning for whoever reads a verdict, not a
// guard. What keeps a model from obeying is that texts reach it as fenced data.
//
// The room is pure: no input, no output, no clock.
package injection
