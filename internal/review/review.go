// Package review shows a batch of a review to a person: each sentence beside the lines that it cites, as they are and with their
// numbers, and the four answers. The same forms are a part of the page, where each answer is sent at once, and a file that
// needs no server, which keeps the answers in the browser until they are saved.
package review

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

//go:embed items.gohtml
var source string

//go:embed review.js
var script string

//go:embed review.css
var style string

// Script and Style are what the forms need in a page.
func Script() string { return script }

// Style returns the style sheet of the forms.
func Style() string { return style }

// linesOf returns the lines of a passage with their numbers.
func linesOf(p reader.Passage) []report.Line {
	first := 0
	if ranges, ok := lines.ParseRanges(p.Lines); ok {
		first = ranges[0].First
	}
	return report.Lines(p.Text, 0, first, nil)
}

// Batch is a batch with its unanswered items.
type Batch struct {
	ID       string
	Items    []verify.ReviewItem
	Answered int
	Action   string // address that takes the answers; empty in a file
	Form     string // token that a form sends back
	Refused  string // item whose answer was refused, and why
	Problem  string
	Quote    string // that was refused
}

// Of returns the number of all items.
func (b Batch) Of() int { return b.Answered + len(b.Items) }

// answer is one of the four buttons.
type answer struct {
	Key         int
	Value, Word string
}

func templates() (*template.Template, error) {
	return template.New("").Funcs(template.FuncMap{"plain": sanitize.Line, "answers": answers, "lines": linesOf,
		"short": func(heading string) string { return sanitize.Short(heading, 120) }}).Parse(source)
}

// answers returns the buttons: none of them looks better than another.
func answers() (out []answer) {
	words := map[string]string{loopstate.AnswerPartly: "partly", loopstate.AnswerNotStated: "not in the source"}
	for i, value := range loopstate.ReviewAnswers() {
		word, ok := words[value]
		if !ok {
			word = value
		}
		out = append(out, answer{i + 1, value, word})
	}
	return out
}

// HTML returns the forms of a batch.
func HTML(b Batch) (template.HTML, error) {
	t, err := templates()
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = t.ExecuteTemplate(&out, "batch", b)
	return template.HTML(out.String()), err //nolint:gosec // written by a template
}

// WriteFile writes a batch as one HTML file without requests.
func WriteFile(w io.Writer, id string, items []verify.ReviewItem) error {
	t, err := templates()
	if err != nil {
		return err
	}
	return t.ExecuteTemplate(w, "file", struct {
		Batch
		Style  template.CSS
		Script template.JS
	}{Batch{ID: id, Items: items}, template.CSS(style), template.JS(script)}) //nolint:gosec // our own files
}
