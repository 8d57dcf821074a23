package loopstate

import "time"

// Scratch is a draft that was checked and is not the loop's text: what a reader may read of it. It is replaced by the next such
// check, and gone after any other.
type Scratch struct {
	Coverage   string            `json:"coverage,omitempty"`
	Candidates []ReviewCandidate `json:"candidates,omitempty"`
}

// Draft is the delivered text of a loop: the last draft that was reported, or checked as final. A draft that failed does not replace one of the same
// round that did not.
type Draft struct {
	SHA256  string    `json:"sha256"` // of the stored text
	Chars   int       `json:"chars"`
	Verdict string    `json:"verdict"` // of its verification
	Round   int       `json:"round"`
	At      time.Time `json:"at"`
}

func (s *State) deliver(at time.Time, p Verified) {
	const fail = "fail"
	round := s.Round + 1
	if p.DraftText == "" || p.Verdict == fail && s.Draft != nil && s.Draft.Round == round && s.Draft.Verdict != fail {
		return
	}
	s.Draft = &Draft{SHA256: p.DraftText, Chars: p.DraftChars, Verdict: p.Verdict, Round: round, At: at}
}
