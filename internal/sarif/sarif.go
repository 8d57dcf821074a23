// Package sarif writes SARIF 2.1.0, for code scanning.
package sarif

import (
	"encoding/json"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strings"

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

// Log is one run of a tool.
type Log struct {
	Generator string // "citeloop 0.1.0"
	Rules     []Rule
	Results   []Object
	Run       Object // what else the run has
}

// Add adds a result at a region of a file. extra is what else it has; the fingerprint stays the same when the file changes elsewhere.
func (l *Log) Add(rule, message, file string, region Object, fingerprint, print string, extra Object) {
	index, level := 0, ""
	for i, r := range l.Rules {
		if r.ID == rule {
			index, level = i, r.Level
		}
	}
	result := Object{"ruleId": rule, "ruleIndex": index, "level": level, "message": Message(message),
		"locations": []Object{{"physicalLocation": Object{"artifactLocation": Artifact(file), "region": region}}}, "partialFingerprints": Object{fingerprint: print}}
	for key, value := range extra {
		result[key] = value
	}
	l.Results = append(l.Results, result)
}

// Write writes the log.
func (l *Log) Write(w io.Writer) error {
	name, version, _ := strings.Cut(l.Generator, " ")
	rules := []Object{}
	for _, r := range l.Rules {
		rules = append(rules, Object{"id": r.ID, "name": camel(r.ID), "shortDescription": Message(r.Short), "fullDescription": Message(r.Long), "help": Message(r.Long),
			"helpUri": homepage + "/blob/main/docs/" + r.Help, "defaultConfiguration": Object{"level": r.Level}, "properties": Object{"tags": []string{"citations"}}})
	}
	run := Object{"tool": Object{"driver": Object{"name": name, "version": version, "informationUri": homepage, "rules": rules}}, "results": append([]Object{}, l.Results...)}
	for key, value := range l.Run {
		run[key] = value
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(Object{"$schema": schema, "version": "2.1.0", "runs": []Object{run}})
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
