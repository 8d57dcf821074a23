package audit

import (
	"bufio"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/sarif"
)

// Formats of a result.
const (
	Text  = "text"
	JSON  = "json"
	SARIF = "sarif"
	HTML  = "html"
)

// Formats lists the formats.
func Formats() []string { return []string{Text, JSON, SARIF, HTML} }

// Write writes a result.
func Write(w io.Writer, format string, r *Result) error {
	switch format {
	case Text:
		return writeText(w, r)
	case JSON:
		return outcome.JSON(w, true).Encode(r)
	case SARIF:
		return writeSARIF(w, r)
	case HTML:
		return writeHTML(w, r)
	}
	return fmt.Errorf("audit: unknown format %q", format)
}

const shownChars = 200 // of a value on a terminal (chosen)

func short(s string) string { return sanitize.Short(s, shownChars) }

// writeText writes an entry that is not verified as compilers do, file:line: status: …, with what differs below it.
func writeText(w io.Writer, r *Result) error {
	b := bufio.NewWriter(w)
	for _, e := range r.Entries {
		if e.Status == Verified {
			continue
		}
		fmt.Fprintf(b, "%s:%d: %s: %s\n    why: %s\n", sanitize.Line(e.File), e.Line, e.Status, short(name(e)), short(e.Because))
		for _, d := range e.Differences {
			fmt.Fprintf(b, "    %s: listed   %s\n    %s  recorded %s (%s)\n", d.Field, short(d.Listed), strings.Repeat(" ", len(d.Field)), short(d.Recorded), d.From)
		}
	}
	for _, p := range r.Problems {
		fmt.Fprintf(b, "problem: %s\n", short(p))
	}
	fmt.Fprintln(b, r.Summary())
	return b.Flush()
}

// name returns an entry's title with its key.
func name(e Entry) string {
	if e.Title == "" {
		return "[" + e.Key + "]"
	}
	return "[" + e.Key + "] " + e.Title
}

// Summary returns the verdict on one line.
func (r *Result) Summary() string {
	parts := []string{}
	for _, status := range Statuses() {
		if n := r.Counts[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(status), "_", " ")))
		}
	}
	if len(parts) == 0 {
		return r.Verdict + ": no references found"
	}
	return fmt.Sprintf("%s: %d references: %s", r.Verdict, len(r.Entries), strings.Join(parts, ", "))
}

// statusRules are the rules of SARIF: level, and what the status says.
var statusRules = map[Status]struct{ level, text string }{
	Retracted:     {"error", "The work was retracted or withdrawn, or there is an expression of concern. Do not rest a claim on it without saying so."},
	Mismatch:      {"error", "The work exists, but a field differs from every record of it. Correct the field, or check whether another work is meant."},
	NotFound:      {"warning", "No service that was asked has the work. It may exist all the same: look for it by hand before you drop it."},
	CouldNotLook:  {"note", "A service did not answer, and the others do not have the work. Try again later."},
	NotIdentified: {"note", "The entry has neither a title nor an identifier that can be looked up."},
}

// writeSARIF writes SARIF for code scanning.
func writeSARIF(w io.Writer, r *Result) error {
	log := sarif.Log{Generator: r.Generator, Run: sarif.Object{"properties": sarif.Object{"verdict": r.Verdict, "counts": r.Counts}}}
	rule := func(status Status) string { return "reference_" + string(status) }
	for _, status := range Statuses() {
		if m, ok := statusRules[status]; ok {
			log.Rules = append(log.Rules, sarif.Rule{ID: rule(status), Level: m.level, Short: strings.ReplaceAll(string(status), "_", " "), Long: m.text, Help: "references.md"})
		}
	}
	for _, e := range r.Entries {
		if e.Status == Verified {
			continue
		}
		text := short(name(e)) + ": " + sanitize.Line(e.Because)
		for _, d := range e.Differences {
			text += ". " + short(d.String())
		}
		log.Results = append(log.Results, sarif.Result{Rule: rule(e.Status), Message: text, File: e.File,
			Region: sarif.Object{"startLine": e.Line}, Fingerprints: sarif.Object{"reference/v1": e.Key + ":" + string(e.Status)}})
	}
	return log.Write(w)
}

//go:embed page.gohtml
var page string

// writeHTML writes a page without scripts: what is wrong first, each entry with its differences and what was asked.
func writeHTML(w io.Writer, r *Result) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"line": sanitize.Line, "link": sanitize.Link, "name": name,
		"heading": func(s Status) string { return headings[s] },
		"doi":     func(doi string) string { return "https://doi.org/" + doi },
	}).Parse(page)
	if err != nil {
		return err
	}
	groups := []struct {
		Status  Status
		Means   string
		Entries []Entry
	}{}
	for _, status := range Statuses() {
		var of []Entry
		for _, e := range r.Entries {
			if e.Status == status {
				of = append(of, e)
			}
		}
		if len(of) > 0 {
			groups = append(groups, struct {
				Status  Status
				Means   string
				Entries []Entry
			}{status, statusRules[status].text, of})
		}
	}
	return t.Execute(w, map[string]any{"Result": r, "Groups": groups, "Summary": r.Summary()})
}

// headings follow a number of entries.
var headings = map[Status]string{
	Retracted: "retracted or withdrawn", Mismatch: "that differ from their records", NotFound: "not found", CouldNotLook: "that could not be looked up",
	NotIdentified: "without title and identifier", Verified: "verified",
}
