package check

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
)

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
	for _, f := range r.Files {
		for _, x := range f.Findings {
			mark := x.fingerprint()
			again[mark]++
			results = append(results, x.sarif(fmt.Sprintf("%s:%d", mark, again[mark])))
		}
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
	message := fmt.Sprintf("%s: %q. %s", short, sanitize.Short(x.Text, sentenceChars), sanitize.Line(x.Why))
	if source := x.source(); source != "" {
		message += " Source: " + source + "."
	}
	region := sarif{"startLine": x.Line, "startColumn": x.Column, "endLine": x.EndLine, "endColumn": x.EndColumn}
	return sarif{"ruleId": x.Kind, "level": level, "message": sarifText(message), "partialFingerprints": sarif{"citeloopSentence/v1": mark},
		"locations": []sarif{{"physicalLocation": sarif{"artifactLocation": artifact(x.File), "region": region}}}}
}

// fingerprint is made of the kind, the file and the words, so that a finding stays the same when lines are added above it.
func (x Finding) fingerprint() string {
	sum := sha256.Sum256([]byte(string(x.Kind) + "\x00" + slashed(x.File) + "\x00" + sanitize.Line(x.Text)))
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
