package check

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/draft"
)

// Limits of what a format shows, in code points (chosen).
const (
	sentenceChars = 240 // of a sentence or a passage on a terminal: three lines
	addressChars  = 160
)

// write writes the result in one of [console.Formats]. The same result gives the same bytes.
func write(w io.Writer, format string, r *Result) error {
	switch format {
	case console.JSON:
		return console.WriteJSON(w, r.object())
	case console.SARIF:
		return console.WriteJSON(w, r.sarif())
	case console.GitHub:
		return r.writeFindings(w, command)
	}
	return r.writeFindings(w, line)
}

// writeFindings writes the findings one by one, then the verdict on each file and the notes. What nobody has read is only counted, unless
// it makes the draft fail. No line at the end begins with two colons, which would make it a command of a runner.
func (r *Result) writeFindings(w io.Writer, show func(Finding) string) error {
	b := bufio.NewWriter(w)
	for _, f := range r.Files {
		for _, x := range f.Findings {
			if x.Kind != Unread || x.Fails {
				fmt.Fprintln(b, show(x))
			}
		}
	}
	for _, f := range r.Files {
		counts := f.Result.Counts("sentence")
		counts.Add(f.Counts[Noted], "sentence to look at", "sentences to look at")
		fmt.Fprintf(b, "%s: %s: %s\n", strings.TrimLeft(sanitize.Line(f.Name), ":"), f.Verdict, strings.Join(counts, "; "))
	}
	for _, n := range r.Notes {
		fmt.Fprintln(b, n)
	}
	return b.Flush()
}

// line returns a finding as compilers write it, file:line:column: kind: …, with its reasons indented below.
func line(x Finding) string {
	level, _ := x.Kind.meaning()
	level = strings.TrimPrefix(level+": ", "error: ")
	out := fmt.Sprintf("%s:%d:%d: %s%s: %s\n    why: %s", sanitize.Line(x.File), x.Line, x.Column, level, x.Kind,
		sanitize.Short(x.Text, sentenceChars), sanitize.Short(x.Why, 2*sentenceChars))
	if source := x.source(); source != "" {
		out += "\n    source: " + source
	}
	return out
}

// command returns a finding as a command to the runner of GitHub Actions, which shows it at its line: ten errors, ten warnings and ten
// notices a step.
func command(x Finding) string {
	level, short := x.Kind.meaning()
	message := sanitize.Short(x.Text, sentenceChars) + "\n" + sanitize.Short(x.Why, 2*sentenceChars)
	if source := x.source(); source != "" {
		message += "\nSource: " + source
	}
	span := fmt.Sprintf(",line=%d,endLine=%d", x.Line, x.EndLine)
	if x.Line == x.EndLine { // the runner supports columns only within one line
		span += fmt.Sprintf(",col=%d,endColumn=%d", x.Column, x.EndColumn)
	}
	escape := func(s string) string { return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s) }
	file := strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escape(slashed(x.File)))
	return fmt.Sprintf("::%s file=%s%s,title=%s::%s", strings.Replace(level, "note", "notice", 1), file, span, short, escape(message))
}

// writeSkipped lists what of the texts was not read as a claim.
func writeSkipped(w io.Writer, r *Result) error {
	b := bufio.NewWriter(w)
	for _, f := range r.Files {
		for _, s := range draft.Parse(f.Text).Skipped {
			fmt.Fprintf(b, "%s:%d: no claim (%s): %s\n", sanitize.Line(f.Name), s.Line, s.Kind, sanitize.Short(s.Text, sentenceChars))
		}
	}
	return b.Flush()
}

// slashed returns a file name with forward slashes.
func slashed(file string) string { return filepath.ToSlash(sanitize.Line(file)) }
