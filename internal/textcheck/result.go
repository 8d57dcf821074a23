package textcheck

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/remark"
	"github.com/citeloop/citeloop/loopstate"
)

// The verdicts on a draft or a file.
const (
	Pass      = "pass"
	Fail      = "fail"
	Undecided = "undecided" // claims wait for a reader, a cited text could not be read, or nothing is claimed
)

// The exit codes of the verdicts; 2 is a usage error.
const (
	exitPass      = 0
	exitFail      = 1
	exitUndecided = 3
)

func exitCode(verdict string) int {
	switch verdict {
	case Pass:
		return exitPass
	case Fail:
		return exitFail
	}
	return exitUndecided
}

// worse returns the worse of two verdicts.
func worse(a, b string) string {
	order := []string{Pass, Undecided, Fail}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}

// Result is the result of checking drafts. Lists are never nil.
type Result struct {
	Verdict      string         `json:"verdict"`              // of the worst draft
	Groundedness float64        `json:"overall_groundedness"` // share of the sentences that were read
	Threshold    float64        `json:"threshold"`
	FailOn       []Kind         `json:"fail_on"`
	Files        []FileVerdict  `json:"files"`
	Claims       []Claim        `json:"verified_claims"`
	Uncited      []Sentence     `json:"uncited_sentences"`
	Hallucinated []DeadCitation `json:"hallucinated_citations"`
	Conflicts    []Conflict     `json:"conflicts"`
	Mistitled    []WrongTitle   `json:"mistitled_references"`
	Review       *ReviewSummary `json:"review,omitempty"`
	Suppressed   []Suppressed   `json:"suppressed"`   // findings that a suppression accepts
	Suppressions []*Suppression `json:"suppressions"` // of the project file
	Sources      []Source       `json:"sources"`      // in the order of their first citation
	GeneratedAt  time.Time      `json:"generated_at"`
	Generator    string         `json:"generator"`

	drafts []parsed
}

// ExitCode returns 0 for pass, 1 for fail and 3 for undecided.
func (r *Result) ExitCode() int { return exitCode(r.Verdict) }

// Counts is a [verify.Tally] as JSON.
type Counts struct {
	Read         int `json:"read"`
	Of           int `json:"of"`
	Supported    int `json:"supported"`
	Corrected    int `json:"corrected"` // of these, by other lines than cited
	Partly       int `json:"partly"`
	Contradicted int `json:"contradicted"`
	NotInSource  int `json:"not_in_source"`
	Unread       int `json:"not_read_yet"`
	NotChecked   int `json:"not_checked"` // a cited text could not be read
	BadQuotes    int `json:"bad_quotes"`
	Dead         int `json:"citing_nothing_read"`
	Uncited      int `json:"uncited"`
	Own          int `json:"own"`
}

func countsOf(t verify.Tally) Counts {
	return Counts{Read: t.Read(), Of: t.Total(), Supported: t.Supported, Corrected: t.Corrected, Partly: t.Partly, Contradicted: t.Contradicted, NotInSource: t.NotStated, Unread: t.Unread,
		NotChecked: t.NotChecked, BadQuotes: t.BadQuotes, Dead: t.Dead, Uncited: t.Uncited, Own: t.Own}
}

// FileVerdict is the verdict on one draft, with its counts.
type FileVerdict struct {
	File         string  `json:"file"`
	Verdict      string  `json:"verdict"`
	Groundedness float64 `json:"overall_groundedness"`
	Counts
	Findings    map[Kind]int `json:"findings"`        // without those that are suppressed
	Suppressed  int          `json:"suppressed"`      // findings
	ToRead      int          `json:"to_read"`         // by the plan
	Bound       *float64     `json:"bound,omitempty"` // at most this share of the unread is unsupported, 95 % confidence; once the plan is carried out
	Cited       int          `json:"sources_cited"`
	SourcesRead int          `json:"sources_read"`

	tally   verify.Tally
	atCheck int // of SourcesRead: read by this check, not by the author's loop before it
}

