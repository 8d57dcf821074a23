package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"strings"
)

//go:embed page.gohtml
var pageSource string

//go:embed page.css
var pageStyle string

var pageTemplate = template.Must(template.New("page").Parse(pageSource))

// policy lets the page load nothing and run nothing; its one style sheet is known by its hash.
func policy() string {
	sum := sha256.Sum256([]byte(pageStyle))
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

	Text     template.HTML
	Findings []findingView // without a text; with one, the sentences that it does not show
	Proofs   []proofView

	Limited       bool
	CoverageGaps  []template.HTML
	OpenGaps      []template.HTML
	OpenQuestions []questionView
	Weak          []weakView
	Blind         []looked
	Conflicts     []conflictView
	Contradicted  []contradictionView
	Unresolved    int // contradictions

	StopTitle, StopReason, Because, Rule string
	Rounds                               []roundView
	Chart                                template.HTML
	Looked                               []looked
	Cited, Uncited                       []sourceView
}

func pageOf(d Document) page {
	f := factsOf(d)
	c := &citer{facts: f, linked: make(map[[2]int]bool)}
	p := page{
		Policy: policy(), Style: template.CSS(pageStyle), //nolint:gosec // our own file
		PlainName: heading(d), Title: foreignHTML(heading(d)), Lang: languageByScript(d.Query + " " + d.Text),
		Verified: d.Verdict == "pass" && !d.Unverified, Groundedness: percent(d.Groundedness), Threshold: percent(d.Threshold),
		Counts: f.counts(), Sentences: len(d.Sentences),
		AsOf: oneLine(d.AsOf), Generated: minute(d.GeneratedAt), Stamp: stamp(d.GeneratedAt), Generator: oneLine(d.Generator), StateID: oneLine(d.StateID),
		Limited: f.limited(), CoverageGaps: foreignList(d.CoverageGaps), OpenGaps: foreignList(d.OpenGaps), Blind: f.blind(),
		Because: oneLine(d.Decision.Because), Rule: oneLine(d.Decision.Rule), Chart: convergence(f), Looked: f.looked(), Unresolved: len(f.unresolved()),
	}
	p.StopTitle, p.StopReason = f.stopped()
	if d.Unverified {
		p.Draft, p.PlainName = draftNotice(d), "DRAFT: "+p.PlainName
	}
	listed := make([]int, len(d.Sentences))
	for i := range listed {
		listed[i] = i
	}
	if strings.TrimSpace(d.Text) != "" {
		var title, text string
		title, text, listed = bodyHTML(bodyOf(d), c)
		p.Text = template.HTML(text) //nolint:gosec // bodyHTML escapes
		if title != "" {
			p.Question, p.Title = p.Title, template.HTML(title) //nolint:gosec // bodyHTML escapes
		}
	}
	inText := make(map[int]bool, len(d.Sentences))
	for i := range d.Sentences {
		inText[i] = true
	}
	for _, i := range listed {
		p.Findings = append(p.Findings, findingOf(c, i))
		inText[i] = false
	}
	for i := range d.Sentences {
		p.Proofs = append(p.Proofs, proofOf(f, i, inText[i]))
	}
	for _, i := range f.weak() {
		p.Weak = append(p.Weak, weakOf(f, i))
	}
	for _, q := range d.OpenQuestions {
		p.OpenQuestions = append(p.OpenQuestions, questionView{foreignHTML(oneLine(q.Question)), foreignHTML(oneLine(q.Why))})
	}
	for _, x := range d.Conflicts {
		p.Conflicts = append(p.Conflicts, conflictOf(f, x))
	}
	for _, x := range d.Contradictions {
		p.Contradicted = append(p.Contradicted, contradictionOf(f, x))
	}
	signs := f.signOffs()
	for i, r := range d.Rounds {
		p.Rounds = append(p.Rounds, roundView{r, signs[i]})
	}
	for i := range d.Sources {
		if v := sourceViewOf(f, i); v.Number > 0 {
			p.Cited = append(p.Cited, v)
		} else {
			p.Uncited = append(p.Uncited, v)
		}
	}
	return p
}

func foreignList(list []string) []template.HTML {
	var out []template.HTML
	for _, s := range list {
		out = append(out, foreignHTML(oneLine(s)))
	}
	return out
}
