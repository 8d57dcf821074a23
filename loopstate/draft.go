package loopstate

import "time"

// Draft is the delivered text of a loop: the last verified draft. A draft that failed does not replace one of the same
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
