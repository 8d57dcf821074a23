package textcheck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/remark"
	"github.com/citeloop/citeloop/loopstate"
)

// Result is the result of checking drafts. Lists are never nil.
type Result struct {
	Overall
	Claims       []Claim        `json:"verified_claims"`
	Uncited      []Sentence     `json:"uncited_sentences"`
	Hallucinated []DeadCitation `json:"hallucinated_citations"`
	Conflicts    []Conflict     `json:"conflicts"`
	Mistitled    []WrongTitle   `json:"mistitled_references"`
	Suppressed   []Suppressed   `json:"suppressed"` // findings that a suppression accepts
	Sources      []Source       `json:"sources"`    // in the order of their first citation

	drafts []parsed
}

// Overall is what a result says of all drafts: the last line of JSONL.
type Overall struct {
	Verdict      string         `json:"verdict"`              // of the worst draft
	Groundedness float64        `json:"overall_groundedness"` // share of the sentences that were read
	Threshold    float64        `json:"threshold"`
	FailOn       []Kind         `json:"fail_on"`
	Files        []FileVerdict  `json:"files"`
	Review       *ReviewSummary `json:"review,omitempty"`
	Suppressions []*Suppression `json:"suppressions"` // of the project file
	GeneratedAt  time.Time      `json:"generated_at"`
	Generator    string         `json:"generator"`
}

// ExitCode returns 0 for pass, 1 for fail and 3 for undecided.
func (r *Result) ExitCode() int { return outcome.ExitCode(r.Verdict) }

// Counts is a [verify.Tally] with its sums.
type Counts struct {
	Read int `json:"read"`
	Of   int `json:"of"`
	verify.Tally
}

func countsOf(t verify.Tally) Counts { return Counts{t.Read(), t.Total(), t} }

// FileVerdict is the verdict on one draft, with its counts.
type FileVerdict struct {
	File         string  `json:"file"`
	Verdict      string  `json:"verdict"`
	Groundedness float64 `json:"overall_groundedness"`
	Counts
	Findings    map[Kind]int `json:"findings"`   // without those that are suppressed
	Suppressed  int          `json:"suppressed"` // findings
	ToRead      int          `json:"to_read"`    // by the plan
	Cited       int          `json:"sources_cited"`
	SourcesRead int          `json:"sources_read"`

	atCheck int // of SourcesRead: read by this check, not by the author's loop before it
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

// Remark is a remark with its sentence.
type Remark struct {
	remark.Remark
	Says string `json:"says"`
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
		out.Remarks = append(out.Remarks, Remark{r, r.String()})
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

// parsed is a draft with its claims.
type parsed struct {
	verify.Result
	name, text string
	lock       *Lock // nil: none
	lines      *lines.Text
}

func (d *parsed) place(start, end int) Place {
	out := Place{File: d.name}
	out.Line, out.Column = d.at(start)
	out.EndLine, out.EndColumn = d.at(end)
	return out
}

func (d *parsed) placeOf(c verify.Claim) Place {
	start, end := c.Span()
	return d.place(start, end)
}

// line returns the place of a whole line.
func (d *parsed) line(n int) Place {
	start, end, _ := d.lines.Span(lines.Range{First: n, Last: n})
	return d.place(start, end)
}

// at returns line and column of a code point.
func (d *parsed) at(offset int) (line, column int) {
	if offset >= utf8.RuneCountInString(d.text) && strings.HasSuffix(d.text, "\n") {
		return d.lines.Len() + 1, 1 // behind the last line break
	}
	line = max(1, d.lines.At(offset))
	start, _, _ := d.lines.Span(lines.Range{First: line, Last: line})
	return line, offset - start + 1
}
