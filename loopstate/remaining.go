package loopstate

import (
	"fmt"
	"slices"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// RoundCap returns how many rounds the loop may close: its budget, the rounds that the user confirmed beyond it, and the
// escalation from three rounds to five.
func (s *State) RoundCap() int {
	limit := s.Budget.Rounds
	if limit == EscalateAfterRound && s.Escalated {
		limit = EscalatedRounds
	}
	return max(limit, s.ConfirmedRounds)
}

// rubricsFailing reports whether more than 30 % of the rubrics fail after three closed rounds.
func (s *State) rubricsFailing() bool {
	return s.Round >= EscalateAfterRound && len(s.Rubrics) > 0 &&
		float64(len(s.Failures)) > EscalateFailureShare*float64(len(s.Rubrics))
}

// ElapsedSeconds returns the time from the loop's start to its last event.
// It is never negative, although clocks of machines differ.
func (s *State) ElapsedSeconds() int { return max(0, int(s.UpdatedAt.Sub(s.StartedAt).Seconds())) }

// Remaining returns the rest of the budget.
func (s *State) Remaining() Remaining {
	r := Remaining{Rounds: max(0, s.RoundCap()-s.Round), Tokens: max(0, s.Budget.Tokens-s.Usage.Tokens)}
	if s.Budget.CostUSD > 0 {
		left := max(0, s.Budget.CostUSD-s.Usage.CostUSD)
		r.CostUSD = &left
	}
	if s.Budget.LatencySeconds > 0 {
		left := max(0, s.Budget.LatencySeconds-s.ElapsedSeconds())
		r.LatencySeconds = &left
	}
	return r
}

// Estimate is the expected cost of a loop for a host.
type Estimate struct {
	Rounds  int `json:"rounds"`
	Calls   int `json:"calls"`
	Chars   int `json:"characters"`
	Minutes int `json:"minutes"`

	Range string `json:"range"` // what measured loops of this size took, with and without the review of citations
}

// Cost of a loop, between those of two measured loops of language models on one question over a manual: 28 calls and 144,000
// characters without a review of the citations, 112 calls and 477,000 characters with one (208,000 of them) and many small
// calls.
const (
	callsPerRound = 12
	charsPerRound = 50_000
	otherCalls    = 24
	otherChars    = 150_000
	// secondsPerCall is assumed: a model's turn and the call together.
	secondsPerCall = 15
)

// usualRounds returns how many rounds a loop usually takes. The limit of its complexity is higher.
func usualRounds(complexity string) int {
	switch complexity {
	case "simple":
		return 2
	case "complex":
		return 5
	case "breaking":
		return 7
	}
	return 3
}

// Estimate returns what the loop will probably cost.
func (s *State) Estimate() Estimate {
	rounds := min(usualRounds(s.Complexity), s.RoundCap())
	calls := otherCalls + rounds*callsPerRound
	chars := otherChars + rounds*charsPerRound
	return Estimate{Rounds: rounds, Calls: calls, Chars: chars, Minutes: (calls*secondsPerCall + 59) / 60,
		Range: fmt.Sprintf("%d to %d calls and %d,000 to %d,000 characters of answers, by how much is read and whether citations are reviewed", calls/2, 2*calls, chars/2_000, chars*5/3_000)}
}

// PendingReviews returns the candidates for a second reader: not grounded by wording and not read yet. Inferred ones come
// first, then unsupported ones, whose status may be wrong.
func (s *State) PendingReviews() []ReviewCandidate {
	var inferred, unsupported []ReviewCandidate
	for _, c := range s.AllCandidates() {
		if _, read := s.Readings[c.Key]; read {
			continue
		}
		switch c.Status {
		case Inferred:
			inferred = append(inferred, c)
		case Unsupported:
			unsupported = append(unsupported, c)
		}
	}
	return append(inferred, unsupported...)
}

// AllCandidates returns the candidates of the loop and of the draft that was checked last, each once.
func (s *State) AllCandidates() []ReviewCandidate {
	if s.Scratch == nil {
		return s.Candidates
	}
	known := make(map[string]bool, len(s.Candidates))
	for _, c := range s.Candidates {
		known[c.Key] = true
	}
	out := slices.Clone(s.Candidates)
	for _, c := range s.Scratch.Candidates {
		if !known[c.Key] {
			known[c.Key] = true
			out = append(out, c)
		}
	}
	return out
}

// OpenReview returns the open batch, or nil.
func (s *State) OpenReview() *Review {
	for i := range s.Reviews {
		if s.Reviews[i].Status == BatchOpen {
			return &s.Reviews[i]
		}
	}
	return nil
}

// ReviewByID returns the batch with an id.
func (s *State) ReviewByID(batch string) (*Review, bool) {
	for i := range s.Reviews {
		if s.Reviews[i].Batch == batch {
			return &s.Reviews[i], true
		}
	}
	return nil, false
}

// NextReview returns the id of the next batch.
func (s *State) NextReview() string { return fmt.Sprintf("R%d", len(s.Reviews)+1) }

var pointID = lazyregexp.New(`^[Pp]\d+$`)

// pointByID returns the position of a point.
func (s *State) pointByID(id string) (position int, ok bool) {
	if !pointID.MatchString(id) {
		return 0, false
	}
	position = slices.IndexFunc(s.Points, func(p Point) bool { return p.ID == id })
	return position, position >= 0
}

// UnansweredPoints returns the points that the author has not answered.
func (s *State) UnansweredPoints() []Point {
	return keep(s.Points, func(p Point) bool { return p.Answer == "" })
}

// LastCriticised returns the hash of the draft that the last critic read, or "".
func (s *State) LastCriticised() string {
	if n := len(s.Critics); n > 0 {
		return s.Critics[n-1].Draft
	}
	return ""
}

const (
	// maxCritics is after how many critics a loop asks for no more and waits for no answer (chosen: one critic removed all proven
	// errors in two of two trials, so a third reading is the author's choice).
	maxCritics = 2
	// wordsPerPoint is how many words of a draft may be new for each point that the author took (chosen: three sentences, as long as a point
	// may be).
	wordsPerPoint = 60
)

// criticOwes is what the loop's draft still lacks before the loop may finish.
type criticOwes int

const (
	nothingOwed criticOwes = iota
	draftOwed              // nothing was checked that a critic could read
	criticOwed             // no critic read the draft
	answersOwed            // points have no answer
	rereadOwed             // most of the draft was written after the critic read it
)

// owesCritic returns what is missing. Simple loops, those that read nothing and those whose user wants no critic
// lack nothing.
func (s *State) owesCritic() criticOwes {
	n := len(s.Critics)
	switch {
	case s.Complexity == "simple" || len(s.Sources) == 0 || s.CriticDeclined != "" || n >= maxCritics:
		return nothingOwed
	case s.Checked == nil:
		return draftOwed
	case n == 0:
		return criticOwed
	case len(s.UnansweredPoints()) > 0:
		return answersOwed
	case s.Checked.SHA256 != s.LastCriticised() && !s.revises(s.Checked.Words, s.Checked.NewWords):
		return rereadOwed
	}
	return nothingOwed
}

// revises reports whether a draft with so many words, of which so many are new since the last critic read it, differs from what that critic
// read only by the author's answers. The log cannot tell why a sentence changed. It can tell how much of the text no critic has read: up to
// half of it, or three sentences for each point that was taken.
func (s *State) revises(words, fresh int) bool {
	taken := 0
	for _, p := range s.Points {
		if p.Critic == len(s.Critics) && (p.Answer == PointTaken || p.Answer == PointPartly) {
			taken++
		}
	}
	return 2*fresh <= words || fresh <= wordsPerPoint*taken
}

// LacksCritic reports whether the loop asks for a critic and none has read a draft.
func (s *State) LacksCritic() bool {
	owed := s.owesCritic()
	return owed == draftOwed || owed == criticOwed
}
