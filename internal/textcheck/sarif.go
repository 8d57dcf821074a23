package textcheck

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	homepage    = "https://github.com/citeloop/citeloop"
	// fingerprintName is the version of the fingerprint.
	fingerprintName = "citeloopSentence/v1"
)

// The part of SARIF 2.1.0 that is written here.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
		Properties  map[string]any    `json:"properties"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID         string         `json:"id"`
		Name       string         `json:"name"`
		Short      sarifMessage   `json:"shortDescription"`
		Full       sarifMessage   `json:"fullDescription"`
		Help       sarifMessage   `json:"help"`
		HelpURI    string         `json:"helpUri"`
		Default    sarifDefault   `json:"defaultConfiguration"`
		Properties map[string]any `json:"properties"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		Successful bool        `json:"executionSuccessful"`
		ExitCode   int         `json:"exitCode"`
		EndTime    string      `json:"endTimeUtc"`
		Notes      []sarifNote `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNote struct {
		Level   string       `json:"level"`
		Message sarifMessage `json:"message"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifMessage      `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
)

// writeSARIF writes the findings for code scanning. A fingerprint is made of the rule, the file and the words of
// the sentence, so that a finding stays the same when lines are added above it.
func writeSARIF(w io.Writer, r *Result) error {
	name, version, _ := strings.Cut(r.Generator, " ")
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: name, Version: version, InformationURI: homepage}},
		Invocations: []sarifInvocation{{Successful: true, ExitCode: r.ExitCode(), EndTime: r.GeneratedAt.Format("2006-01-02T15:04:05Z07:00")}},
		ColumnKind:  "unicodeCodePoints",
		Results:     []sarifResult{},
		Properties:  map[string]any{"verdict": r.Verdict, "overall_groundedness": r.Groundedness, "threshold": r.Threshold},
	}
	if r.Review != nil {
		run.Properties["review"] = r.Review
		run.Invocations[0].Notes = append(run.Invocations[0].Notes, sarifNote{"note", sarifMessage{"review: " + sanitize.Line(r.Review.String())}})
	}
	index := map[Kind]int{}
	for i, kind := range AllKinds() {
		index[kind] = i
		level, short, long := kind.meaning()
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: string(kind), Name: camel(string(kind)), Short: sarifMessage{short + "."},
			Full: sarifMessage{long}, Help: sarifMessage{long}, HelpURI: homepage + "/blob/main/docs/verdicts.md#" + string(kind), Default: sarifDefault{level},
			Properties: map[string]any{"tags": []string{"citations"}}})
	}
	for _, src := range r.Sources {
		if !src.read() && src.Status != statusNotFound {
			run.Invocations[0].Notes = append(run.Invocations[0].Notes, sarifNote{"warning", sarifMessage{fmt.Sprintf("%s was not read (%s): %s", sanitize.Line(src.URL), src.Status, sanitize.Line(src.Reason))}})
		}
	}
	again := map[string]int{}
	for _, f := range r.Findings() {
		level, short, _ := f.Kind.meaning()
		message := fmt.Sprintf("%s: %q. %s", short, sanitize.Short(f.Text, textSentenceChars), f.reason())
		if f.Near != nil {
			message += fmt.Sprintf(" Nearest passage: %q (%s, %s).", sanitize.Short(f.Near.Text, 2*textSentenceChars), sanitize.Line(f.Near.URL), f.Near.place())
		}
		mark := fingerprint(f)
		again[mark]++
		run.Results = append(run.Results, sarifResult{RuleID: string(f.Kind), RuleIndex: index[f.Kind], Level: level, Message: sarifMessage{plainSARIF(message)},
			Locations:    []sarifLocation{{sarifPhysical{artifact(f.File), sarifRegion{f.Line, f.Column, f.EndLine, f.EndColumn}}}},
			Fingerprints: map[string]string{fingerprintName: fmt.Sprintf("%s:%d", mark, again[mark])}})
	}
	return writeJSON(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

func fingerprint(f Finding) string {
	sum := sha256.Sum256([]byte(string(f.Kind) + "\x00" + slashed(f.File) + "\x00" + sanitize.Line(f.claim) + "\x00" + sanitize.Line(f.Text)))
	return hex.EncodeToString(sum[:8])
}

// plainSARIF escapes links in the text of a message: [text](address).
func plainSARIF(s string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(s)
}

func camel(s string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(s, "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// artifact returns a file, relative to the root of the sources if possible.
func artifact(file string) sarifArtifact {
	p := slashed(file)
	if strings.HasPrefix(p, "/") || len(p) > 1 && p[1] == ':' {
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(p, "/")}).String()}
	}
	return sarifArtifact{URI: strings.TrimPrefix((&url.URL{Path: "./" + path.Clean(p)}).EscapedPath(), "./"), BaseID: "%SRCROOT%"}
}

// slashed returns a file name with forward slashes.
func slashed(file string) string { return filepath.ToSlash(sanitize.Line(file)) }
