// Package report writes the report of a loop as Markdown, as one self-contained HTML page, as BibTeX, CSL-JSON, RIS, or
// JSON with receipts; the table of a comparison as Markdown or CSV. Each format is a function of a [Document], so that a document stored as JSON can be rendered again.
//
// A Document becomes facts (the document with the values that formats share), facts become a view (what a report shows: its head
// and a list of sections, each with what it holds), and a template for each of the page and Markdown writes the view. The package
// has more than 4,000 lines because all of them know the Document; what does not is in the packages below: bibliography, drawing,
// markup, messages, stored, style and table.
package report

import (
	"time"

	"github.com/citeloop/citeloop/internal/report/table"
	"github.com/citeloop/citeloop/internal/verify/remark"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// Document has all data of a report.
type Document struct {
	StateID      string    `json:"state_id"`
	Query        string    `json:"query"`
	AsOf         string    `json:"as_of"` // YYYY-MM-DD
	GeneratedAt  time.Time `json:"generated_at"`
	Verdict      string    `json:"verdict"`    // pass, review or fail
	Unverified   bool      `json:"draft"`      // it failed the check and was requested anyway: every format is marked DRAFT
	Groundedness float64   `json:"confidence"` // the supported share of what was read
	Threshold    float64   `json:"threshold"`
	Read         int       `json:"read"`                // sentences that a reader has judged; set by renderers
	Of           int       `json:"of"`                  // of so many, without the author's own
	ToRead       int       `json:"to_read,omitempty"`   // that the plan still wants read
	Sample       *Sample   `json:"sample,omitempty"`    // what the readings tell about the rest, once the plan is carried out
	Statement    string    `json:"statement,omitempty"` // the same in words; set by renderers

	// Text is the host's final Markdown, or empty. Sentences are those of the text in order, or without one the recorded
	// claims.
	Text      string     `json:"text,omitempty"`
	Parts     []Part     `json:"-"` // instead of Text: the files of a check without a loop
	Sentences []Sentence `json:"findings"`

	Sources        []Source                  `json:"sources"` // cited ones first, in order of first citation
	Contradictions []loopstate.Contradiction `json:"contradictions"`
	Conflicts      []Conflict                `json:"conflicts"`
	CoverageGaps   []string                  `json:"coverage_gaps"` // required, even if empty
	OpenQuestions  []OpenQuestion            `json:"open_questions"`
	OpenGaps       []string                  `json:"open_gaps"`           // named by the host, still open
	NotTried       []string                  `json:"not_tried"`           // angles, periods, source types and languages without a search
	Reviews        []Review                  `json:"reviews"`             // batches of second readers, in order
	OneSource      []string                  `json:"one_source"`          // claims that rest on one weak source
	Origins        int                       `json:"independent_origins"` // of the sources: copies of one text count once
	Coverage       *loopstate.Coverage       `json:"coverage,omitempty"`  // the host's last assessment
	Rounds         []loopstate.Round         `json:"rounds"`
	Searches       []SearchCount             `json:"searches"`
	Decision       wording.Decision          `json:"decision"`
	Table          *table.Table              `json:"table,omitempty"`  // nil if no claim fills a cell
	Import         *loopstate.Import         `json:"import,omitempty"` // the last import of the loop from an archive
	Generator      string                    `json:"generator"`        // "citeloop 0.1.0"
}

// Sample says what a random sample tells about the sentences that nobody has read.
type Sample struct {
	Unread    int     `json:"unread"`
	Drawn     int     `json:"drawn"` // at random, and read
	Supported int     `json:"supported"`
	AtMost    float64 `json:"at_most"` // share of Unread that is unsupported at most, with 95 % confidence
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
	State              string     `json:"state,omitempty"`      // both in words; set by renderers
	Confidence         float64    `json:"confidence,omitempty"` // of a read one: the reader's measured accuracy, a lower bound
	Because            string     `json:"because,omitempty"`
	Flags              []string   `json:"flags"`
	IndependentOrigins int        `json:"independent_origins"`
	Receipts           []Receipt  `json:"receipts"`
	Markers            []MarkerAt `json:"markers,omitempty"` // where in Text the citations are
	Part               int        `json:"-"`                 // index in Document.Parts

	Verbatim bool               `json:"verbatim,omitempty"` // its words stand in the cited lines, which decides nothing
	Remarks  []remark.Remark    `json:"-"`                  // what the cited lines have otherwise, word by word
	Noted    []Noted            `json:"remarks,omitempty"`  // Remarks as a document stores them; set by renderers
	Reading  *loopstate.Reading `json:"reading,omitempty"`  // answer of a second reader
	Pending  bool               `json:"pending,omitempty"`  // nobody has read it yet

	ByHost bool `json:"-"` // the host itself was the second reader; set by renderers

	Lang string `json:"-"` // of the report; set by renderers
}

// Noted is a remark in words.
type Noted struct {
	Kind     string `json:"kind"`
	Remark   string `json:"remark"`
	SourceID string `json:"source_id"`
	Line     int    `json:"line"`
	Start    int    `json:"start"` // code points in the stored text
	End      int    `json:"end"`
}

// Part is a file that was checked without a loop.
type Part struct {
	Name, Text string
	Summary    string   // the result of the check
	Notes      []string // findings without a sentence
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
	Lines     string    `json:"lines,omitempty"`     // "120-128"
	Cited     string    `json:"cited,omitempty"`     // those of them that the author names
	Heading   string    `json:"heading,omitempty"`   // the headings above it, and the introduction of its list or the header of its table
	Page      int       `json:"page,omitempty"`      // PDF page on which it begins, from 1
	LastPage  int       `json:"last_page,omitempty"` // on which it ends
	Passage   string    `json:"passage"`             // text[start:end]
	Before    string    `json:"before,omitempty"`
	After     string    `json:"after,omitempty"` // the sentences next to the passage
	Quote     string    `json:"quote,omitempty"`
	Grade     string    `json:"quote_grade,omitempty"`
}

// Source is one source of the list at the end.
type Source struct {
	loopstate.Source
	Number int  `json:"number"` // 1, 2, … in order of first citation; 0 if not cited
	Claims int  `json:"claims"` // sentences that cite it
	ByID   bool `json:"-"`      // the text cites it by its id; set by renderers

	own string // the author's label for it
}

// OpenQuestion is a gap that the sources cannot answer, with the reason.
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

// SearchCount counts the searches of a channel by outcome, to distinguish "nothing found" from "could not search".
type SearchCount struct {
	Channel  string         `json:"channel"`
	Searches int            `json:"searches"`
	Outcomes map[string]int `json:"outcomes"`
}

// Review is one batch for second readers, with its result.
type Review struct {
	Batch    string             `json:"batch"`
	Status   string             `json:"status"` // open, counted or void
	OpenedAt time.Time          `json:"opened_at"`
	ClosedAt time.Time          `json:"closed_at,omitzero"`
	Readers  []loopstate.Reader `json:"readers"`
	Planted  Planted            `json:"planted"`
	Controls Controls           `json:"controls"`
	Items    []Reviewed         `json:"items"` // items and answers; empty while the batch is open
}

// Planted counts the planted errors of a batch.
type Planted struct {
	N      int `json:"n"`
	Caught int `json:"caught"`
}

// Controls counts the true restatements of a batch.
type Controls struct {
	N      int `json:"n"`
	Passed int `json:"passed"`
}

// Reviewed is one item of a closed batch with its answer.
type Reviewed struct {
	loopstate.ReviewItem
	Answer string `json:"answer"`
	Quote  string `json:"quote,omitempty"`
	Found  bool   `json:"quote_found"` // the quote is in the passages
}

// EachAddress calls change with every address and title of a source in the document. A title may be an address.
func (d *Document) EachAddress(change func(*string)) {
	for i := range d.Sources {
		src := &d.Sources[i]
		for _, s := range []*string{&src.Key, &src.URL, &src.FinalURL, &src.Title} {
			change(s)
		}
	}
	for i := range d.Sentences {
		for j := range d.Sentences[i].Receipts {
			change(&d.Sentences[i].Receipts[j].URL)
		}
	}
}
