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

// Checked is the draft that was checked last, final or not: what a critic reads. Its text is stored, because a critic who reads another
// text than the one that was checked would be recorded for the wrong one; the brief is made from it.
type Checked struct {
	SHA256   string    `json:"sha256"` // of the stored text
	Chars    int       `json:"chars"`
	Words    int       `json:"words,omitempty"`     // counted once a critic has read a draft
	NewWords int       `json:"new_words,omitempty"` // that the draft of the last critic does not have
	Round    int       `json:"round"`
	At       time.Time `json:"at"`
}

// check records the draft that was checked last. In a loop that has finished, a text
// that is mostly another one and not final is no draft of the loop: a sentence that somebody checks must not open the loop again.
func (s *State) check(at time.Time, p Verified) {
	if p.Scratch && len(s.Critics) > 0 && !s.revises(p.DraftWords, p.NewWords) && p.DraftText != s.LastCriticised() && decide(s).NextAction == Finalize {
		return
	}
	if p.Draft && p.DraftText != "" {
		s.Checked = &Checked{SHA256: p.DraftText, Chars: p.DraftChars, Words: p.DraftWords, NewWords: p.NewWords, Round: s.Round + 1, At: at}
	}
}

// LastCriticised returns the hash of the draft that the last critic read, or "".
func (s *State) LastCriticised() string {
	if n := len(s.Critics); n > 0 {
		return s.Critics[n-1].Draft
	}
	return ""
}

func (s *State) deliver(at time.Time, p Verified) {
	const fail = "fail"
	round := s.Round + 1
	if p.DraftText == "" || p.Verdict == fail && s.Draft != nil && s.Draft.Round == round && s.Draft.Verdict != fail {
		return
	}
	s.Draft = &Draft{SHA256: p.DraftText, Chars: p.DraftChars, Verdict: p.Verdict, Round: round, At: at}
}
