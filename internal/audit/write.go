package audit

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// WriteJSON writes a result as JSON.
func WriteJSON(w io.Writer, r *Result) error { return outcome.JSON(w, true).Encode(r) }

const shownChars = 200 // of a value on a terminal

func short(s string) string { return sanitize.Short(s, shownChars) }

// WriteText writes an entry that is not verified as compilers do, file:line: status: …, with what differs below it.
func WriteText(w io.Writer, r *Result) error {
	b := bufio.NewWriter(w)
	for _, e := range r.Entries {
		if e.Status == Verified {
			continue
		}
		fmt.Fprintf(b, "%s:%d: %s: %s\n    why: %s\n", sanitize.Line(e.File), e.Line, e.Status, short(name(e)), short(e.Because))
		for _, d := range e.Differences {
			fmt.Fprintf(b, "    %s: listed   %s\n    %s  recorded %s (%s)\n", d.Field, short(d.Listed), strings.Repeat(" ", len(d.Field)),
				short(d.Recorded), d.From)
		}
	}
	for _, p := range r.Problems {
		fmt.Fprintf(b, "problem: %s\n", short(p))
	}
	fmt.Fprintln(b, r.Summary())
	return b.Flush()
}

// name returns an entry's title with its key.
func name(e Entry) string {
	if e.Title == "" {
		return "[" + e.Key + "]"
	}
	return "[" + e.Key + "] " + e.Title
}

// Summary returns the verdict on one line.
func (r *Result) Summary() string {
	parts := []string{}
	for _, status := range statuses {
		if n := r.Counts[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(status), "_", " ")))
		}
	}
	return fmt.Sprintf("%s: %d references: %s", r.Verdict, len(r.Entries), strings.Join(parts, ", "))
}
