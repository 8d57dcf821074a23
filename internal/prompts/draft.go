package prompts

import (
	"fmt"
	"strings"
)

// DraftPart is a part of a draft as it was checked, for a critic. It has nothing of what the author or a reader thought of it.
type DraftPart struct {
	Numbered string // lines with their numbers
	First    int    // the number of the first of them
	Next     int    // the number of the first line that did not fit, or 0
	Folder   string // of the loop, with S1.md …; empty if it has none
	all      string
}

// maxDraftShown bounds the part of a draft in one brief, in bytes (chosen: some 30 pages; the longest text of a trial had 20,000).
const maxDraftShown = 80_000

// PartOf returns a draft from one of its lines on. ok is false if it has no such line.
func PartOf(draft string, from int, folder string) (p *DraftPart, ok bool) {
	p = &DraftPart{First: from, Folder: folder, all: draft}
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(draft, "\r\n", "\n"), "\n"), "\n")
	if from < 1 || from > len(lines) {
		return nil, false
	}
	var b strings.Builder
	for i, line := range lines[from-1:] {
		if b.Len()+len(line) > maxDraftShown && i > 0 {
			p.Next = from + i
			break
		}
		fmt.Fprintf(&b, "%d  %s\n", from+i, line)
	}
	p.Numbered = strings.TrimRight(b.String(), "\n")
	return p, true
}
