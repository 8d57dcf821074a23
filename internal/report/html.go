package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"strings"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/sanitize"
)

//go:embed page.gohtml
var pageSource string

//go:embed page.css
var pageStyle string

var pageTemplate = template.Must(template.New("page").Parse(pageSource))

// styleSheet is the one of the page: the drawings' and its own.
func styleSheet() string { return drawing.Look() + drawing.Style() + pageStyle }

// Policy is what a browser has to be allowed to show a report as HTML, as a Content-Security-Policy: it loads nothing
// and runs nothing, and its one style sheet is known by its hash. The page says so itself; a server that hands it out
// says it once more.
func Policy() string {
	sum := sha256.Sum256([]byte(styleSheet()))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}

// renderHTML writes one page that needs nothing but itself: no script, no request. Text of others comes
// into it through writeText and html/template only.
func renderHTML(d Document) ([]byte, error) {
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, pageOf(d)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// page is what the template says, ready to be written.
type page struct {
	Policy    string
	Style     template.CSS
	PlainName string // for the browser's title bar
	Title     template.HTML
	Question  template.HTML // when the title does not say it
	Lang      string        // of the text
	Draft     string

	Verified                bool
	Groundedness, Threshold string
	Counts                  []count
	Sentences               int
	AsOf, Generated, Stamp  string
	Generator, StateID      string

	Text      template.HTML
	Findings  []findingView // the sentences that the text does not show
	Digest    []factView    // without a text
	Groups    []groupView   // without a text
	Proofs    []proofView
	Witnesses string

	Limits       *limitsView // nil when there are none
	Unseen       template.HTML
	UnseenNote   string
	CoverageGaps bool
	Conflicts    []conflictView
	Contradicted []contradictionView

	StopTitle, StopReason, Because, Rule string
	Rounds                               []roundRow
	Timed, Estimated                     bool
	Chart                                template.HTML
	Carried                              *carriedView // nil when no source carries a sentence
	Dates                                *datesView   // nil without sources
	Looked                               []looked
	Cited, Uncited                       []sourceView
}

func pageOf(d Document) page {
	f := factsOf(d)
	c := &citer{facts: f, linked: make(map[[2]int]bool)}
	p := page{
		Policy: Policy(), Style: template.CSS(styleSheet()), //nolint:gosec // our own files
		PlainName: heading(d), Title: foreignHTML(heading(d)), Lang: languageByScript(d.Query + " " + d.Text),
		Verified: d.verified(), Groundedness: percent(d.Groundedness), Threshold: percent(d.Threshold),
		Counts: f.counts(), Sentences: len(d.Sentences),
		AsOf: sanitize.Line(d.AsOf), Generated: minute(d.GeneratedAt), Stamp: stamp(d.GeneratedAt), Generator: sanitize.Line(d.Generator), StateID: sanitize.Line(d.StateID),
		Witnesses: f.witnesses(), CoverageGaps: len(f.CoverageGaps) > 0,
		Because: sanitize.Line(d.Decision.Because), Rule: sanitize.Line(d.Decision.Rule), Chart: template.HTML(drawing.Convergence(f.Rounds)), Looked: f.looked(),
	}
	p.StopTitle, p.StopReason = f.stopped()
	if d.Unverified {
		p.Draft, p.PlainName = draftNotice(d), "DRAFT: "+p.PlainName
	}
	p.write(f, c)
	p.Unseen, p.UnseenNote = foreignHTML(f.Unseen), unseenNote
	for i, x := range d.Conflicts {
		p.Conflicts = append(p.Conflicts, conflictOf(f, x, i))
	}
	for i, x := range d.Contradictions {
		p.Contradicted = append(p.Contradicted, contradictionOf(f, x, i))
	}
	p.Carried, p.Dates = carriedOf(f), datesOf(f)
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

// write fills in the text, or the summary and the findings where there is none, with their receipts, and what
// limits them.
func (p *page) write(f facts, c *citer) {
	listed := make([]int, len(f.Sentences))
	for i := range listed {
		listed[i] = i
	}
	told := false
	if strings.TrimSpace(f.Text) != "" {
		var title, text string
		b := bodyOf(f.Document)
		title, text, listed = bodyHTML(b, c)
		first := b.root.FirstChild()
		p.Text = template.HTML(text) //nolint:gosec // bodyHTML escapes
		if title != "" {
			first = first.NextSibling()
			if title != string(p.Title) {
				p.Question = p.Title
			}
			p.Title = template.HTML(title) //nolint:gosec // bodyHTML escapes
		}
		told = tellsLimits(first, b.source)
	}
	beside := make(map[int]bool, len(listed)) // sentences that stand in a list, not in the text
	for _, i := range listed {
		beside[i] = true
	}
	if p.Text == "" {
		p.Digest, p.Groups = digestOf(f), groupsOf(f, c, beside)
	} else {
		for _, i := range listed {
			p.Findings = append(p.Findings, findingOf(c, i))
		}
	}
	for i := range f.Sentences {
		p.Proofs = append(p.Proofs, proofOf(f, i, !beside[i]))
	}
	if f.limited() {
		p.Limits = limitsOf(f, told)
	}
}
