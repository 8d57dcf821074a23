package prompts

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// Loop is the data of a loop for prompts. The caller bounds the lists and counts the rest in LeftOut.
type Loop struct {
	StateID    string // empty before loop_init
	Question   string
	AsOf       string // YYYY-MM-DD
	Complexity string
	Round      int // the current one, from 1
	Rubrics    []string
	Areas      []loopstate.Dimension
	Entity     *loopstate.Entity

	Target         *loopstate.Gap // the next target; nil if no material gap is open
	Gaps           []loopstate.Gap
	OpenQuestions  []loopstate.Gap // unanswerable, with why
	Sources        []loopstate.Source
	Claims         []loopstate.Claim
	Synthesis      string // the last one, clipped
	Contradictions []loopstate.Contradiction
	Failures       []string
	Searched       map[string]string    // gap id -> how it was searched, in a line
	CompleteAt     float64              // the coverage of a complete text
	MinWords       int                  // of the text; 0 for the default of 1,800
	Unread         []loopstate.Evidence // found, not read
	Asked          []string             // queries, newest first
	Tried          Tried
	Rounds         []loopstate.Round
	Decision       wording.Decision
	RoundsLeft     int
	TokensLeft     int

	// Draft is set where a critic is to read a draft; then the lists of claims and contradictions are empty.
	Draft *Draft

	// Passages of stored texts in the order of source and place; empty for prompts without them.
	Passages []Passage
	LeftOut  LeftOut
}

// Passage is a part of a stored text. Start and End count Unicode code points, half open.
type Passage struct {
	SourceID   string
	Start, End int
	Lines      string // "120-128"
	Page       int    // page of a PDF on which it begins; else 0
	Text       string
	Claims     []string // ids of the claims that it supports; empty if it is for the question
}

// Tried counts the searches so far.
type Tried struct {
	Angles      []Count // searches by angle, always all four
	SourceTypes []Count // sources by type, always all four
	Oldest      string  // publication dates of the sources that have one
	Newest      string
}

// Count is a name with a count.
type Count struct {
	Name string
	N    int
}

// LeftOut counts the omitted items of each list.
type LeftOut struct{ Sources, Claims, Gaps, OpenQuestions, Contradictions, Rounds int }

// Language returns the language to answer in, if the script of the question identifies it.
func (l Loop) Language() Language { return languageOf(l.Question) }

// Recent returns the first day of the 18 months before AsOf, or "" if AsOf is not a date.
func (l Loop) Recent() string { return loopstate.RecentSince(l.AsOf) }

// Length of the final text. Words are characters in Chinese and Japanese.
const (
	defaultWords = 1200
	wordsPerArea = 400
	minWords     = 1800
	// minCitations and citationsPerArea (chosen): one citation per one or two paragraphs.
	minCitations     = 6
	citationsPerArea = 3
)

// TargetWords returns the length of the final text.
func (l Loop) TargetWords() int {
	words := defaultWords
	if len(l.Areas) > 0 {
		words = len(l.Areas) * wordsPerArea
	}
	if l.MinWords > 0 {
		return max(words, l.MinWords)
	}
	return max(words, minWords)
}

// MinCitations returns the minimum number of inline citations.
func (l Loop) MinCitations() int { return max(minCitations, citationsPerArea*len(l.Areas)) }

// MaxRounds returns the round limit for the coverage prompt.
func (l Loop) MaxRounds() int { return l.Round - 1 + l.RoundsLeft }

// TargetLine returns the target gap on one line.
func (l Loop) TargetLine() string {
	if l.Target == nil {
		return ""
	}
	return l.GapLine(*l.Target)
}

// GapLine returns a gap on one line.
func (l Loop) GapLine(g loopstate.Gap) string {
	weight := "cosmetic"
	if g.Material {
		weight = "material"
	}
	s := fmt.Sprintf("%s %s, %s, %s: %s", g.ID, g.Kind, weight, g.Importance, sanitize.Short(g.Gap, 400))
	if g.Query != "" && g.Query != g.Gap {
		s += " | query: " + sanitize.Short(g.Query, 200)
	}
	return s + l.searchedWords(g)
}

// searchedWords describes how a gap was searched, to distinguish "not found" from "could not search".
func (l Loop) searchedWords(g loopstate.Gap) string {
	if how := l.Searched[g.ID]; how != "" {
		return " | " + sanitize.Short(how, 200)
	}
	return ""
}

// OpenQuestionLine returns an unanswerable gap with its reason on one line.
func (l Loop) OpenQuestionLine(g loopstate.Gap) string {
	return fmt.Sprintf("%s %s | why: %s", g.ID, sanitize.Short(g.Gap, 300), sanitize.Short(g.Why, 200)) + l.searchedWords(g)
}

// SourceLine returns a source on one line.
func SourceLine(s loopstate.Source) string {
	parts := []string{s.ID, orUnknown(s.SourceType), orUnknown(s.PublishedAt), sanitize.Short(s.Title, 80), sanitize.Short(s.FinalURL, 100)}
	line := strings.Join(parts, " | ")
	if s.DuplicateOf != "" {
		line += " | same text as " + s.DuplicateOf + ", one origin"
	}
	if s.AtCheck {
		line += " | read at the check, not by you"
	}
	if s.Pasted {
		line += " | pasted by the user, not fetched"
	}
	if len(s.Flags) > 0 {
		line += " | suspicious: " + sanitize.Short(s.Flags[0], 80)
	}
	return line
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return sanitize.Short(s, 40)
}

// ClaimLine returns a claim on one line, with its sources and the result of its last check.
func ClaimLine(c loopstate.Claim) string {
	s := c.ID + " [" + strings.Join(c.SourceIDs, ", ") + "]"
	if c.Confidence != "" {
		s += " (" + c.Confidence + ")"
	}
	if c.Check == nil {
		s += " not verified yet"
	} else {
		s += " " + c.Check.Status
		if len(c.Check.Flags) > 0 {
			s += ", " + strings.Join(c.Check.Flags, ", ")
		}
	}
	return s + ": " + sanitize.Short(c.Claim, 500)
}

// ContradictionLine returns a contradiction on one line.
func ContradictionLine(x loopstate.Contradiction) string {
	s := fmt.Sprintf("%s [%s] %s", x.ID, strings.Join(x.SourceIDs, ", "), sanitize.Short(x.Topic, 200))
	if x.Resolution != "" {
		s += " | resolved: " + sanitize.Short(x.Resolution, 300)
	}
	if x.Why != "" {
		s += " | unresolved because: " + sanitize.Short(x.Why, 200)
	}
	return s
}

// NextStep names the part of the prompt for the next action.
func (l Loop) NextStep() string {
	switch l.Decision.NextAction {
	case loopstate.Finalize:
		return "Go on to THE TEXT below; run no further round."
	case loopstate.EscalateBudget:
		return "Ask the user whether to go on beyond the confirmed rounds: then loop_update(confirm_rounds), or THE TEXT with what " +
			"there is."
	case loopstate.Abort:
		return "The user aborted this loop: it can be read and reported, not continued."
	case loopstate.FetchMore:
		return "Begin ONE ROUND at step 2: hits are waiting to be read."
	}
	if l.Decision.Rule == "first_signoff" {
		return "Have the critic look a second time and call loop_reflect (ONE ROUND, steps 5 and 6)."
	}
	return "Go on with ONE ROUND below."
}