// judge computes the counts and verdicts.
func (r *Result) judge() {
	var whole verify.Tally
	checked := false // a text had something to check; one without claims says nothing about the others
	r.Verdict = Pass
	found := r.Findings()
	for i, d := range r.drafts {
		f := FileVerdict{File: d.name, Findings: map[Kind]int{}}
		for _, x := range found {
			switch {
			case x.draft != i:
			case x.By != nil:
				f.Suppressed++
				r.Suppressed = append(r.Suppressed, Suppressed{x.Kind, x.Text, x.Why, x.Place, x.By})
			default:
				f.Findings[x.Kind]++
			}
		}
		cited := map[int]bool{}
		f.tally.Uncited, f.tally.Own = len(d.Uncited), len(d.Own)
		whole.Uncited += len(d.Uncited)
		for _, c := range r.Claims {
			if c.draft != i {
				continue
			}
			f.tally.Add(c.of)
			whole.Add(c.of)
			for _, cite := range c.Citations {
				if cite.source >= 0 && !r.Sources[cite.source].missing && !cited[cite.source] {
					cited[cite.source] = true
					f.Cited++
					if cite.Status == statusRead {
						f.SourcesRead++
						if src := r.Sources[cite.source]; src.From != fromLoop || src.record.AtCheck {
							f.atCheck++
						}
					}
				}
			}
		}
		f.Counts, f.Groundedness = countsOf(f.tally), sixDigits(f.tally.Groundedness())
		if f.ToRead = len(d.plan.Next); f.ToRead == 0 && d.plan.Unread > 0 {
			bound := sixDigits(d.plan.AtMost)
			f.Bound = &bound
		}
		if f.Verdict = verdictOf(f.tally, len(d.plan.Next)+f.tally.NotChecked, f.Findings, r.FailOn, r.Threshold); f.Verdict == Pass && f.SourcesRead < f.Cited {
			f.Verdict = Undecided
		}
		r.Files = append(r.Files, f)
		if f.tally.Total() > 0 || f.Verdict == Fail {
			r.Verdict, checked = worse(r.Verdict, f.Verdict), true
		}
	}
	if !checked {
		r.Verdict = Undecided
	}
	r.Groundedness = sixDigits(whole.Groundedness())
}

// verdictOf fails for a finding of failOn, or if too few of the claims that were read are supported. It is undecided while
// claims that are to be read are not, and without claims.
func verdictOf(t verify.Tally, toRead int, found map[Kind]int, failOn []Kind, threshold float64) string {
	for _, kind := range failOn {
		if found[kind] > 0 || kind == Unsupported && found[Contradicted] > 0 {
			return Fail
		}
	}
	t.NotStated, t.Contradicted = t.NotStated+t.Contradicted, 0 // what the caller does not fail on
	t.BadQuotes, t.Dead, t.Uncited = 0, 0, 0
	if t.Total() == 0 {
		return Undecided
	}
	switch t.Verdict(threshold, toRead, 0) {
	case verify.Pass:
		return Pass
	case verify.Fail:
		return Fail
	}
	return Undecided
}

// Outcome is what was found about a claim.
type Outcome struct {
	Status             string             `json:"status"` // grounded, inferred or unsupported
	Read               bool               `json:"read"`   // somebody has read it beside its sources
	Basis              string             `json:"basis"`  // review; empty unless grounded
	Lines              string             `json:"lines"`  // cited, or found where none are: "S1:120-128; S3:7"
	Verbatim           bool               `json:"verbatim"`
	Remarks            []Remark           `json:"remarks"`
	QuoteGrade         string             `json:"quote_grade,omitempty"`
	Passages           []Passage          `json:"passages"` // what a reader sees
	Because            string             `json:"because"`
	Flags              []string           `json:"flags"`
	IndependentOrigins int                `json:"independent_origins"`
	Confidence         float64            `json:"confidence,omitempty"` // of a read one: the reader's measured accuracy, a lower bound
	Reading            *loopstate.Reading `json:"reading,omitempty"`
}

