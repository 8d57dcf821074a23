package loopstate

import (
	"fmt"
	"slices"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// PendingReviews returns the candidates for a second reader: not grounded by wording and not read yet. Inferred ones come
// first, then unsupported ones, whose status may be wrong.
//
// A claim that waits for a second look has the passages for that.
func (s *State) PendingReviews() []ReviewCandidate {
	var inferred, unsupported []ReviewCandidate
	for _, c := range s.AllCandidates() {
		if _, read := s.Readings[c.Key]; read {
			continue
		}
		if look, ok := s.FirstLooks[c.Key]; ok {
			c.Passages = look.Passages
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
	var out []Point
	for _, p := range s.Points {
		if p.Answer == "" {
			out = append(out, p)
		}
	}
	return out
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
