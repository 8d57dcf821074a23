package check

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/sarif"
	"github.com/citeloop/citeloop/internal/text/lines"
)

// fingerprintName is the version of the fingerprint.
const fingerprintName = "citeloopSentence/v1"

// writeSARIF writes the findings for code scanning. A fingerprint is made of the rule, the file and the words of
// the sentence, so that a finding stays the same when lines are added above it.
func writeSARIF(w io.Writer, r *Result) error {
	properties := sarif.Object{"verdict": r.Verdict, "overall_groundedness": r.Groundedness, "threshold": r.Threshold}
	notes := []sarif.Object{}
	for _, n := range r.Notes {
		notes = append(notes, notification("note", n))
	}
	for _, s := range r.Suppressions {
		if problem := s.problem(); problem != "" {
			notes = append(notes, notification("warning", fmt.Sprintf("%s:%d: %s", sanitize.Line(s.File), s.Line, problem)))
		}
	}
	log := sarif.Log{Generator: r.Generator, Run: sarif.Object{"columnKind": "unicodeCodePoints", "properties": properties,
		"invocations": []sarif.Object{{"executionSuccessful": true, "exitCode": r.ExitCode(), "endTimeUtc": r.GeneratedAt.Format("2006-01-02T15:04:05Z07:00"), "toolExecutionNotifications": notes}}}}
	for _, kind := range AllKinds() {
		level, short, long := kind.meaning()
		log.Rules = append(log.Rules, sarif.Rule{ID: string(kind), Level: level, Short: short + ".", Long: long, Help: "verdicts.md#" + string(kind)})
	}
	again := map[string]int{}
	for _, f := range r.all() {
		_, short, _ := f.Kind.meaning()
		message := fmt.Sprintf("%s: %q. %s", short, sanitize.Short(f.Text, sentenceChars), sanitize.Line(f.Why))
		for _, p := range f.Near[:min(len(f.Near), 1)] {
			message += fmt.Sprintf(" Source: %s: %q.", p.String(), sanitize.Short(p.Text, 2*sentenceChars))
		}
		extra := sarif.Object{}
		if f.By != nil {
			extra["suppressions"] = []sarif.Object{{"kind": "external", "status": "accepted", "justification": sanitize.Line(f.By.Reason),
				"location": sarif.Object{"physicalLocation": sarif.Object{"artifactLocation": sarif.Artifact(f.By.File), "region": sarif.Object{"startLine": f.By.Line}}}}}
		}
		if cited := related(f); len(cited) > 0 {
			extra["relatedLocations"] = cited
		}
		mark := fingerprint(f)
		again[mark]++
		region := sarif.Object{"startLine": f.Line, "startColumn": f.Column, "endLine": f.EndLine, "endColumn": f.EndColumn}
		log.Results = append(log.Results, sarif.Result{Rule: string(f.Kind), Message: message, File: f.File, Region: region, More: extra,
			Fingerprints: sarif.Object{fingerprintName: fmt.Sprintf("%s:%d", mark, again[mark])}})
	}
	return log.Write(w)
}

func notification(level, text string) sarif.Object {
	return sarif.Object{"level": level, "message": sarif.Message(text)}
}

// all returns the findings of all files.
func (r *Result) all() (out []Finding) {
	for _, f := range r.Files {
		out = append(out, f.Findings...)
	}
	return out
}

// related returns the places of the passages: the cited lines of files, where code scanning can show them, and the addresses of
// pages, which have no lines.
func related(f Finding) []sarif.Object {
	var out []sarif.Object
	for _, p := range f.Near {
		place := sarif.Object{}
		at, ok := lines.ParseRanges(p.At)
		switch address := sanitize.Link(p.Name); {
		case p.file != "" && ok:
			place["artifactLocation"] = sarif.Artifact(p.Name)
			place["region"] = sarif.Object{"startLine": at[0].First, "endLine": at[len(at)-1].Last}
		case address != "":
			place["artifactLocation"] = sarif.Object{"uri": address}
		default: // a file without lines, such as a PDF
			place["artifactLocation"] = sarif.Artifact(p.Name)
		}
		out = append(out, sarif.Object{"message": sarif.Message(p.String() + ": " + sanitize.Short(p.Text, sentenceChars)), "physicalLocation": place})
	}
	return out
}

func fingerprint(f Finding) string {
	sum := sha256.Sum256([]byte(string(f.Kind) + "\x00" + sarif.Slashed(f.File) + "\x00" + sanitize.Line(f.claim) + "\x00" + sanitize.Line(f.Text)))
	return hex.EncodeToString(sum[:8])
}
