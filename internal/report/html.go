package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/internal/report/markup"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/internal/report/table"
	"github.com/citeloop/citeloop/internal/sanitize"
)

//go:embed page.gohtml
var pageSource string

//go:embed page.css
var pageStyle string

// pageTemplates are the page in each language of the interface.
var pageTemplates = sync.OnceValue(func() map[string]*template.Template {
	out := map[string]*template.Template{}
	for _, lang := range messages.Languages() {
		m := messages.For(lang)
		body := func(s section) (template.HTML, error) {
			var b bytes.Buffer
			err := out[lang].ExecuteTemplate(&b, s.Name, s.Body)
			return template.HTML(b.String()), err //nolint:gosec // written by a template
		}
		funcs := template.FuncMap{"text": markup.Escaped, "t": m.T, "count": counting(m), "body": body}
		out[lang] = template.Must(template.New("page").Funcs(funcs).Parse(pageSource + table.HTML))
	}
	return out
})

// styleSheet returns the style sheet of the page with that of the drawings.
func styleSheet() string { return style.Page() + pageStyle }

// Policy returns the Content-Security-Policy of an HTML report: it loads and runs nothing, and allows its style sheet by
// hash. The page contains it; a server sends it as a header, too.
func Policy() string {
	sum := sha256.Sum256([]byte(styleSheet()))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}

// renderHTML writes a self-contained page without scripts and requests. writeText and html/template escape untrusted text.
func renderHTML(d Document) ([]byte, error) {
	var b bytes.Buffer
	p := pageOf(d)
	if err := pageTemplates()[p.Interface].Execute(&b, p); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// page is a view with what only the page has: the text as HTML.
type page struct {
	view
	Policy    string
	Style     template.CSS
	PlainName string // for the browser's title bar
	Title     template.HTML
	Lang      string // of the text
	Texts     []textView
}

func pageOf(d Document) page {
	f := factsOf(d)
	c := &citer{facts: f, linked: make(map[[2]int]bool)}
	summary := &citer{facts: f, linked: make(map[[2]int]bool)} // the statements have the citations again
	p := page{
		view: viewOf(f), Policy: Policy(), Style: template.CSS(styleSheet()), //nolint:gosec // our own files
		PlainName: heading(d), Title: markup.Escaped(heading(d)), Lang: cmp.Or(messages.LanguageOf(proseOf(d)), languageByScript(d.Query+" "+d.Text)),
	}
	if p.Draft != "" {
		p.PlainName = f.words.T("DRAFT") + f.words.T(": ") + p.PlainName
	}
	text := textState{say: c.statement, best: summary.bestSentence, draws: true}
	text.missed, text.limits = p.texts(f, c)
	text.written = len(p.Texts) > 0
	p.Reading, p.Below = f.sections(text, p.Counts)
	return p
}

// texts writes the text, or that of each part. It returns the sentences that they do not show, and whether a text has its own
// section on limits.
func (p *page) texts(f facts, c *citer) (missed []int, limits bool) {
	parts := f.Parts
	if parts == nil {
		parts = []Part{{Text: f.Text}}
	}
	for n, part := range parts {
		d := f.Document
		d.Text, d.Sentences = part.Text, slices.Clone(f.Sentences)
		for i := range d.Sentences {
			if d.Sentences[i].Part != n {
				d.Sentences[i].End, d.Sentences[i].Markers = 0, nil
			}
		}
		blank := strings.TrimSpace(part.Text) == ""
		if blank && f.Parts == nil {
			break
		}
		b := bodyOf(d)
		title, text, absent := bodyHTML(b, c, 2)
		for _, i := range absent {
			if f.Sentences[i].Part == n {
				missed = append(missed, i)
			}
		}
		first := b.root.FirstChild()
		v := textView{Summary: part.Summary, Notes: part.Notes, Text: template.HTML(text)} //nolint:gosec // bodyHTML escapes
		switch {
		case len(parts) > 1:
			v.ID, v.Name, v.Title = fmt.Sprintf("-%d", n+1), markup.Escaped(sanitize.Line(part.Name)), template.HTML(title) //nolint:gosec // as above
		case title != "":
			first = first.NextSibling()
			if title != string(p.Title) {
				p.Question = heading(f.Document)
			}
			p.Title = template.HTML(title) //nolint:gosec // as above
		}
		limits = limits || hasLimitsSection(first, b.source)
		p.Texts = append(p.Texts, v)
	}
	return missed, limits
}

// textView is a text, or the text of one of several files.
type textView struct {
	ID          string // of its anchor; empty for the only one
	Name, Title template.HTML
	Summary     string
	Text        template.HTML
	Notes       []string
}
