package check

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
)

const (
	sarifSchema     = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	homepage        = "https://github.com/citeloop/citeloop"
	fingerprintName = "citeloopSentence/v1" // with its version
)

// sarif is an object of SARIF 2.1.0, whose keys are written in order.
type sarif = map[string]any

// writeSARIF writes the findings for code scanning. A fingerprint is made of the rule, the file and the words of the sentence, so
// that a finding stays the same when lines are added above it.
func writeSARIF(w io.Writer, r *Result) error {
	rules, index := []sarif{}, map[Kind]int{}
	for i, k := range kinds {
		index[k.kind] = i
		rules = append(rules, sarif{
			"id": k.kind, "name": camel(string(k.kind)), "shortDescription": sarifText(k.short + "."),
			"helpUri":              homepage + "/blob/main/docs/verdicts.md#" + string(k.kind),
			"defaultConfiguration": sarif{"level": k.level}, "properties": sarif{"tags": []string{"citations"}},
		})
	}
	results, again := []sarif{}, map[string]int{}
	for _, f := range r.Files {
		for _, x := range f.Findings {
			level, short := x.Kind.meaning()
			message := fmt.Sprintf("%s: %q. %s", short, sanitize.Short(x.Text, sentenceChars), sanitize.Line(x.Why))
			if len(x.Near) > 0 {
				message += fmt.Sprintf(" Source: %s: %q.", x.Near[0], sanitize.Short(x.Near[0].Text, 2*sentenceChars))
			}
			region := sarif{"startLine": x.Line, "startColumn": x.Column, "endLine": x.EndLine, "endColumn": x.EndColumn}
			mark := fingerprint(x)
			again[mark]++
			result := sarif{
				"ruleId": x.Kind, "ruleIndex": index[x.Kind], "level": level, "message": sarifText(message),
				"locations":           []sarif{{"physicalLocation": sarif{"artifactLocation": artifact(x.File), "region": region}}},
				"partialFingerprints": sarif{fingerprintName: fmt.Sprintf("%s:%d", mark, again[mark])},
			}
			if cited := related(x); len(cited) > 0 {
				result["relatedLocations"] = cited
			}
			results = append(results, result)
		}
	}
	notes := []sarif{}
	for _, n := range r.Notes {
		notes = append(notes, sarif{"level": "note", "message": sarifText(n)})
	}
	name, version, _ := strings.Cut(r.Generator, " ")
	run := sarif{
		"tool":       sarif{"driver": sarif{"name": name, "version": version, "informationUri": homepage, "rules": rules}},
		"columnKind": "unicodeCodePoints", "results": results,
		"properties": sarif{"verdict": r.Verdict, "overall_groundedness": r.Groundedness, "threshold": r.Threshold},
		"invocations": []sarif{{"executionSuccessful": true, "exitCode": r.ExitCode(), "endTimeUtc": r.GeneratedAt.Format(time.RFC3339),
			"toolExecutionNotifications": notes}},
	}
	return outcome.JSON(w, true).Encode(sarif{"$schema": sarifSchema, "version": "2.1.0", "runs": []sarif{run}})
}

// related returns the places of the passages: the cited lines of files, where code scanning can show them, and the addresses of
// pages, which have no lines.
func related(x Finding) (out []sarif) {
	for _, p := range x.Near {
		place := sarif{"artifactLocation": artifact(p.Name)} // of a file without lines, such as a PDF
		at, ok := lines.ParseRanges(p.At)
		if address := sanitize.Link(p.Name); p.file != "" && ok {
			place["region"] = sarif{"startLine": at[0].First, "endLine": at[len(at)-1].Last}
		} else if address != "" {
			place["artifactLocation"] = sarif{"uri": address}
		}
		out = append(out, sarif{"message": sarifText(p.String() + ": " + sanitize.Short(p.Text, sentenceChars)), "physicalLocation": place})
	}
	return out
}

func fingerprint(x Finding) string {
	parts := []string{string(x.Kind), slashed(x.File), sanitize.Line(x.claim), sanitize.Line(x.Text)}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
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

// camel returns the name of a rule: NotRead.
func camel(s string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(s, "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
