package loopstate

import (
	"encoding/json"
	"fmt"
	"time"
)

// Event kinds. One call of a tool is one event: a single row is cheaper to write than normalised tables
// and cannot be half there.
const (
	KindStarted  = "loop.started"
	KindUpdated  = "loop.updated"
	KindGapAdded = "gap.added"
	KindSearched = "search.done"
	KindRead     = "sources.read"
	KindShown    = "texts.shown"
	KindVerified = "claims.verified"
	KindClosed   = "round.closed"

	KindReviewOpened   = "review.opened"
	KindReviewAnswered = "review.answered"
)

// Payload is what one kind of event carries. Ids are in the payload, minted by the step that made it;
// the fold never draws one.
type Payload interface{ kind() string }

// Started begins a loop.
type Started struct {
	Owner      string      `json:"owner"`
	Query      string      `json:"query"`
	Rubrics    []string    `json:"rubrics,omitempty"`
	Dimensions []Dimension `json:"dimensions,omitempty"`
	Entity     *Entity     `json:"entity,omitempty"`
	Complexity string      `json:"complexity"`
	Budget     Budget      `json:"budget"`
	AsOf       string      `json:"as_of"` // YYYY-MM-DD: the date the answer is for
	Complete   float64     `json:"coverage_threshold,omitempty"`
	Gaps       []Gap       `json:"gaps,omitempty"`
	Readings   []string    `json:"readings,omitempty"` // what the question may mean, when it was vague
	AskedAs    string      `json:"asked_as,omitempty"` // the question as it was put, when the user chose what is meant
	Rules      int         `json:"rules,omitempty"`    // see [State.Rules]
}

// Updated is what a host reports between rounds.
type Updated struct {
	Query          string          `json:"query,omitempty"`
	Channel        string          `json:"channel,omitempty"`
	Evidence       []Evidence      `json:"evidence,omitempty"` // the new ones, ids minted
	Duplicates     []string        `json:"duplicates,omitempty"`
	Again          []string        `json:"again,omitempty"` // their evidence ids
	Rejected       []Rejected      `json:"rejected,omitempty"`
	Visited        []string        `json:"visited,omitempty"`
	Bad            []BadURL        `json:"bad,omitempty"`
	Answered       []string        `json:"answered,omitempty"` // gap ids
	ClosedGaps     []ClosedGap     `json:"closed_gaps,omitempty"`
	Claims         []Claim         `json:"claims,omitempty"`
	Restated       []string        `json:"restated,omitempty"`  // ids of superseded claims that the host makes again
	Retracted      []string        `json:"retracted,omitempty"` // claim ids
	Contradictions []Contradiction `json:"contradictions,omitempty"`
	Failures       []string        `json:"failures,omitempty"`
	Usage          Usage           `json:"usage,omitzero"`
	Abort          string          `json:"abort,omitempty"` // the reason, when the user aborts
	ConfirmRounds  int             `json:"confirm_rounds,omitempty"`
}

// ClosedGap is a gap that a person closed between rounds, with their why.
type ClosedGap struct {
	GapID  string `json:"gap_id"`
	Status string `json:"status"` // GapAnswered or GapUnanswerable
	Why    string `json:"why"`
}

// Rejected is an item of a call that was not taken, and why.
type Rejected struct {
	Item string `json:"item"`
	Why  string `json:"why"`
}

// GapAdded is one more gap.
type GapAdded struct {
	Gap Gap `json:"gap"`
}

// Searched is one search over one or more channels.
type Searched struct {
	Query    string          `json:"query"`          // as the host asked
	Sent     string          `json:"sent,omitempty"` // as the channels were asked, where the date was added
	Angle    string          `json:"angle,omitempty"`
	Since    string          `json:"since,omitempty"` // YYYY, YYYY-MM or YYYY-MM-DD
	Until    string          `json:"until,omitempty"`
	Language string          `json:"language,omitempty"`
	Channels []SearchOutcome `json:"channels"`
	Evidence []Evidence      `json:"evidence,omitempty"` // the new ones, ids minted
	Again    []string        `json:"again,omitempty"`    // ids of the hits that the loop had
	Hits     int             `json:"hits"`               // all, new or not
	Rejected []Rejected      `json:"rejected,omitempty"` // hits that were not kept
	TookMS   int64           `json:"took_ms"`
}

// SearchOutcome is what one channel answered. Status is the channel's typed outcome: "empty" means that it
// looked and found nothing, "blocked" or "unavailable" that it could not look.
type SearchOutcome struct {
	Channel string `json:"channel"`
	Status  string `json:"status"`
	Count   int    `json:"count"`
	TookMS  int64  `json:"took_ms"`
	Message string `json:"message,omitempty"`
}

// Read is what a fetch brought: texts that are kept, addresses that gave none, and what its answer shows of texts.
type Read struct {
	Sources []Source    `json:"sources,omitempty"`
	Visited []string    `json:"visited,omitempty"`
	Bad     []BadURL    `json:"bad,omitempty"`
	Shown   []ShownText `json:"shown,omitempty"` // of these sources, and of others that the loop had

	TextBytes int64 `json:"text_bytes,omitempty"` // of the texts and bodies that the loop did not keep before
}

// Shown is what an answer shows of texts that the loop had.
type Shown struct {
	Shown []ShownText `json:"shown"`
}

