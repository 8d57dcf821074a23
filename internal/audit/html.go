package audit

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

//go:embed page.gohtml
var page string

// writeHTML writes a page without scripts: what is wrong first, each entry with its differences and what was asked.
func writeHTML(w io.Writer, r *Result) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"line": sanitize.Line, "link": sanitize.Link, "name": name,
		"words": func(s any) string { return strings.ReplaceAll(string(toStatus(s)), "_", " ") },
		"doi":   func(doi string) string { return "https://doi.org/" + doi },
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
			}{status, meanings[status].text, of})
		}
	}
	return t.Execute(w, map[string]any{"Result": r, "Groups": groups, "Summary": r.Summary()})
}

func toStatus(s any) Status {
	if status, ok := s.(Status); ok {
		return status
	}
	return ""
}
