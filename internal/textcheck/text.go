package textcheck

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/sarif"
	"github.com/citeloop/citeloop/internal/verify"
)

// writeText writes each finding as compilers do, file:line:column: kind: …, its reasons indented below, and the verdict
// on each file at the end.
func writeText(w io.Writer, r *Result) error {
	b := bufio.NewWriter(w)
	for _, f := range shown(r.Findings()) {
		writeFinding(b, fmt.Sprintf("%s:%d:%d", sanitize.Line(f.File), f.Line, f.Column), f)
	}
	r.writeEnd(b, func(n note) { fmt.Fprintf(b, "%s:%d: warning: %s\n", sanitize.Line(n.file), n.line, n.text) })
	return b.Flush()
}

// note is what a result says about no single finding: a suppression that does not hold, which has a place, the address of which a
// saved page was read, or the review.
type note struct {
	file string
	line int
	text string
}

func (r *Result) notes() []note {
	var out []note
	for _, src := range r.Sources {
		if src.Saved != "" && src.Cited > 0 {
			out = append(out, note{text: fmt.Sprintf("saved page: %s was read from %s in this folder, not from its address", sanitize.Short(src.URL, textAddressChars), sanitize.Short(src.Saved, textAddressChars))})
		}
	}
	for _, s := range r.Suppressions {
		if problem := s.problem(); problem != "" {
			out = append(out, note{s.File, s.Line, problem})
		}
	}
	if r.Review != nil {
		out = append(out, note{text: "review: " + sanitize.Line(r.Review.String())})
	}
	return out
}

func (n note) String() string {
	if n.file == "" {
		return n.text
	}
	return fmt.Sprintf("%s:%d: %s", sanitize.Line(n.file), n.line, n.text)
}

// writeEnd writes the verdict on each file and the notes; warn writes those that have a place. No line begins with two colons, which
// would make it a command of a runner.
func (r *Result) writeEnd(w io.Writer, warn func(n note)) {
	for _, f := range r.Files {
		fmt.Fprintf(w, "%s: %s\n", strings.TrimLeft(sanitize.Line(f.File), ":"), r.summary(f))
	}
	for _, n := range r.notes() {
		if n.file != "" {
			warn(n)
		} else {
			fmt.Fprintln(w, n)
		}
	}
}

func writeFinding(w io.Writer, at string, f Finding) {
	level, _, _ := f.Kind.meaning()
	if level = strings.Replace(level, "error", "", 1); level != "" {
		level += ": "
	}
	if f.By != nil {
		fmt.Fprintf(w, "%s: suppressed: %s: %s\n    why: %s\n    accepted: %s\n", at, f.Kind, sanitize.Short(f.Text, textSentenceChars), sanitize.Short(f.Why, 2*textSentenceChars), f.By)
		return
	}
	fmt.Fprintf(w, "%s: %s%s: %s\n    why: %s\n", at, level, f.Kind, sanitize.Short(f.Text, textSentenceChars), sanitize.Short(f.Why, 2*textSentenceChars))
	if len(f.Near) > 0 {
		fmt.Fprintf(w, "    source: %s: %q\n", f.Near[0].place(), sanitize.Short(f.Near[0].words, textSentenceChars))
	} else if len(f.Cited) > 0 {
		fmt.Fprintf(w, "    cited: %s\n", sanitize.Short(strings.Join(f.Cited, ", "), textAddressChars))
	}
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
	return fmt.Sprintf("%s: %d files: %d pass, %d fail, %d undecided", r.Verdict, len(r.Files), count[outcome.Pass], count[outcome.Fail], count[outcome.Undecided])
}

func (r *Result) summary(f FileVerdict) string {
	parts := verify.Counts{f.Tally.String()}
	parts.Add(f.Findings[Hallucinated], "citation leads to nothing", "citations lead to nothing")
	parts.Add(f.Findings[Noted], "sentence to look at", "sentences to look at")
	parts.Add(f.Findings[Mistitled], "reference has another title", "references have other titles")
	parts.Add(f.Suppressed, "finding suppressed", "findings suppressed")
	if f.Counts.Read > 0 {
		parts = append(parts, fmt.Sprintf("%s of those read supported, %s needed", percent(f.Groundedness), percent(r.Threshold)))
	}
	if f.Cited > 0 {
		read := fmt.Sprintf("%d of %d sources read", f.SourcesRead, f.Cited)
		switch {
		case f.atCheck == 0:
		case f.atCheck == f.SourcesRead:
			read += " at the check"
		default:
			read += fmt.Sprintf(", %d of these at the check", f.atCheck)
		}
		parts = append(parts, read)
	}
	return f.Verdict + ": " + strings.Join(parts, "; ")
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

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
		fmt.Fprintf(b, "::%s file=%s%s,title=%s::%s\n", strings.Replace(level, "note", "notice", 1), commandProperty(sarif.Slashed(f.File)), span, commandProperty(short), commandData(message))
	}
	r.writeEnd(b, func(n note) {
		fmt.Fprintf(b, "::warning file=%s,line=%d,title=Suppression::%s\n", commandProperty(sarif.Slashed(n.file)), n.line, commandData(n.text))
	})
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
