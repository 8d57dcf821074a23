// Package report writes the report of a loop: as Markdown, as one self-contained HTML page, as JSON with receipts, as BibTeX, CSL-JSON
// and RIS, and the evidence table as Markdown and CSV. Each format is a function of a [Document].
//
// A Document becomes a view (what a report shows, in its order: the answer, what is doubtful in it, the sources, the history), and
// one renderer each for HTML and Markdown writes it. Both take the text apart with package draft.
package report

import (
	"time"

	"github.com/citeloop/citeloop/internal/verify/remark"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// Document has all data of a report.
type Document struct {
	Warning string `json:"warning,omitempty"` // on a draft; this and the summary are set for JSON
	Summary string `json:"summary"`

	StateID      string    `json:"state_id"`
	Query        string    `json:"query"`
	AsOf         string    `json:"as_of"` // YYYY-MM-DD
	GeneratedAt  time.Time `json:"generated_at"`
	Verdict      string    `json:"verdict"`    // pass, review or fail
	Unverified   bool      `json:"draft"`      // it failed the check and was requested anyway: every format is marked DRAFT
	Groundedness float64   `json:"confidence"` // the supported share of what was read
	Threshold    float64   `json:"threshold"`
	Read         int       `json:"read"` // sentences that a reader has judged; set for JSON
	Of           int       `json:"of"`   // of so many, without the author's own; set for JSON

	// Text is the host's final Markdown, or empty. Sentences are those of the text in order, or without one the recorded
	// claims.
	Text      string     `json:"text,omitempty"`
	Sentences []Sentence `json:"findings"`

	Sources        []Source            `json:"sources"` // cited ones first, in order of first citation
	Contradictions []Contradiction     `json:"contradictions"`
	Conflicts      []Contradiction     `json:"conflicts"`     // sentences that are equal but for one number
	CoverageGaps   []string            `json:"coverage_gaps"` // required, even if empty
	OpenQuestions  []OpenQuestion      `json:"open_questions"`
	OpenGaps       []string            `json:"open_gaps"`           // named by the host, still open
	NotTried       []string            `json:"not_tried"`           // angles, periods, source types and languages without a search
	Reviews        []loopstate.Review  `json:"-"`                   // batches of second readers, in order
	Origins        int                 `json:"independent_origins"` // of the sources: copies of one text count once
	Coverage       *loopstate.Coverage `json:"coverage,omitempty"`  // the host's last assessment
	Rounds         []loopstate.Round   `json:"rounds"`
	Searches       []SearchCount       `json:"searches"`
	Decision       wording.Decision    `json:"decision"`
	Import         *loopstate.Imported `json:"import,omitempty"` // the last import of the loop from an archive
	Generator      string              `json:"generator"`        // "citeloop 0.1.0"
}

// Sentence is a sentence that makes a claim, with its verdict and receipts.
type Sentence struct {
	ClaimID            string     `json:"claim_id,omitempty"`
	Text               string     `json:"claim"`
	Start              int        `json:"start"`                // code points in Document.Text; both 0 without a text
	End                int        `json:"end"`                  // half open
	Status             string     `json:"status"`               // grounded, inferred, unsupported, uncited, or own
	Own                string     `json:"own,omitempty"`        // of an own statement: inference, absence or open
	Basis              string     `json:"basis"`                // review; empty unless grounded
	Word               string     `json:"state,omitempty"`      // its state in words; set for JSON
	Confidence         float64    `json:"confidence,omitempty"` // of a read one: the reader's measured accuracy, a lower bound
	Because            string     `json:"because,omitempty"`
	Flags              []string   `json:"flags"`
	IndependentOrigins int        `json:"independent_origins"`
	Receipts           []Receipt  `json:"receipts"`
	Markers            []MarkerAt `json:"markers,omitempty"` // where in Text the citations are

	Verbatim bool               `json:"verbatim,omitempty"` // its words stand in the cited lines, which decides nothing
	Remarks  []remark.Remark    `json:"remarks,omitempty"`  // what the cited lines have otherwise, word by word
	Reading  *loopstate.Reading `json:"reading,omitempty"`  // answer of a second reader
	Pending  bool               `json:"pending,omitempty"`  // nobody has read it yet
}

// MarkerAt is a citation in the text.
type MarkerAt struct {
	Start    int    `json:"start"` // code points in Document.Text, half open
	End      int    `json:"end"`
	SourceID string `json:"source_id"`       // "" if unknown
	Lines    string `json:"lines,omitempty"` // of the source, as cited: "120-128,140"
	Label    string `json:"label,omitempty"` // as written, without brackets and lines: "S1", "7", "^note", "Smith 2020"
}

// Receipt is the evidence for a citation: the passage of a stored text that supports the sentence.
type Receipt struct {
	SourceID  string    `json:"source_id"`
	URL       string    `json:"url"`
	SHA256    string    `json:"sha256"` // of the whole stored text
	FetchedAt time.Time `json:"fetched_at"`
	Start     int       `json:"start"` // code points in the stored text, half open
	End       int       `json:"end"`
	Lines     string    `json:"lines,omitempty"`   // "120-128"
	Cited     string    `json:"cited,omitempty"`   // those of them that the author names
	Heading   string    `json:"heading,omitempty"` // the headings above it, and the introduction of its list or the header of its table
	Page      int       `json:"page,omitempty"`    // PDF page on which it begins, from 1
	Passage   string    `json:"passage"`           // text[start:end]
	Before    string    `json:"before,omitempty"`
	After     string    `json:"after,omitempty"` // the sentences next to the passage
	Quote     string    `json:"quote,omitempty"`
	Grade     string    `json:"quote_grade,omitempty"`
	Value     string    `json:"value,omitempty"` // the number that a side of a conflict has
}

// Source is one source of the list at the end.
type Source struct {
	loopstate.Source
	Number int `json:"number"` // 1, 2, … in order of first citation; 0 if not cited
}

// OpenQuestion is a gap that the sources cannot answer, with the reason.
type OpenQuestion struct {
	Question string `json:"question"`
	Why      string `json:"why"`
	Tried    string `json:"tried"` // "searched 4 channels 7 times: 5 empty, 2 blocked"
}

// Contradiction is a disagreement of sources, recorded or found, with the lines of those whose lines are known.
type Contradiction struct {
	loopstate.Contradiction
	Sides []Receipt `json:"sides,omitempty"`
}

// SearchCount counts the searches of a channel by outcome, to distinguish "nothing found" from "could not search".
type SearchCount struct {
	Channel  string         `json:"channel"`
	Searches int            `json:"searches"`
	Outcomes map[string]int `json:"outcomes"`
}
