package check

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/verify"
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
	for _, x := range r.findings() {
		if x.Kind != Unread || x.Fails {
			fmt.Fprintln(b, show(x))
		}
	}
	for _, f := range r.Files {
		counts := f.result.Counts("sentence")
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
	out := fmt.Sprintf("%s:%d:%d: %s%s: %s\n    why: %s", sanitize.Line(x.File), x.Line, x.Column, level, x.Kind, x.subject(),
		sanitize.Short(x.Why, 2*sentenceChars))
	if source := x.source(); source != "" {
		out += "\n    source: " + source
	}
	return out
}

// command returns a finding as a command to the runner of GitHub Actions, which shows it at its line: ten errors, ten warnings and ten
// notices a step.
func command(x Finding) string {
	level, short := x.Kind.meaning()
	message := x.subject() + "\n" + sanitize.Short(x.Why, 2*sentenceChars)
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

// sarif is an object of SARIF 2.1.0, whose keys are written in order.
type sarif = map[string]any

// sarif returns the findings for code scanning.
func (r *Result) sarif() sarif {
	rules, results, notes, again := []sarif{}, []sarif{}, []sarif{}, map[string]int{}
	for _, k := range kinds {
		rules = append(rules, sarif{"id": k.kind, "shortDescription": sarifText(k.short + "."),
			"helpUri":              console.Homepage + "/blob/main/docs/verdicts.md#" + string(k.kind),
			"defaultConfiguration": sarif{"level": k.level}, "properties": sarif{"tags": []string{"citations"}}})
	}
	for _, x := range r.findings() {
		mark := x.fingerprint()
		again[mark]++
		results = append(results, x.sarif(fmt.Sprintf("%s:%d", mark, again[mark])))
	}
	for _, n := range r.Notes {
		notes = append(notes, sarif{"level": "note", "message": sarifText(n)})
	}
	run := sarif{
		"tool": sarif{"driver": sarif{"name": "citeloop", "version": console.Version, "informationUri": console.Homepage,
			"rules": rules}},
		"columnKind": "unicodeCodePoints", "results": results,
		"properties": sarif{"verdict": r.Verdict, "overall_groundedness": r.Groundedness, "threshold": verify.DefaultThreshold},
		"invocations": []sarif{{"executionSuccessful": true, "exitCode": outcome.ExitCode(r.Verdict),
			"endTimeUtc": r.GeneratedAt.Format(time.RFC3339), "toolExecutionNotifications": notes}},
	}
	const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	return sarif{"$schema": schema, "version": "2.1.0", "runs": []sarif{run}}
}

func (x Finding) sarif(mark string) sarif {
	level, short := x.Kind.meaning()
	message := fmt.Sprintf("%s: %q. %s", short, x.subject(), sanitize.Line(x.Why))
	if source := x.source(); source != "" {
		message += " Source: " + source + "."
	}
	region := sarif{"startLine": x.Line, "startColumn": x.Column, "endLine": x.EndLine, "endColumn": x.EndColumn}
	return sarif{"ruleId": x.Kind, "level": level, "message": sarifText(message), "partialFingerprints": sarif{"citeloopSentence/v1": mark},
		"locations": []sarif{{"physicalLocation": sarif{"artifactLocation": artifact(x.File), "region": region}}}}
}

// fingerprint is made of the kind, the file and the words, so that a finding stays the same when lines are added above it.
func (x Finding) fingerprint() string {
	sum := sha256.Sum256([]byte(string(x.Kind) + "\x00" + slashed(x.File) + "\x00" + sanitize.Line(cmp.Or(x.Citation, x.Text))))
	return fmt.Sprintf("%x", sum[:8])
}

// sarifText returns a message; links in it, [text](address), are escaped.
func sarifText(s string) sarif {
	return sarif{"text": strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(s)}
}

// artifact returns a file, relative to the root of the sources if possible.
func artifact(file string) sarif {
	p := slashed(file)
	if strings.HasPrefix(p, "/") || len(p) > 1 && p[1] == ':' {
		return sarif{"uri": (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(p, "/")}).String()}
	}
	return sarif{"uri": strings.TrimPrefix((&url.URL{Path: "./" + path.Clean(p)}).EscapedPath(), "./"), "uriBaseId": "%SRCROOT%"}
}

// slashed returns a file name with forward slashes.
func slashed(file string) string { return filepath.ToSlash(sanitize.Line(file)) }
