// Package sanitize makes untrusted text safe to display: titles, passages, queries and addresses.
//
// [Visible] removes the characters that a reader does not see. Every path into the program uses it: pages, pasted
// texts, mail, feeds, titles, results of channels and names of files. [Line] and [Short] apply it to displayed texts;
// [Link] rejects misleading addresses. Escaping for a format (HTML, Markdown, BibTeX) is done where the format is
// written.
//
// [FindInjections] finds phrases that address a language model instead of a reader, and [CountInvisible] counts the
// invisible characters that hide such phrases. Matches are flagged, never removed: a paper about prompt injection
// quotes such phrases and must stay readable, and offsets into a stored text must stay valid. The phrases cover nine
// languages and find only plain wording, not paraphrases. They warn the reader of a verdict. The protection is that
// texts reach a model as fenced data.
//
// The package is pure: no input, no output, no clock.
package sanitize
