// Package report writes a finished loop down: Markdown, one self-contained HTML page, BibTeX, CSL-JSON,
// RIS, and JSON with receipts. A [Document] is the one source of them all; each format is a function of it, so that
// a document kept as JSON can be rendered anew.
package report

import (
	"time"

	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/loopstate"
)

// Document is everything that a report says. It is plain data: no format reads anything else.
type Document struct {
	StateID      string    `json:"state_id"`
	Query        string    `json:"query"`
	AsOf         string    `json:"as_of"` // YYYY-MM-DD
	GeneratedAt  time.Time `json:"generated_at"`
	Verdict      string    `json:"verdict"` // pass or fail
	Unverified   bool      `json:"draft"`   // it did not pass and was asked for all the same: every format says DRAFT
	Groundedness float64   `json:"confidence"`
	Threshold    float64   `json:"threshold"`

	// Text is the host's final Markdown, or empty. Sentences are then in its order, with their place in it;
	// without a text they are the recorded claims.
	Text      string     `json:"text,omitempty"`
	Parts     []Part     `json:"-"` // in place of Text: the files of a check without a loop
	Sentences []Sentence `json:"findings"`

	Sources        []Source                  `json:"sources"` // cited ones first, in order of first citation
	Contradictions []loopstate.Contradiction `json:"contradictions"`
	Conflicts      []Conflict                `json:"conflicts"`
	CoverageGaps   []string                  `json:"coverage_gaps"` // required, even if empty
	OpenQuestions  []OpenQuestion            `json:"open_questions"`
	OpenGaps       []string                  `json:"open_gaps"`           // named by the host, still open
	NotTried       []string                  `json:"not_tried"`           // angles, times, kinds of source and languages that the log does not show
	Reviews        []Review                  `json:"reviews"`             // batches of second readers, in order
	OneSource      []string                  `json:"one_source"`          // claims with one weak source alone behind them
	Origins        int                       `json:"independent_origins"` // of the sources: copies of one text count once
	Unseen         string                    `json:"unseen,omitempty"`    // how much is probably not found yet, as a sentence
	Coverage       *loopstate.Coverage       `json:"coverage,omitempty"`  // the host's own judgement, the last one
	Rounds         []loopstate.Round         `json:"rounds"`
	Searches       []SearchCount             `json:"searches"`
	Decision       loopstate.Decision        `json:"decision"`
	Generator      string                    `json:"generator"` // "citeloop 0.1.0"
}

// Sentence is one sentence that claims something, with its verdict and its receipts.
type Sentence struct {
	ClaimID            string     `json:"claim_id,omitempty"`
	Text               string     `json:"claim"`
	Start              int        `json:"start"`           // code points in Document.Text; both 0 without a text
	End                int        `json:"end"`             // half open
	Status             string     `json:"status"`          // grounded, inferred, unsupported, uncited, or own
	Own                string     `json:"own,omitempty"`   // of an own statement: inference, absence or open
	Basis              string     `json:"basis"`           // what grounds it: wording or review; empty unless grounded
	State              string     `json:"state,omitempty"` // both in words; renderers fill it in
	Confidence         float64    `json:"confidence"`
	Because            string     `json:"because,omitempty"`
	Flags              []string   `json:"flags"`
	IndependentOrigins int        `json:"independent_origins"`
	Receipts           []Receipt  `json:"receipts"`
	Markers            []MarkerAt `json:"markers,omitempty"` // where in Text the citations are
	Part               int        `json:"-"`                 // index in Document.Parts

	Differences []citing.Difference `json:"differences"`       // where its sources say otherwise
	Reading     *loopstate.Reading  `json:"reading,omitempty"` // what a second reader answered
	Pending     bool                `json:"pending,omitempty"` // no second reader has read it yet
}

// Part is a file that was checked without a loop. Its page has neither rounds nor searches.
type Part struct {
	Name, Text string
	Summary    string   // the result of the check
	Notes      []string // findings that are on no sentence
}

// MarkerAt is a citation as it is written in the text.
type MarkerAt struct {
	Start    int    `json:"start"` // code points in Document.Text, half open
	End      int    `json:"end"`
	SourceID string `json:"source_id"` // "" when it leads nowhere
}

// Receipt proves a citation: which stretch of which stored text supports the sentence.
type Receipt struct {
	SourceID  string    `json:"source_id"`
	URL       string    `json:"url"`
	SHA256    string    `json:"sha256"` // of the whole stored text
	FetchedAt time.Time `json:"fetched_at"`
	Start     int       `json:"start"` // code points in the stored text, half open
	End       int       `json:"end"`
	Page      int       `json:"page,omitempty"`      // of a PDF, on which it begins: the file's pages, from 1
	LastPage  int       `json:"last_page,omitempty"` // on which it ends
	Passage   string    `json:"passage"`             // text[start:end]
	Before    string    `json:"before,omitempty"`
	After     string    `json:"after,omitempty"` // some sentences around it, for the reader: they touch the passage
	Quote     string    `json:"quote,omitempty"`
	Grade     string    `json:"quote_grade,omitempty"`
}

// Source is one source of the list at the end.
type Source struct {
	loopstate.Source
	Number int `json:"number"` // 1, 2, … in order of first citation; 0 when it was read but is not cited
	Claims int `json:"claims"` // sentences that cite it
}

// OpenQuestion is a gap that the sources cannot answer, and why.
type OpenQuestion struct {
	Question string `json:"question"`
	Why      string `json:"why"`
	Tried    string `json:"tried"` // "searched 4 channels 7 times: 5 empty, 2 blocked"
}

// Conflict is one quantity with two values in two sources.
type Conflict struct {
	Topic   string  `json:"topic"`
	A       Receipt `json:"a"`
	B       Receipt `json:"b"`
	ValueA  string  `json:"value_a"`
	ValueB  string  `json:"value_b"`
	Because string  `json:"because"`
}

// SearchCount says how often a channel was asked and what it answered, so that "nothing was found" and
// "could not look" are told apart.
type SearchCount struct {
	Channel  string         `json:"channel"`
	Searches int            `json:"searches"`
	Outcomes map[string]int `json:"outcomes"`
}