// Verified is one verification of claims against the kept texts.
type Verified struct {
	Cycle        int            `json:"cycle"`
	Verdict      string         `json:"verdict"` // pass or fail
	Groundedness float64        `json:"groundedness"`
	Threshold    float64        `json:"threshold"`
	Claims       []Claim        `json:"claims,omitempty"` // new ones, ids minted
	Checks       []CheckOf      `json:"checks"`
	Hallucinated []Hallucinated `json:"hallucinated,omitempty"`
	Uncited      int            `json:"uncited,omitempty"` // claims without any citation

	Candidates []ReviewCandidate `json:"candidates,omitempty"` // for a second reader

	Draft      bool               `json:"draft,omitempty"`
	Stated     []string           `json:"stated,omitempty"`     // ids of the recorded claims that the draft states
	Superseded []string           `json:"superseded,omitempty"` // ids of those that only the draft before it stated, or that a checked claim corrects
	Usage      Usage              `json:"usage,omitzero"`       // of the judge, where one was asked
	Readings   map[string]Reading `json:"readings,omitempty"`   // review key -> what a believed reader said in another loop of the owner
}

// CheckOf is the check of one claim.
type CheckOf struct {
	ClaimID string     `json:"claim_id"`
	Check   ClaimCheck `json:"check"`
}

// Hallucinated is a citation of something that was never read.
type Hallucinated struct {
	Claim    string `json:"claim"`
	Citation string `json:"citation"`
	Why      string `json:"why"`
}

// Closed ends a round.
type Closed struct {
	Gaps           []Gap          `json:"gaps,omitempty"`    // new ones, with their ids
	Changed        []Gap          `json:"changed,omitempty"` // debts, as they are from now on
	Answered       []string       `json:"answered,omitempty"`
	OpenQuestions  []OpenQuestion `json:"open_questions,omitempty"`
	SignOff        bool           `json:"signoff"` // as the host said
	Coverage       *Coverage      `json:"coverage,omitempty"`
	Failures       []string       `json:"failures,omitempty"`
	SynthesisLen   int            `json:"synthesis_chars,omitempty"`
	Synthesis      string         `json:"synthesis_sha256,omitempty"` // where the text is kept
	SynthesisBytes int64          `json:"synthesis_bytes,omitempty"`
	Absence        float64        `json:"absence_share,omitempty"` // of the synthesis' sentences that say that something was not found
	Rejected       []Rejected     `json:"rejected,omitempty"`
	Answers        Answered       `json:"answers,omitzero"` // of the calls since the last round closed
}

// OpenQuestion is a gap that the available sources cannot close, and why.
type OpenQuestion struct {
	GapID string `json:"gap_id"`
	Why   string `json:"why"`
}

func (Started) kind() string  { return KindStarted }
func (Updated) kind() string  { return KindUpdated }
func (GapAdded) kind() string { return KindGapAdded }
func (Searched) kind() string { return KindSearched }
func (Read) kind() string     { return KindRead }
func (Shown) kind() string    { return KindShown }
func (Verified) kind() string { return KindVerified }
func (Closed) kind() string   { return KindClosed }

func (ReviewOpened) kind() string   { return KindReviewOpened }
func (ReviewAnswered) kind() string { return KindReviewAnswered }

// newPayload makes the empty payload of each kind. A new kind of event needs its constant, its payload type, a line
// here and a case in [Apply]; an older version skips its events.
var newPayload = map[string]func() any{
	KindStarted:  func() any { return new(Started) },
	KindUpdated:  func() any { return new(Updated) },
	KindGapAdded: func() any { return new(GapAdded) },
	KindSearched: func() any { return new(Searched) },
	KindRead:     func() any { return new(Read) },
	KindShown:    func() any { return new(Shown) },
	KindVerified: func() any { return new(Verified) },
	KindClosed:   func() any { return new(Closed) },

	KindReviewOpened:   func() any { return new(ReviewOpened) },
	KindReviewAnswered: func() any { return new(ReviewAnswered) },
}

// payloadVersion is the format of all payloads. When one changes, Decode upcasts the old ones. Since 2, a fetch
// says what its answer showed; since 3, how many bytes the texts have that an event brings.
const payloadVersion = 3

// NewEvent wraps what a step made. seq is the number it gets in its loop, op the operation it belongs to.
func NewEvent(loop string, seq int64, at time.Time, op string, p Payload) (Event, error) {
	data, err := json.Marshal(p)
	if err != nil {
		return Event{}, fmt.Errorf("loopstate: encoding a %s event: %w", p.kind(), err)
	}
	return Event{Loop: loop, Seq: seq, At: at.UTC(), Kind: p.kind(), Version: payloadVersion, Op: op, Data: data}, nil
}

// Decode reads the payload of an event: a pointer to one of the payload types, or nil for a kind that this
// version does not know, written by a newer one.
func Decode(e Event) (any, error) {
	known, ok := newPayload[e.Kind]
	if !ok {
		return nil, nil
	}
	p := known()
	if err := json.Unmarshal(e.Data, p); err != nil {
		return nil, fmt.Errorf("loopstate: event %d of loop %s (%s) is damaged: %w", e.Seq, e.Loop, e.Kind, err)
	}
	switch p := p.(type) {
	case *Read:
		if e.Version < 2 {
			p.Shown = allShown(p.Sources)
		}
		if e.Version < 3 {
			p.TextBytes = textsBefore(p.Sources)
		}
	case *Closed:
		if e.Version < 3 {
			p.SynthesisBytes = int64(p.SynthesisLen)
		}
	}
	return p, nil
}
