// Package sarif writes SARIF 2.1.0, for code scanning.
package sarif

import (
	"io"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
)

const (
	schema   = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	homepage = "https://github.com/citeloop/citeloop"
)

// Object is an object of SARIF, whose keys are written in order.
type Object = map[string]any

// Rule is what a result is about. Help is the page that explains it, below docs.
type Rule struct{ ID, Level, Short, Long, Help string }

// Result is a finding at a region of a file.
type Result struct {
	Rule, Message, File string
	Region              Object
	Fingerprints        Object // stay the same when the file changes elsewhere
	More                Object // what else the result has
}

// Log is one run of a tool.
type Log struct {
	Generator string // "citeloop 0.1.0"
	Rules     []Rule
	Results   []Result
	Run       Object // what else the run has
}

// Write writes the log.
func (l *Log) Write(w io.Writer) error {
	name, version, _ := strings.Cut(l.Generator, " ")
	index, rules, results := map[string]int{}, []Object{}, []Object{}
	for i, r := range l.Rules {
		index[r.ID] = i
		rules = append(rules, Object{
			"id": r.ID, "name": camel(r.ID), "shortDescription": Message(r.Short), "fullDescription": Message(r.Long),
			"help": Message(r.Long), "helpUri": homepage + "/blob/main/docs/" + r.Help,
			"defaultConfiguration": Object{"level": r.Level}, "properties": Object{"tags": []string{"citations"}},
		})
	}
	for _, r := range l.Results {
		place := Object{"artifactLocation": Artifact(r.File), "region": r.Region}
		result := Object{
			"ruleId": r.Rule, "ruleIndex": index[r.Rule], "level": l.Rules[index[r.Rule]].Level, "message": Message(r.Message),
			"locations": []Object{{"physicalLocation": place}}, "partialFingerprints": r.Fingerprints,
		}
		maps.Copy(result, r.More)
		results = append(results, result)
	}
	driver := Object{"name": name, "version": version, "informationUri": homepage, "rules": rules}
	run := Object{"tool": Object{"driver": driver}, "results": results}
	maps.Copy(run, l.Run)
	return outcome.JSON(w, true).Encode(Object{"$schema": schema, "version": "2.1.0", "runs": []Object{run}})
}

// Message returns a message; links in it, [text](address), are escaped.
func Message(s string) Object {
	return Object{"text": strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(s)}
}

// Artifact returns a file, relative to the root of the sources if possible.
func Artifact(file string) Object {
	p := Slashed(file)
	if strings.HasPrefix(p, "/") || len(p) > 1 && p[1] == ':' {
		return Object{"uri": (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(p, "/")}).String()}
	}
	return Object{"uri": strings.TrimPrefix((&url.URL{Path: "./" + path.Clean(p)}).EscapedPath(), "./"), "uriBaseId": "%SRCROOT%"}
}

// Slashed returns a file name with forward slashes.
func Slashed(file string) string { return filepath.ToSlash(sanitize.Line(file)) }

func camel(s string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(s, "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
