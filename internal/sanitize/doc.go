// Package sanitize makes untrusted text fit to show: titles, passages, queries and addresses of others.
//
// [Visible] decides which characters a reader does not see, and removes them. Every path into the program uses it:
// pages, pasted texts, mail, feeds, titles, results of channels and names of files. [Line] and [Short] apply it to what
// is shown; [Link] rejects addresses that lead elsewhere than they seem to. What a format needs beyond that (HTML,
// Markdown, BibTeX) is escaped where the format is written.
//
// [FindInjections] finds phrases that address a language model instead of a reader, and [CountInvisible] counts the
// invisible characters that hide such phrases. What they find is flagged, never removed: a paper about prompt
// injection quotes all of this and must stay readable, and offsets into a stored text must stay valid. The phrases
// cover nine languages and find plain wording only, not paraphrase. They are a warning for the reader of a verdict,
// not a guard: the guard is that texts reach a model as fenced data.
//
// The package is pure: no input, no output, no clock.
package sanitize
