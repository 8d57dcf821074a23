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
	"strconv"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/report/messages"
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
		out[lang] = template.Must(template.New("page").Funcs(template.FuncMap{"text": escaped, "t": m.T, "count": func(n int, one, many string) string { return m.Count(n, strconv.Itoa(n), one, many) }}).Parse(pageSource))
	}
	return out
})

// styleSheet returns the style sheet of the page with that of the drawings.
func styleSheet() string { return drawing.PageStyle() + drawing.Style() + pageStyle }

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

// page is the data of the template.
type page struct {
	Policy    string
	Style     template.CSS
	PlainName string // for the browser's title bar
	Title     template.HTML
	Question  template.HTML // if the title is another
	Lang      string        // of the text
	Interface string        // the language of the page around it
	Draft     string

	Checked                bool   // a check without a loop
	Summary                string // the result of the check
	ReadBy, Needed, Void   string
	Reviews                []reviewRow
	Counts                 []count
	AsOf, Generated, Stamp string
	Generator, StateID     string

	Texts        []textView
	Findings     []findingView   // the sentences that the text does not show
	Best         []template.HTML // without a text
	Groups       []groupView     // without a text
	Proofs       []proofView
	SourceCounts string

	Limits       *limitsSection // nil without limits
	Unseen       template.HTML
	UnseenNote   string
	CoverageGaps bool
	Conflicts    []conflictView
	Contradicted []contradictionView

	StopTitle, StopReason, Because, Rule string
	Rounds                               []roundRow
	Timed, Estimated                     bool
	Chart                                template.HTML
	Matrix                               *supportView // nil if no source supports a sentence
	Dates                                *datesView   // nil without sources
	Looked                               []looked
	Cited, Uncited                       []sourceView
	Critic                               template.HTML // see criticism.go
}

func pageOf(d Document) page {
	f := factsOf(d)
	c := &citer{facts: f, linked: make(map[[2]int]bool)}
	p := page{
		Policy: Policy(), Style: template.CSS(styleSheet()), //nolint:gosec // our own files
		PlainName: heading(d), Title: escaped(heading(d)), Lang: cmp.Or(messages.LanguageOf(proseOf(d)), languageByScript(d.Query+" "+d.Text)), Interface: f.words.Lang(),
		Checked: d.Parts != nil, Summary: capital(f.summary()) + f.words.T("."), ReadBy: strings.TrimSpace(f.readBy() + " " + f.bound()), Void: f.cautions(), Reviews: f.reviewRows(), Counts: f.counts(),
		AsOf: sanitize.Line(d.AsOf), Generated: minute(d.GeneratedAt), Stamp: stamp(d.GeneratedAt), Generator: sanitize.Line(d.Generator), StateID: sanitize.Line(d.StateID),
		SourceCounts: f.sourceCounts(), CoverageGaps: len(f.CoverageGaps) > 0,
		Because: sanitize.Line(f.Decision.Because), Rule: sanitize.Line(d.Decision.Rule), Looked: f.looked(),
	}
	if len(f.Rounds) > 1 { // a chart of one round shows nothing
		p.Chart = template.HTML(drawing.Convergence(f.words, f.Rounds))
	}
	p.StopTitle, p.StopReason = f.stopped()
	if d.Unverified {
		p.Draft, p.PlainName = draftNotice(f.words), f.words.T("DRAFT")+f.words.T(": ")+p.PlainName
	}
	if !p.Checked { // each file has its own
		p.Needed = f.needed()
	}
	p.write(f, c)
	p.Unseen, p.UnseenNote = escaped(f.Unseen), f.words.T(unseenNote)
	for i, x := range f.Conflicts {
		p.Conflicts = append(p.Conflicts, conflictOf(f, x, i))
	}
	for i, x := range d.Contradictions {
		p.Contradicted = append(p.Contradicted, contradictionOf(f, x, i))
	}
	if p.Matrix = supportOf(f); !p.Checked {
		p.Dates = datesOf(f)
	}
	p.Critic = f.criticismHTML()
	p.Rounds, p.Timed, p.Estimated = f.roundRows()
	for i := range d.Sources {
		if v := sourceViewOf(f, i); v.Number > 0 {
			p.Cited = append(p.Cited, v)
		} else {
			p.Uncited = append(p.Uncited, v)
		}
	}
	return p
}

// write sets the texts, or without one the summary and the findings; the receipts; and the limits.
func (p *page) write(f facts, c *citer) {
	told := false
	beside := map[int]bool{} // sentences in a list instead of the text
	for _, i := range p.texts(f, c, &told) {
		beside[i] = true
	}
	if len(p.Texts) == 0 {
		p.Best, p.Groups = bestOf(f, c), groupsOf(f, c, beside)
	}
	for i := range f.Sentences {
		if beside[i] && len(p.Texts) > 0 {
			p.Findings = append(p.Findings, findingOf(c, i))
		}
		p.Proofs = append(p.Proofs, proofOf(f, i, !beside[i]))
	}
	if !p.Checked {
		p.Limits = f.limits(told)
	}
}

// texts writes the text, or that of each part, and returns the sentences that they do not show. It sets told if a text has
// its own section on limits.
func (p *page) texts(f facts, c *citer, told *bool) (missed []int) {
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
		v := textView{Summary: part.Summary, Notes: escapedList(part.Notes), Text: template.HTML(text)} //nolint:gosec // bodyHTML escapes
		switch {
		case len(parts) > 1:
			v.ID, v.Name, v.Title = fmt.Sprintf("-%d", n+1), escaped(sanitize.Line(part.Name)), template.HTML(title) //nolint:gosec // as above
		case title != "":
			first = first.NextSibling()
			if title != string(p.Title) {
				p.Question = p.Title
			}
			p.Title = template.HTML(title) //nolint:gosec // as above
		}
		*told = *told || hasLimitsSection(first, b.source)
		p.Texts = append(p.Texts, v)
	}
	if len(p.Texts) > 0 {
		return missed
	}
	for i := range f.Sentences {
		missed = append(missed, i)
	}
	return missed
}

// textView is a text, or the text of one of several files.
type textView struct {
	ID          string // of its anchor; empty for the only one
	Name, Title template.HTML
	Summary     string
	Text        template.HTML
	Notes       []template.HTML
}
