package loopstate

import (
	"fmt"
	"strings"
)

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

// WantsDraft reports whether the loop waits for the whole text, so that a critic can read it.
func (s *State) WantsDraft() bool {
	return s.owesCritic() == draftOwed && (s.ends() || s.SignOffs > 0 && len(s.MaterialGaps()) == 0)
}

// LacksCritic reports whether the loop asks for a critic and none has read a draft.
func (s *State) LacksCritic() bool {
	owed := s.owesCritic()
	return owed == draftOwed || owed == criticOwed
}

// ends reports whether the loop would finish if a critic were not asked for.
func (s *State) ends() bool {
	for _, test := range []func(*State) (Decision, bool){twoSignOffs, stalledNoEvidence, stalledSameGaps} {
		if _, ok := test(s); ok {
			return true
		}
	}
	return false
}

func criticReadsDraft(s *State) (Decision, bool) {
	owed := s.owesCritic()
	if owed == nothingOwed || !s.ends() {
		return Decision{}, false
	}
	const decline = " If the user wants none, record that with the reason. No new search is needed."
	because := ""
	switch owed {
	case draftOwed:
		because = "The research is done, and no critic has read the text. Write the whole text, check it as a draft, and have a critic read it who has not written it: a fresh subagent or conversation." + decline
	case criticOwed:
		because = "The research is done, and no critic has read the draft. Have one read it who has not written it: a fresh subagent or conversation with the critic's brief. With its points recorded, even none, and answered, the loop finishes." + decline
	case answersOwed:
		because = "A critic has read the draft. Answer each point (taken, partly or refused, with why), correct the draft and check it again; then the loop finishes."
	case rereadOwed:
		because = fmt.Sprintf("Of the %d words of the draft, %d were written after the critic read it, more than its points account for. Have a critic read it as it stands.", s.Checked.Words, s.Checked.NewWords) + decline
	}
	return Decision{NextAction: AskCritic, Because: because + s.claimWords() + s.coverageWords() + s.unseenWords()}, true
}

// criticWords says what a loop that ends all the same lacks, such as one that has reached a limit.
func (s *State) criticWords() string {
	if !s.LacksCritic() {
		return ""
	}
	return " No critic has read the text: have one who has not written it read the draft before the report, or the report says that nobody did."
}

// unansweredWords names the points without an answer.
func (s *State) unansweredWords() string {
	points := s.UnansweredPoints()
	if len(points) == 0 {
		return ""
	}
	ids := make([]string, len(points))
	for i, p := range points {
		ids[i] = p.ID
	}
	return fmt.Sprintf(" Points of the critic without an answer: %s.", strings.Join(ids, ", "))
}
