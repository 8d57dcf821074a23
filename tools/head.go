package tools

import (
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/lines"
)

// headOf returns what a document states of itself: the lines with which its text begins, or else a line for each of its
// properties. Of pages and plain texts without such lines, which the rest of the answer names, it has what is not there.
func headOf(p loops.PageOutcome) string {
	if head, _ := lines.Head(p.Text); head != "" {
		return head
	}
	var out []string
	add := func(name, value string) {
		if value = strings.TrimSpace(value); value != "" {
			out = append(out, name+": "+value)
		}
	}
	if kind, _, _ := strings.Cut(p.ContentType, ";"); p.Text != "" && !strings.HasPrefix(kind, "text/") {
		add("title", p.Title)
		add("authors", strings.Join(p.Authors, "; "))
		add("date", p.PublishedAt)
	}
	add("publisher", p.Publisher)
	add("status", p.DocStatus)
	add("subject", p.Subject)
	add("keywords", p.Keywords)
	return strings.Join(out, "\n")
}
