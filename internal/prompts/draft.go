package prompts

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// Draft is what the critic of a draft gets: the text as it was checked, and the sources with the means to read them. It has nothing of what
// the author or a reader thought of either.
type Draft struct {
	Lines   []string // of the draft, from First on
	First   int      // the number of the first of Lines, from 1
	Of      int      // lines of the whole draft
	Folder  string   // of the loop, with S1.md …; empty if it has none
	Sources []DraftSource
	LeftOut int // sources beyond the list
}

// DraftSource is a source with the number of lines of its text.
type DraftSource struct {
	loopstate.Source
	Lines int
}

// Numbered returns the lines of the draft with their numbers.
func (d Draft) Numbered() string {
	var b strings.Builder
	for i, line := range d.Lines {
		fmt.Fprintf(&b, "%d  %s\n", d.First+i, line)
	}
	return strings.TrimRight(b.String(), "\n")
}

// Next returns the number of the first line after those that are shown, or 0.
func (d Draft) Next() int {
	if next := d.First + len(d.Lines); next <= d.Of {
		return next
	}
	return 0
}

// maxAddressChars bounds an address of the list (chosen: a critic needs it whole to read the source).
const maxAddressChars = 400

// DraftSourceLine returns a source on one line.
func DraftSourceLine(s DraftSource) string {
	line := fmt.Sprintf("%s | %d lines | %s | %s | %s | %s", s.ID, s.Lines, orUnknown(s.SourceType), orUnknown(s.PublishedAt),
		sanitize.Short(s.Title, 80), sanitize.Short(s.FinalURL, maxAddressChars))
	if s.DuplicateOf != "" {
		line += " | same text as " + s.DuplicateOf
	}
	return line
}