// Remark is a difference between a claim and its sources that anybody can see. It is no verdict.
type Remark struct {
	Kind     string `json:"kind"`
	Claim    string `json:"claim"` // the words of the claim
	Text     string `json:"text"`  // those of the source
	SourceID string `json:"source_id"`
	Line     int    `json:"line"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Says     string `json:"says"`
}

// Passage is a part of a cited text: text[start:end] in code points is Text.
type Passage struct {
	SourceID string `json:"source_id"`
	URL      string `json:"url,omitempty"`
	Lines    string `json:"lines"`
	Cited    string `json:"cited,omitempty"`   // those of them that the author names
	Heading  string `json:"heading,omitempty"` // the headings above it, and the introduction of its list or the header of its table
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Text     string `json:"text"`
	Page     int    `json:"page,omitempty"`  // of a PDF on which it begins, counted from the file's first
	Saved    string `json:"saved,omitempty"` // see Source.Saved

	file    string // see Source.file
	words   string // of the cited lines, or those that decided for the reader
	telling bool   // it has the words that decided for the reader, or those of a remark
}

// place names the lines of the passage as a link does: "S1:120-128", "notes.md:12"; of a PDF with the page.
func (p Passage) place() string {
	name := p.SourceID
	if name == "" {
		name = p.URL
	}
	at := sanitize.Short(name, textAddressChars) + ":" + cmp.Or(p.Cited, p.Lines)
	if p.Page > 0 {
		at += fmt.Sprintf(" (PDF p. %d)", p.Page)
	}
	if p.Saved != "" { // the file that poses as the address
		at += ", from " + sanitize.Short(p.Saved, textAddressChars) + " in this folder"
	}
	return at
}

// locate sets the lines of the passage that a claim names, and the headings above it.
func (p *Passage) locate(text *verify.Text, c verify.Claim) {
	if text == nil {
		return
	}
	r := report.Receipt{SourceID: p.SourceID, Start: p.Start, End: p.End}
	r.Locate(text.Lines(), c.Citations)
	p.Cited, p.Heading = r.Cited, r.Heading
}

// outcomeOf returns the outcome of a checked claim.
func outcomeOf(c verify.Claim, sources []Source) Outcome {
	out := Outcome{Status: c.Status, Read: c.Read(), Basis: c.Basis(), Lines: c.Lines(), Verbatim: c.Verbatim, Remarks: []Remark{}, QuoteGrade: string(c.QuoteGrade()),
		Passages: []Passage{}, Because: c.Because, Flags: orEmpty(slices.Clone(c.Flags)), IndependentOrigins: c.Origins, Reading: c.Reading, Confidence: c.Confidence}
	for _, r := range c.Remarks {
		out.Remarks = append(out.Remarks, Remark{string(r.Kind), r.Claim, r.Text, r.SourceID, r.Line, r.Start, r.End, r.String()})
	}
	for _, p := range c.Passages {
		passage := Passage{SourceID: p.SourceID, Lines: p.Lines, Start: p.Start, End: p.End, Text: p.Text}
		if i := slices.IndexFunc(sources, func(s Source) bool { return s.ID == p.SourceID }); i >= 0 {
			passage.URL, passage.Page, passage.file, passage.Saved = sources[i].URL, sources[i].record.Pages.At(p.Start), sources[i].file, sources[i].Saved
			passage.locate(sources[i].text, c)
		}
		passage.telling = slices.ContainsFunc(c.Remarks, func(r remark.Remark) bool { return r.SourceID == p.SourceID && p.Start <= r.Start && r.End <= p.End })
		passage.words = report.Receipt{Passage: p.Text, Lines: p.Lines, Cited: passage.Cited}.Words(c.Reading)
		out.Passages = append(out.Passages, passage)
	}
	if c.Covered {
		out.Flags = append(out.Flags, verify.FlagByParagraph+": the citation is on a later sentence of the paragraph")
	}
	return out
}

// sixDigits rounds x, so that all machines write the same digits.
func sixDigits(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// Claim is a cited sentence with what was found.
type Claim struct {
	Claim string `json:"claim"`
	Place        // of the sentence
	Outcome
	Citations []Citation `json:"citations"`

	of    verify.Claim
	draft int
}

// Citation is a mark of the draft with its source. Status is "read", "unresolved" if the mark leads to nothing, "not_read" if
// the address was not requested, or a status of package fetch: not_found, blocked, paywalled, robots, unsupported,
// too_short, timeout, error.
type Citation struct {
	Marker string `json:"marker"`
	URL    string `json:"url"`
	Lines  string `json:"lines,omitempty"`
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`

	of     verify.Citation
	source int // in Result.Sources; -1 for none
}

// addresses lists the cited addresses, each once.
func (c Claim) addresses() []string {
	var out []string
	for _, cite := range c.Citations {
		if cite.URL != "" && !slices.Contains(out, cite.URL) {
			out = append(out, cite.URL)
		}
	}
	return out
}

// Sentence is a sentence that makes a claim without a citation.
type Sentence struct {
	Text string `json:"text"`
	Place

	of    verify.Claim
	draft int
}

func (s Sentence) why() string {
	if s.of.Covered {
		return "It makes a claim and cites nothing, and a reader did not find it in the sources cited later in its paragraph."
	}
	return "It makes a claim and cites nothing."
}

// DeadCitation is a citation that leads to nothing.
type DeadCitation struct {
	Claim    string `json:"claim"`
	Citation string `json:"citation"` // as written
	Why      string `json:"why"`
	Place           // of the mark

	draft int
	stray bool // the mark is not on a claim
}

// Conflict is a claim that equals another one but for a number, and rests on other sources.
type Conflict struct {
	ValueA  string `json:"value_a"`
	ValueB  string `json:"value_b"`
	Because string `json:"because"`
	Place          // of the later claim

	claim string
	draft int
}

// WrongTitle is a reference with another title than its page.
type WrongTitle struct {
	URL    string `json:"url"`
	Listed string `json:"listed"` // in the list of references
	Title  string `json:"title"`  // of the page
	Place         // of the entry's line

	draft int
}

// placeOrder orders by draft, line and column.
func placeOrder(draftA int, a Place, draftB int, b Place) int {
	return cmp.Or(cmp.Compare(draftA, draftB), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}
