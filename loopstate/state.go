package loopstate

import (
	"encoding/json"
	"fmt"
	"time"
)

// State is the fold of a loop's events. Only [Apply] changes it. Lists are in the order of the log.
type State struct {
	Loop      string    `json:"state_id"`
	Owner     string    `json:"owner"`
	Seq       int64     `json:"version"` // the number of the last event
	StartedAt time.Time `json:"started_at"`
	UpdatedAt time.Time `json:"updated_at"`
	Stored    int64     `json:"stored_bytes"` // see [Head.Stored]

	Query      string      `json:"query"`
	Rubrics    []string    `json:"rubrics"`
	Dimensions []Dimension `json:"dimensions"`
	Entity     *Entity     `json:"entity,omitempty"`
	Complexity string      `json:"complexity"`
	Budget     Budget      `json:"budget"`
	AsOf       string      `json:"as_of"`
	Complete   float64     `json:"coverage_threshold"` // the coverage at which the question counts as answered

	Round           int      `json:"round"` // number of closed rounds; the open one is Round+1
	Rounds          []Round  `json:"rounds"`
	SignOffs        int      `json:"signoffs"` // consecutive
	Usage           Usage    `json:"usage"`
	Answers         Answered `json:"answers,omitzero"` // of the closed rounds and of ended processes
	ConfirmedRounds int      `json:"confirmed_rounds,omitempty"`
	Escalated       bool     `json:"escalated,omitempty"` // five rounds instead of three
	Abort           string   `json:"abort,omitempty"`     // why the user aborted

	Import *Import `json:"imported,omitempty"`

	Gaps           []Gap           `json:"gaps"`
	Evidence       []Evidence      `json:"evidence"`
	Sources        []Source        `json:"sources"`
	Claims         []Claim         `json:"claims"`
	Drafted        []string        `json:"drafted,omitempty"` // ids of the claims that the last verified draft states
	Draft          *Draft          `json:"draft,omitempty"`
	Scratch        *Scratch        `json:"scratch,omitempty"`
	Checked        *Checked        `json:"checked,omitempty"`
	Critics        []CriticReading `json:"critics,omitempty"`
	Points         []Point         `json:"points,omitempty"`          // of all critics
	CriticDeclined string          `json:"critic_declined,omitempty"` // why the user wants no critic
	Contradictions []Contradiction `json:"contradictions"`
	Questions      []string        `json:"all_questions"` // every query, once each
	Searches       []Search        `json:"searches"`
	LookedFor      int             `json:"looked_for"` // number of different queries that some channel could search for
	Visited        []string        `json:"visited_urls"`
	Bad            []BadURL        `json:"bad_urls"`

	Shown map[string]Spans `json:"shown,omitempty"` // the read ledger: source id -> shown parts of its text

	Candidates []ReviewCandidate  `json:"review_candidates,omitempty"`
	Reviews    []Review           `json:"reviews,omitempty"`
	Readings   map[string]Reading `json:"readings,omitempty"` // by review key
	// FirstLooks are readings that did not support their claims, which a second look follows.
	FirstLooks map[string]FirstLook `json:"first_looks,omitempty"`

	Failures      []string      `json:"evaluator_failures"`
	FailuresRound int           `json:"failures_round,omitempty"` // the round they were reported in
	Coverage      *Coverage     `json:"coverage,omitempty"`
	Synthesis     string        `json:"synthesis_sha256,omitempty"`
	SynthesisLen  int           `json:"synthesis_chars,omitempty"`
	Verification  *Verification `json:"verification,omitempty"` // the last one
	LastGaps      string        `json:"last_gaps,omitempty"`    // ids of the material gaps at the end of the last round
	SameGaps      int           `json:"same_gaps,omitempty"`    // consecutive rounds that did not change them

	Open roundSoFar       `json:"open"`
	Ops  map[string]int64 `json:"ops"` // operation id -> the event it appended

	index index
}

// Search is one entry of the search log.
type Search struct {
	Round    int             `json:"round"`
	At       time.Time       `json:"at"`
	Query    string          `json:"query"`
	Sent     string          `json:"sent,omitempty"` // the query with the date added, if it was
	Angle    string          `json:"angle,omitempty"`
	Gap      string          `json:"gap_id,omitempty"` // the gap that it was for
	Since    string          `json:"since,omitempty"`
	Until    string          `json:"until,omitempty"`
	Language string          `json:"language,omitempty"`
	Channels []SearchOutcome `json:"channels"`
	New      int             `json:"new"`
	Rejected int             `json:"rejected,omitempty"` // number of rejected hits
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
	Coverage     string  `json:"coverage,omitempty"` // how much is to be read: all, or a sample
}

// roundSoFar counts the results of the open round.
type roundSoFar struct {
	StartedAt time.Time `json:"started_at"`
	Evidence  int       `json:"evidence"`
	Sources   int       `json:"sources"`
	Searches  int       `json:"searches"`
	Usage     Usage     `json:"usage"`
}

// FoldVersion changes whenever Apply would make a different state of the same events. Snapshots of other versions are
// ignored.
const FoldVersion = 1

// MarshalSnapshot returns the state as JSON for [Store.PutSnapshot].
func (s *State) MarshalSnapshot() ([]byte, error) { return json.Marshal(s) }

// UnmarshalSnapshot parses the output of MarshalSnapshot.
func UnmarshalSnapshot(data []byte) (*State, error) {
	var s State
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("loopstate: damaged snapshot: %w", err)
	}
	s.reindex()
	return &s, nil
}

// OpenGaps returns the open gaps, the one to pursue first.
func (s *State) OpenGaps() []Gap { return s.GapsWith(GapOpen) }

// GapsWith returns the gaps with a status ("" or "all" for any), the one to pursue first.
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

// MaterialGaps returns the open material gaps, the one to pursue first.
func (s *State) MaterialGaps() []Gap {
	gaps := s.OpenGaps()
	for i, g := range gaps {
		if !g.Material { // sorted last
			return gaps[:i]
		}
	}
	return gaps
}

// Target returns the one gap to pursue: the first material gap. A round pursues one gap.
func (s *State) Target() (Gap, bool) {
	if gaps := s.MaterialGaps(); len(gaps) > 0 {
		return gaps[0], true
	}
	return Gap{}, false
}

// Statuses of a loop.
const (
	StatusRunning  = "running"
	StatusFinished = "finished" // the decision is to finalize
	StatusAborted  = "aborted"
)

// Status returns the status of the loop.
func (s *State) Status() string {
	switch {
	case s.Abort != "":
		return StatusAborted
	case decide(s).NextAction == Finalize:
		return StatusFinished
	}
	return StatusRunning
}

// Head returns the summary for the store.
func (s *State) Head() Head {
	return Head{Loop: s.Loop, Owner: s.Owner, Seq: s.Seq, Query: clip(s.Query, 300), Round: s.Round, Status: s.Status(), UpdatedAt: s.UpdatedAt, Stored: s.Stored, Readings: len(s.Readings)}
}
