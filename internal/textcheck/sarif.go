package textcheck

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	homepage    = "https://github.com/citeloop/citeloop"
	// fingerprintName is the version of the fingerprint.
	fingerprintName = "citeloopSentence/v1"
)

// object is an object of SARIF 2.1.0, whose keys are written in order.
type object = map[string]any

// writeSARIF writes the findings for code scanning. A fingerprint is made of the rule, the file and the words of
// the sentence, so that a finding stays the same when lines are added above it.
func writeSARIF(w io.Writer, r *Result) error {
	name, version, _ := strings.Cut(r.Generator, " ")
	properties, notes := object{"verdict": r.Verdict, "overall_groundedness": r.Groundedness, "threshold": r.Threshold}, []object{}
	if r.Review != nil {
		properties["review"] = r.Review
		notes = append(notes, object{"level": "note", "message": plain("review: " + sanitize.Line(r.Review.String()))})
	}
	for _, src := range r.Sources {
		if !src.read() && !src.missing {
			notes = append(notes, object{"level": "warning", "message": plain(fmt.Sprintf("%s was not read (%s): %s", sanitize.Line(src.URL), src.Status, sanitize.Line(src.Reason)))})
		}
	}
	for _, src := range r.Sources {
		if src.Saved != "" {
			notes = append(notes, object{"level": "note", "message": plain(fmt.Sprintf("%s was read from %s in this folder, not from its address", sanitize.Line(src.URL), sanitize.Line(src.Saved)))})
		}
	}
	for _, s := range r.Suppressions {
		if problem := s.problem(); problem != "" {
			notes = append(notes, object{"level": "warning", "message": plain(fmt.Sprintf("%s:%d: %s", sanitize.Line(s.File), s.Line, problem))})
		}
	}
	index, rules := map[Kind]int{}, []object{}
	for i, kind := range AllKinds() {
		level, short, long := kind.meaning()
		index[kind] = i
		rules = append(rules, object{"id": kind, "name": camel(string(kind)), "shortDescription": plain(short + "."), "fullDescription": plain(long), "help": plain(long),
			"helpUri": homepage + "/blob/main/docs/verdicts.md#" + string(kind), "defaultConfiguration": object{"level": level}, "properties": object{"tags": []string{"citations"}}})
	}
	results, again := []object{}, map[string]int{}
	for _, f := range r.Findings() {
		level, short, _ := f.Kind.meaning()
		message := fmt.Sprintf("%s: %q. %s", short, sanitize.Short(f.Text, textSentenceChars), sanitize.Line(f.Why))
		for _, p := range f.Near[:min(len(f.Near), 1)] {
			message += fmt.Sprintf(" Source: %s: %q.", p.place(), sanitize.Short(p.words, 2*textSentenceChars))
		}
		mark := fingerprint(f)
		again[mark]++
		region := object{"startLine": f.Line, "startColumn": f.Column, "endLine": f.EndLine, "endColumn": f.EndColumn}
		result := object{"ruleId": f.Kind, "ruleIndex": index[f.Kind], "level": level, "message": plain(message),
			"locations":           []object{{"physicalLocation": object{"artifactLocation": artifact(f.File), "region": region}}},
			"partialFingerprints": object{fingerprintName: fmt.Sprintf("%s:%d", mark, again[mark])}}
		if f.By != nil {
			result["suppressions"] = []object{{"kind": "external", "status": "accepted", "justification": sanitize.Line(f.By.Reason),
				"location": object{"physicalLocation": object{"artifactLocation": artifact(f.By.File), "region": object{"startLine": f.By.Line}}}}}
		}
		if cited := related(f); len(cited) > 0 {
			result["relatedLocations"] = cited
		}
		results = append(results, result)
	}
	return writeJSON(w, object{"$schema": sarifSchema, "version": "2.1.0", "runs": []object{{
		"tool":        object{"driver": object{"name": name, "version": version, "informationUri": homepage, "rules": rules}},
		"invocations": []object{{"executionSuccessful": true, "exitCode": r.ExitCode(), "endTimeUtc": r.GeneratedAt.Format("2006-01-02T15:04:05Z07:00"), "toolExecutionNotifications": notes}},
		"columnKind":  "unicodeCodePoints", "results": results, "properties": properties,
	}}})
}

// plain returns a message; links in it, [text](address), are escaped.
func plain(s string) object {
	return object{"text": strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(s)}
}

// related returns the places of the passages: the cited lines of files, where code scanning can show them, and the addresses of
// pages, which have no lines.
func related(f Finding) []object {
	var out []object
	for _, p := range f.Near {
		place := object{}
		at, ok := lines.ParseRanges(cmp.Or(p.Cited, p.Lines))
		switch address := sanitize.Link(p.URL); {
		case p.file != "" && ok:
			place["artifactLocation"] = artifact(fromWorking(p.file, f.File))
			place["region"] = object{"startLine": at[0].First, "endLine": at[len(at)-1].Last}
		case p.file == "" && address != "":
			place["artifactLocation"] = object{"uri": address}
		case p.SourceID == p.URL && p.URL != "": // a file without lines, such as a PDF
			place["artifactLocation"] = artifact(p.URL)
		default:
			continue
		}
		out = append(out, object{"message": plain(p.place() + ": " + sanitize.Short(p.words, textSentenceChars)), "physicalLocation": place})
	}
	return out
}

func fingerprint(f Finding) string {
	sum := sha256.Sum256([]byte(string(f.Kind) + "\x00" + slashed(f.File) + "\x00" + sanitize.Line(f.claim) + "\x00" + sanitize.Line(f.Text)))
	return hex.EncodeToString(sum[:8])
}

func camel(s string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(s, "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// artifact returns a file, relative to the root of the sources if possible.
func artifact(file string) object {
	p := slashed(file)
	if strings.HasPrefix(p, "/") || len(p) > 1 && p[1] == ':' {
		return object{"uri": (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(p, "/")}).String()}
	}
	return object{"uri": strings.TrimPrefix((&url.URL{Path: "./" + path.Clean(p)}).EscapedPath(), "./"), "uriBaseId": "%SRCROOT%"}
}

// slashed returns a file name with forward slashes.
func slashed(file string) string { return filepath.ToSlash(sanitize.Line(file)) }
