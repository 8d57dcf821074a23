package loopstate

import (
	"encoding/json"
	"fmt"
	"time"
)

// State is a loop as its events left it. It is made by [Apply] alone. Lists are in the order of the log.
type State struct {
	Loop      string    `json:"state_id"`
	Owner     string    `json:"owner"`
	Seq       int64     `json:"version"` // the number of the last event
	StartedAt time.Time `json:"started_at"`
	UpdatedAt time.Time `json:"updated_at"`
	Stored    int64     `json:"stored_bytes"` // what the store keeps for it, see [Head]

	Query      string      `json:"query"`
	Rubrics    []string    `json:"rubrics"`
	Dimensions []Dimension `json:"dimensions"`
	Entity     *Entity     `json:"entity,omitempty"`
	Complexity string      `json:"complexity"`
	Budget     Budget      `json:"budget"`
	AsOf       string      `json:"as_of"`
	Complete   float64     `json:"coverage_threshold"` // the coverage at which the question counts as answered

	// Rules is the version of the decision rules that the loop follows; 0 is the first. Replaying an older loop gives
	// the decisions that it gave.
	Rules int `json:"rules,omitempty"`

	Round           int      `json:"round"` // rounds closed so far; the one under way is Round+1
	Rounds          []Round  `json:"rounds"`
	SignOffs        int      `json:"signoffs"` // consecutive
	Usage           Usage    `json:"usage"`
	Answers         Answered `json:"answers,omitzero"` // of the closed rounds
	ConfirmedRounds int      `json:"confirmed_rounds,omitempty"`
	Escalated       bool     `json:"escalated,omitempty"` // five rounds instead of three
	Abort           string   `json:"abort,omitempty"`     // why the user aborted

	Gaps           []Gap           `json:"gaps"`
	Evidence       []Evidence      `json:"evidence"`
	Sources        []Source        `json:"sources"`
	Claims         []Claim         `json:"claims"`
	Drafted        []string        `json:"drafted,omitempty"` // ids of the claims that the last verified draft states
	Contradictions []Contradiction `json:"contradictions"`
	Questions      []string        `json:"all_questions"` // every query asked, once each
	Searches       []Search        `json:"searches"`
	LookedFor      int             `json:"looked_for"` // different queries that some channel was able to look for
	Visited        []string        `json:"visited_urls"`
	Bad            []BadURL        `json:"bad_urls"`

	Shown map[string]Spans `json:"shown,omitempty"` // the read ledger: source id -> what of its text was shown

	Candidates []ReviewCandidate  `json:"review_candidates,omitempty"`
	Reviews    []Review           `json:"reviews,omitempty"`
	Readings   map[string]Reading `json:"readings,omitempty"` // review key -> what a believed reader said

	Failures      []string      `json:"evaluator_failures"`
	FailuresRound int           `json:"failures_round,omitempty"` // the round they were reported in
	Coverage      *Coverage     `json:"coverage,omitempty"`
	Synthesis     string        `json:"synthesis_sha256,omitempty"`
	SynthesisLen  int           `json:"synthesis_chars,omitempty"`
	Verification  *Verification `json:"verification,omitempty"` // the last one
	LastGaps      string        `json:"last_gaps,omitempty"`    // the material gaps at the end of the last round
	SameGaps      int           `json:"same_gaps,omitempty"`    // rounds in a row that ended with the same ones

	Open roundSoFar       `json:"open"`
	Ops  map[string]int64 `json:"ops"` // operation id -> the event it appended

	index index
}

// Search is one line of the search log: who asked what, where, in which round, and what came of it.
type Search struct {
	Round    int             `json:"round"`
	At       time.Time       `json:"at"`
	Query    string          `json:"query"`
	Sent     string          `json:"sent,omitempty"` // as the channels were asked, where the date was added
	Angle    string          `json:"angle,omitempty"`
	Gap      string          `json:"gap_id,omitempty"` // the gap it was made for
	Since    string          `json:"since,omitempty"`
	Until    string          `json:"until,omitempty"`
	Language string          `json:"language,omitempty"`
	Channels []SearchOutcome `json:"channels"`
	New      int             `json:"new"`
	Rejected int             `json:"rejected,omitempty"` // hits that were not kept
	TookMS   int64           `json:"took_ms"`
}

// Verification is the outcome of one verification.
type Verification struct {
	Cycle        int     `json:"cycle"`
	Seq          int64   `json:"version"`
	Round        int     `json:"round"`
	Verdict      string  `json:"verdict"`
	Groundedness float64 `json:"groundedness"`
	Checked      int     `json:"checked"`
	Hallucinated int     `json:"hallucinated"`
}

// roundSoFar counts what the round under way has brought.
type roundSoFar struct {
	StartedAt time.Time `json:"started_at"`
	Evidence  int       `json:"evidence"`
	Sources   int       `json:"sources"`
	Searches  int       `json:"searches"`
	Usage     Usage     `json:"usage"`
}

// FoldVersion changes whenever Apply would make another state of the same events; snapshots of other
// versions are ignored.
const FoldVersion = 10

// MarshalSnapshot writes the state for [Store.PutSnapshot].
func (s *State) MarshalSnapshot() ([]byte, error) { return json.Marshal(s) }

// UnmarshalSnapshot reads what MarshalSnapshot wrote.
func UnmarshalSnapshot(data []byte) (*State, error) {
	var s State
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("loopstate: a snapshot is damaged: %w", err)
	}
	s.reindex()
	return &s, nil
}

// OpenGaps are the open gaps, the one to pursue first.
func (s *State) OpenGaps() []Gap { return s.GapsWith(GapOpen) }

// GapsWith are the gaps of one status ("" or "all" for any), the one to pursue first.
func (s *State) GapsWith(status string) []Gap {
	gaps := make([]Gap, 0, len(s.Gaps))
	for _, g := range s.Gaps {
		if status == "" || status == "all" || g.Status == status {
			gaps = append(gaps, g)
		}
	}
	sortGaps(gaps)
	return gaps
}

// MaterialGaps are the open gaps that would change a claim.
func (s *State) MaterialGaps() []Gap {
	gaps := s.OpenGaps()
	for i, g := range gaps {
		if !g.Material { // material ones come first
			return gaps[:i]
		}
	}
	return gaps
}

// Target is the one gap to pursue: the first of the material ones (research-synthesis-loop: one focused
// expansion a round).
func (s *State) Target() (Gap, bool) {
	if gaps := s.MaterialGaps(); len(gaps) > 0 {
		return gaps[0], true
	}
	return Gap{}, false
}

// Status of a loop in one word.
const (
	StatusRunning  = "running"
	StatusFinished = "finished" // the decision is to finalise
	StatusAborted  = "aborted"
)

// Status says in one word how the loop stands.
func (s *State) Status() string {
	switch {
	case s.Abort != "":
		return StatusAborted
	case Decide(s).NextAction == Finalize:
		return StatusFinished
	}
	return StatusRunning
}

// Head is the summary that the store lists.
func (s *State) Head() Head {
	return Head{Loop: s.Loop, Owner: s.Owner, Seq: s.Seq, Query: clip(s.Query, 300), Round: s.Round, Status: s.Status(), UpdatedAt: s.UpdatedAt, Stored: s.Stored}
}
