package textcheck

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

const (
	textSentenceChars = 240 // of a sentence or a passage on a terminal (chosen: three lines)
	textAddressChars  = 160
)

// writeText writes each finding as compilers do, file:line:column: kind: …, its reasons indented below, and the verdict
// on each file at the end.
func writeText(w io.Writer, r *Result) error {
	b := bufio.NewWriter(w)
	for _, f := range r.Findings() {
		fmt.Fprintf(b, "%s:%d:%d: %s: %s\n", sanitize.Line(f.File), f.Line, f.Column, f.Kind, sanitize.Short(f.Text, textSentenceChars))
		fmt.Fprintf(b, "    why: %s\n", sanitize.Short(f.reason(), 2*textSentenceChars))
		if f.Near != nil {
			fmt.Fprintf(b, "    near: %q, %s of %s\n", sanitize.Short(f.Near.Text, textSentenceChars), f.Near.place(), sanitize.Short(f.Near.URL, textAddressChars))
		} else if len(f.Sources) > 0 {
			fmt.Fprintf(b, "    cited: %s\n", sanitize.Short(strings.Join(f.Sources, ", "), textAddressChars))
		}
	}
	for _, f := range r.Files {
		fmt.Fprintf(b, "%s: %s\n", sanitize.Line(f.File), r.summary(f))
	}
	if r.Review != nil {
		fmt.Fprintf(b, "review: %s\n", sanitize.Line(r.Review.String()))
	}
	return b.Flush()
}

// Summary returns the verdict on one line.
func (r *Result) Summary() string {
	if len(r.Files) == 1 {
		return r.summary(r.Files[0])
	}
	count := map[string]int{}
	for _, f := range r.Files {
		count[f.Verdict]++
	}
	return fmt.Sprintf("%s: %d files: %d pass, %d fail, %d cannot be judged", verdictWord(r.Verdict), len(r.Files), count[Pass], count[Fail], count[CannotSay])
}

func verdictWord(verdict string) string { return strings.ReplaceAll(verdict, "_", " ") }

func (r *Result) summary(f FileVerdict) string {
	parts := []string{f.tally().String()}
	some := func(n int, one, several string) {
		if n == 1 {
			parts = append(parts, "1 "+one)
		} else if n > 1 {
			parts = append(parts, fmt.Sprintf("%d %s", n, several))
		}
	}
	some(f.Hallucinated, "citation leads to nothing", "citations lead to nothing")
	some(f.Conflicts, "conflict", "conflicts")
	some(f.Mistitled, "reference has another title", "references have other titles")
	if f.checked() > 0 {
		parts = append(parts, fmt.Sprintf("%s grounded, %s needed", percent(f.Groundedness), percent(r.Threshold)))
	}
	if f.Cited > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d sources read", f.Read, f.Cited))
	}
	return verdictWord(f.Verdict) + ": " + strings.Join(parts, "; ")
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
