package textcheck

import (
	"fmt"
	"time"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/loopstate"
)

// The verdicts on a draft or a file.
const (
	Pass      = "pass"
	Fail      = "fail"
	CannotSay = "cannot_say" // a cited text could not be read, and there are no other problems
)

// The exit codes of the verdicts; 2 is a usage error.
const (
	exitPass      = 0
	exitFail      = 1
	exitCannotSay = 3
)

func exitCode(verdict string) int {
	switch verdict {
	case Pass:
		return exitPass
	case Fail:
		return exitFail
	}
	return exitCannotSay
}

// NotChecked is the status of a claim with an unread cited text if the other texts do not ground it. The other statuses are
// those of package grounding.
const NotChecked grounding.Status = "not_checked"

// Result is the result of checking drafts. Lists are never nil.
type Result struct {
	Verdict      string         `json:"verdict"`              // of the worst draft
	Groundedness float64        `json:"overall_groundedness"` // share of the sentences that could be checked
	Threshold    float64        `json:"threshold"`
	FailOn       []Kind         `json:"fail_on"`
	Files        []FileVerdict  `json:"files"`
	Claims       []Claim        `json:"verified_claims"`
	Uncited      []Sentence     `json:"uncited_sentences"`
	Hallucinated []DeadCitation `json:"hallucinated_citations"`
	Conflicts    []Disagreement `json:"conflicts"`
	Mistitled    []WrongTitle   `json:"mistitled_references"`
	Review       *ReviewSummary `json:"review,omitempty"`
	Sources      []Source       `json:"sources"` // in the order of their first citation
	GeneratedAt  time.Time      `json:"generated_at"`
	Generator    string         `json:"generator"`

	drafts []parsed
}

// ExitCode returns 0 for pass, 1 for fail and 3 for cannot_say.
func (r *Result) ExitCode() int { return exitCode(r.Verdict) }

// FileVerdict is the verdict on one draft, with its counts.
type FileVerdict struct {
	File         string  `json:"file"`
	Verdict      string  `json:"verdict"`
	Groundedness float64 `json:"overall_groundedness"`
	Grounded     int     `json:"grounded"`
	Inferred     int     `json:"inferred"` // waiting for review
	Unsupported  int     `json:"unsupported"`
	Contradicted int     `json:"contradicted"`       // of the unsupported
	ByReview     int     `json:"grounded_by_review"` // of the grounded
	NotChecked   int     `json:"not_checked"`
	Uncited      int     `json:"uncited"`
	Hallucinated int     `json:"hallucinated"`
	Conflicts    int     `json:"conflicts"`
	Mistitled    int     `json:"mistitled"`
	Cited        int     `json:"sources_cited"`
	Read         int     `json:"sources_read"`
}

// checked returns how many sentences could be checked.
func (f FileVerdict) checked() int { return f.Grounded + f.Inferred + f.Unsupported + f.Uncited }

// tally returns the counts of the summary line.
func (f FileVerdict) tally() citing.Tally {
	return citing.Tally{Wording: f.Grounded - f.ByReview, Review: f.ByReview, Waiting: f.Inferred, Contradicted: f.Contradicted,
		Unsupported: f.Unsupported - f.Contradicted, Uncited: f.Uncited, NotChecked: f.NotChecked}
}

// Claim is a cited sentence with its verdict.
type Claim struct {
	Claim      string           `json:"claim"`
	Place                       // of the sentence
	Status     grounding.Status `json:"status"`
	Basis      string           `json:"basis"` // wording or review; empty unless grounded
	Support    float64          `json:"support"`
	Confidence float64          `json:"confidence"`
	Because    string           `json:"because"`
	Citations  []Citation       `json:"citations"`
	Passage    *Passage         `json:"passage,omitempty"`
	QuoteGrade string           `json:"quote_grade,omitempty"`
	Missing    []string         `json:"missing"`

	Differences        []citing.Difference `json:"differences"` // from its sources
	Flags              []string            `json:"flags"`
	IndependentOrigins int                 `json:"independent_origins"`
	BetterSource       string              `json:"better_source,omitempty"`
	Reading            *loopstate.Reading  `json:"reading,omitempty"` // of a second reader

	draft      int
	start, end int // code points
	dead       bool
	covered    bool // it has no mark itself
}

// Citation is a mark of the draft with its source. Status is "read", "unresolved" if the mark has no address, "not_read" if
// the address was not requested, or a status of package fetch: not_found, blocked, paywalled, robots, unsupported,
// too_short, timeout, error.
type Citation struct {
	Marker string `json:"marker"`
	URL    string `json:"url"`
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`

	start, end int // code points
	source     int // in Result.Sources; -1 for none
}

// Passage is a part of a cited text: text[start:end] in code points is Text.
type Passage struct {
	SourceID string `json:"source_id"`
	URL      string `json:"url"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Text     string `json:"text"`
	Page     int    `json:"page,omitempty"` // of a PDF on which it begins, counted from the file's first
}

// place describes the place of the passage.
func (p Passage) place() string {
	says := fmt.Sprintf("characters %d to %d", p.Start, p.End)
	if p.Page > 0 {
		says = fmt.Sprintf("PDF p. %d, ", p.Page) + says
	}
	return says
}

// Sentence is a sentence that makes a claim without a citation.
type Sentence struct {
	Text string `json:"text"`
	Place

	draft      int
	start, end int
	covered    bool // its paragraph is cited, but the cited texts do not support it
}

// DeadCitation is a citation that does not resolve.
type DeadCitation struct {
	Claim    string `json:"claim"`
	Citation string `json:"citation"` // as written
	Why      string `json:"why"`
	Place           // of the mark

	draft int
	stray bool // the mark is not on a claim
}

// Disagreement is a quantity of a claim with different values in two cited texts.
type Disagreement struct {
	Topic   string  `json:"topic"`
	A       Passage `json:"a"`
	B       Passage `json:"b"`
	ValueA  string  `json:"value_a"`
	ValueB  string  `json:"value_b"`
	Because string  `json:"because"`
	Place           // of the claim

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

// Source is a cited address with the result of reading it.
type Source struct {
	ID         string     `json:"source_id"` // the loop's, or the address
	URL        string     `json:"url"`       // as first cited
	FinalURL   string     `json:"final_url,omitempty"`
	Status     string     `json:"status"` // as Citation.Status
	Reason     string     `json:"reason,omitempty"`
	From       string     `json:"from"` // web, corpus or loop; empty if it was not read
	Title      string     `json:"title"`
	SourceType string     `json:"source_type"`
	SHA256     string     `json:"sha256"` // of the text; empty if it was not read
	Chars      int        `json:"chars"`
	FetchedAt  *time.Time `json:"fetched_at"` // null if it was not read
	Cited      int        `json:"cited"`      // number of sentences

	key, text, publisher string
	authors, publication []string
	pages                loopstate.Pages
}

func (s Source) read() bool { return s.Status == statusRead }
