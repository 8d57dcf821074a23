package textcheck

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// writeGitHub writes each finding as a command to the runner of GitHub Actions, which shows it at its line; the
// verdicts follow as plain lines of the log. The runner shows ten errors, ten warnings and ten notices a step.
func writeGitHub(w io.Writer, r *Result) error {
	b := bufio.NewWriter(w)
	for _, f := range shown(r.Findings()) {
		level, short, _ := f.Kind.meaning()
		if f.By != nil {
			level, short, f.Why = "note", "Suppressed: "+short, "Accepted: "+f.By.String()
		}
		message := sanitize.Short(f.Text, textSentenceChars) + "\n" + sanitize.Short(f.Why, 2*textSentenceChars)
		for _, p := range f.Near[:min(len(f.Near), 1)] {
			message += fmt.Sprintf("\nSource: %s: %q", p.place(), sanitize.Short(p.words, textSentenceChars))
		}
		span := fmt.Sprintf(",line=%d,endLine=%d", f.Line, f.EndLine)
		if f.Line == f.EndLine { // the runner supports columns only within one line
			span += fmt.Sprintf(",col=%d,endColumn=%d", f.Column, f.EndColumn)
		}
		fmt.Fprintf(b, "::%s file=%s%s,title=%s::%s\n", strings.Replace(level, "note", "notice", 1), commandProperty(slashed(f.File)), span, commandProperty(short), commandData(message))
	}
	for _, f := range r.Files {
		// A line that began with two colons would be a command.
		fmt.Fprintf(b, "%s: %s\n", strings.TrimLeft(sanitize.Line(f.File), ":"), r.summary(f))
	}
	r.writeSaved(b)
	for _, s := range r.Suppressions {
		if problem := s.problem(); problem != "" {
			fmt.Fprintf(b, "::warning file=%s,line=%d,title=Suppression::%s\n", commandProperty(slashed(s.File)), s.Line, commandData(problem))
		}
	}
	if r.Review != nil {
		fmt.Fprintf(b, "review: %s\n", sanitize.Line(r.Review.String()))
	}
	return b.Flush()
}

// commandData escapes the message of a workflow command, as the runner's toolkit does.
func commandData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// commandProperty escapes the value of a property.
func commandProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
