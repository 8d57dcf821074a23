package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/internal/sanitize"
)

//go:embed page.gohtml
var pageSource string

//go:embed colours.css
var colours string

//go:embed page.css
var pageStyle string

//go:embed panel.css
var panelStyle string

//go:embed panel.js
var panelScript string

// PanelStyle and PanelScript are those of sentences and of the panel with their evidence, for another page that shows an [Answer].
func PanelStyle() string  { return colours + panelStyle }
func PanelScript() string { return panelScript }

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{"short": sanitize.Short, "minute": Minute, "policy": Policy,
		"style":  func() template.CSS { return template.CSS(styleSheet()) }, //nolint:gosec // our own files
		"script": func() template.JS { return template.JS(panelScript) },    //nolint:gosec // and this
	}).Parse(pageSource))
})

func styleSheet() string { return colours + pageStyle + panelStyle }

// Policy returns the Content-Security-Policy of an HTML report: it loads nothing, and runs its own script alone. The page contains
// it; a server sends it as a header, too.
func Policy() string {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; style-src " + hash(styleSheet()) + "; script-src " + hash(panelScript) +
		"; base-uri 'none'; form-action 'none'"
}

// renderHTML writes one self-contained page. It works without its script and requests nothing.
func renderHTML(d Document) ([]byte, error) {
	v := viewOf(d, nil)
	title, text, err := v.textHTML(2)
	if err != nil {
		return nil, err
	}
	return v.page(pageTemplate(), title, text)
}

// Answer is the text of a document as HTML, with its citations and the state of each sentence.
type Answer struct {
	Title    string
	Text     template.HTML
	Evidence template.HTML // of all its sentences, each hidden until its address is followed
	Summary  string        // "17 of 17 sentences supported"
	Counts   []StateCount  // of all its sentences, the first to look at first
}

// AnswerOf writes a document's text for another page: with headings below those of a section, and with that page's links.
func AnswerOf(d Document, to Links) Answer {
	a := Answer{Counts: d.Tally().Counts(), Summary: labels{}.numbers(d)}
	v := viewOf(d, to)
	a.Title, a.Text, _ = v.textHTML(3) // it is written to memory
	v.prove()
	part := func(name string) template.HTML {
		var b strings.Builder
		_ = pageTemplate().ExecuteTemplate(&b, name, v) // a builder takes all
		return template.HTML(b.String())                //nolint:gosec // of a template
	}
	if a.Evidence = part("evidence"); d.Text == "" {
		a.Text = part("rest")
	}
	return a
}
