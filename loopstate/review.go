package loopstate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Roles of the items of a review batch. They are hidden from the reader.
const (
	ReviewPending = "pending" // a claim that the wording check could not decide
	ReviewPlanted = "planted" // false by construction
	ReviewControl = "control" // true by construction
)

// Answers of a reader: whether the passages support the claim.
const (
	AnswerSupported    = "supported"
	AnswerPartly       = "partly"
	AnswerContradicted = "contradicted"
	AnswerNotStated    = "not_stated"
)

// ReviewAnswers lists all answers.
func ReviewAnswers() []string {
	return []string{AnswerSupported, AnswerPartly, AnswerContradicted, AnswerNotStated}
}

// Statuses of a batch.
const (
	BatchOpen    = "open"    // some items are unanswered
	BatchCounted = "counted" // the referee accepted the answers
	BatchVoid    = "void"    // the referee rejected the answers: nothing changed
)

// MaxReviewItems bounds a batch.
const MaxReviewItems = 40

// ReviewCandidate is a sentence for a second reader, with the result of its last verification: a claim of the loop, or a
// sentence of a draft.
type ReviewCandidate struct {
	Key       string   `json:"key"` // see ReviewKey
	Claim     string   `json:"claim"`
	SourceIDs []string `json:"source_ids"`
	Status    string   `json:"status"` // by the wording check
	Quoted    bool     `json:"quoted,omitempty"`
	Draft     bool     `json:"draft,omitempty"`
	// Passages are what the reader judges the claim by. Front puts the claim before others: it has a remark, or names no lines.
	Passages []ReviewWindow `json:"passages,omitempty"`
	Front    bool           `json:"front,omitempty"`
}

// ReviewKey identifies a reader's task: the sentence, and the texts and quotes that it cites. One reading holds for all
// verifications with the same key.
func ReviewKey(claim string, textHashes, quotes []string) string {
	h := sha256.New()
	fmt.Fprint(h, foldClaim(claim))
	for _, list := range [][]string{textHashes, quotes} {
		for _, s := range slices.Compact(slices.Sorted(slices.Values(list))) {
			fmt.Fprintf(h, "%s\x01", s)
		}
		fmt.Fprint(h, "\x00")
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// ReviewItem is one item of a batch.
type ReviewItem struct {
	Item     string         `json:"item"` // R1-1, R1-2, …
	Role     string         `json:"role"`
	Key      string         `json:"key,omitempty"`  // of the candidate
	Kind     string         `json:"kind,omitempty"` // of a planted error: what was changed
	Claim    string         `json:"claim"`
	Base     string         `json:"base,omitempty"` // the true sentence behind a planted error or control
	Passages []ReviewWindow `json:"passages"`
}

// ReviewWindow is the part [Start, End) of a stored text, in code points, that a reader sees, with the heading above it. The log has
// none of its text.
type ReviewWindow struct {
	SourceID string `json:"source_id"`
	Lines    string `json:"lines,omitempty"` // "120-128"
	Heading  string `json:"heading,omitempty"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Text     string `json:"text,omitempty"`
}

// Within reports whether all of a window is in another one.
func (w ReviewWindow) Within(o ReviewWindow) bool {
	return o.SourceID == w.SourceID && o.Start <= w.Start && w.End <= o.End
}

// ReviewAnswer is a reader's unchanged answer to one item. Found tells whether the quote is in the item's passages; without
// a found quote, any answer but supported counts as not_stated.
type ReviewAnswer struct {
	Item   string `json:"item"`
	Answer string `json:"answer"`
	Quote  string `json:"quote,omitempty"`
	Found  bool   `json:"quote_found,omitempty"`
}

// misquotes reports whether the answer quotes words that the reader was not shown.
func (a ReviewAnswer) misquotes() bool {
	return a.Answer != AnswerNotStated && a.Quote != "" && !a.Found
}

// Counts returns the answer that the referee counts. Supported needs no quote.
func (a ReviewAnswer) Counts() string {
	if a.Answer != AnswerNotStated && !a.Found && !(a.Answer == AnswerSupported && a.Quote == "") {
		return AnswerNotStated
	}
	return a.Answer
}

// Reader identifies a reader.
type Reader struct {
	Kind string `json:"kind"` // host, subagent, endpoint, person or assistant
	Name string `json:"name,omitempty"`
}

// String names the reader: "endpoint gpt-x", "host"; empty for an unknown one.
func (r Reader) String() string { return strings.TrimSpace(r.Kind + " " + r.Name) }

// Tally counts planted errors caught, or controls passed.
type Tally struct {
	N    int `json:"n"`
	Good int `json:"good"`
}

func (t *Tally) count(good bool) {
	if t.N++; good {
		t.Good++
	}
}

// Enough reports whether at most one in six, rounded up, was missed, and none of fewer than three. Without tests there is nothing to miss.
func (t Tally) Enough() bool {
	const few, forgiven = 3, 6
	if t.N < few {
		return t.Good == t.N
	}
	return t.N-t.Good <= (t.N+forgiven-1)/forgiven
}

// Review is one batch.
type Review struct {
	Batch    string                  `json:"batch"`
	Seed     string                  `json:"seed"`
	Status   string                  `json:"status"`
	OpenedAt time.Time               `json:"opened_at"`
	ClosedAt time.Time               `json:"closed_at,omitzero"`
	Items    []ReviewItem            `json:"items"`
	Answers  map[string]ReviewAnswer `json:"answers,omitempty"` // item -> its first answer
	Refused  map[string]bool         `json:"refused,omitempty"` // items whose first quote was refused
	Readers  []Reader                `json:"readers,omitempty"` // in the order of their first answer
	Planted  Tally                   `json:"planted"`
	Controls Tally                   `json:"controls"`
}

// Left returns the unanswered items.
func (r *Review) Left() []ReviewItem {
	return keep(r.Items, func(it ReviewItem) bool { _, answered := r.Answers[it.Item]; return !answered })
}

// Reading is an accepted answer about a sentence. Loop is set in logs of older versions: the loop of the batch, if it is another one.
type Reading struct {
	Loop   string `json:"state_id,omitempty"`
	Batch  string `json:"batch"`
	Item   string `json:"item"`
	Answer string `json:"answer"` // as counted
	Quote  string `json:"quote,omitempty"`

	Reader   Reader `json:"reader,omitzero"`    // who read
	Imported bool   `json:"imported,omitempty"` // from the log of an archive; see FlagImported
}

// Referee counts the planted errors that answers catch and the controls that they pass, and returns the status of the
// batch. Any answer but supported catches a planted error; only supported passes a control.
func Referee(items []ReviewItem, answers map[string]ReviewAnswer) (planted, controls Tally, status string) {
	void := false
	for _, it := range items {
		a, ok := answers[it.Item]
		if !ok {
			status = BatchOpen
		}
		switch it.Role {
		case "": // of an imported batch, whose tests nobody knows
			void = true
		case ReviewPlanted:
			planted.count(ok && a.Counts() != AnswerSupported)
		case ReviewControl:
			controls.count(ok && a.Counts() == AnswerSupported)
		}
	}
	if status == "" {
		if status = BatchCounted; void || !planted.Enough() || !controls.Enough() {
			status = BatchVoid
		}
	}
	return planted, controls, status
}

// AfterReading returns the status of a claim after a reading.
func AfterReading(answer string) string {
	return cmp.Or(map[string]string{AnswerSupported: Grounded, AnswerPartly: Inferred}[answer], Unsupported)
}

// PendingReviews returns the candidates that nobody has read: inferred ones first, then unsupported ones, whose status may be wrong.
func (s *State) PendingReviews() []ReviewCandidate {
	of := func(status string) []ReviewCandidate {
		return keep(s.Candidates, func(c ReviewCandidate) bool { _, read := s.Readings[c.Key]; return !read && c.Status == status })
	}
	return append(of(Inferred), of(Unsupported)...)
}

// Review returns the batch with an id, the open one for "", or nil.
func (s *State) Review(batch string) *Review {
	i := slices.IndexFunc(s.Reviews, func(r Review) bool { return r.Batch == batch || batch == "" && r.Status == BatchOpen })
	if i < 0 {
		return nil
	}
	return &s.Reviews[i]
}
