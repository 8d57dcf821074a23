package prompts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// Loop is a loop for prompts: a state that nobody else uses, and what is not in the state.
type Loop struct {
	*loopstate.State
	Decision wording.Decision
	Asked    []string             // queries, newest first
	Unread   []loopstate.Evidence // found, not read
	LastText string               // the last synthesis, clipped
	Passages []Passage            // of stored texts, in the order of source and place
	Part     *DraftPart           // of the draft that a critic reads; nil for none
}

// Passage is a part of a stored text.
type Passage struct {
	SourceID string
	Lines    string // "120-128"
	Page     int    // page of a PDF on which it begins; else 0
	Text     string
}

// few bounds the lists of which a prompt needs the first items: rubrics, areas, failures, unread hits, queries.
const few = 8

// Of returns a loop for prompts. It shortens lists of the state.
func Of(st *loopstate.State) Loop {
	l := Loop{State: st, Decision: wording.Advised(st), Unread: st.Unread(few)}
	l.Asked = slices.Clone(st.Questions[max(0, len(st.Questions)-few):])
	slices.Reverse(l.Asked)
	st.Rubrics, st.Failures = st.Rubrics[:min(few, len(st.Rubrics))], st.Failures[:min(few, len(st.Failures))]
	st.Dimensions = st.Dimensions[:min(few, len(st.Dimensions))]
	return l
}

// StateID returns the id of the loop, or "" before it was started.
func (l Loop) StateID() string { return l.Loop }

// Recent returns the first day of the 18 months before AsOf, or "" if AsOf is not a date.
func (l Loop) Recent() string { return loopstate.RecentSince(l.AsOf) }

// Current returns the number of the open round.
func (l Loop) Current() int { return l.Round + 1 }

// MaxRounds returns the round limit for the coverage prompt.
func (l Loop) MaxRounds() int { return l.Round + *l.Remaining().Rounds }

// Length of the final text. Words are characters in Chinese and Japanese.
const (
	wordsPerArea = 400
	minWords     = 1800
	// minCitations and citationsPerArea (chosen): one citation per one or two paragraphs.
	minCitations     = 6
	citationsPerArea = 3
)

// TargetWords returns the length of the final text.
func (l Loop) TargetWords() int {
	return max(len(l.Dimensions)*wordsPerArea, minWords)
}

// MinCitations returns the minimum number of inline citations.
func (l Loop) MinCitations() int { return max(minCitations, citationsPerArea*len(l.Dimensions)) }

// Limits of the lists in tokens, so that a prompt has at most 16,000 characters. The tools list the rest.
const (
	sourceTokens = 450
	draftTokens  = 4_000 // of the sources of a draft, some 100
	claimTokens  = 700
	gapTokens    = 250
	otherTokens  = 120 // open questions, contradictions
)

// listed returns the lines of items in a fence, as many as fit into tokens, and below it the number of others with more, which names
// the tool that has them. It returns "" for no items.
func listed[T any](items []T, tokens int, line func(T) string, more string) string {
	if len(items) == 0 {
		return ""
	}
	var lines []string
	for _, item := range items[:fitting(items, tokens, line)] {
		lines = append(lines, line(item))
	}
	list := fence(strings.Join(lines, "\n"))
	if left := len(items) - len(lines); left > 0 {
		list += fmt.Sprintf("\n%d more%s", left, more)
	}
	return list
}

// fitting returns how many items fit into tokens.
func fitting[T any](items []T, tokens int, line func(T) string) int {
	for i, item := range items {
		if tokens -= words.EstimateTokens(line(item)) + 1; tokens < 0 {
			return i
		}
	}
	return len(items)
}

// ClaimList lists the claims.
func (l Loop) ClaimList(more string) string {
	return listed(l.CurrentClaims(), claimTokens, claimLine, more)
}

// GapList lists the open gaps, best first.
func (l Loop) GapList(more string) string { return listed(l.OpenGaps(), gapTokens, l.gapLine, more) }

// QuestionList lists the gaps that cannot be answered.
func (l Loop) QuestionList(more string) string {
	return listed(l.GapsWith(loopstate.GapUnanswerable), otherTokens, func(g loopstate.Gap) string {
		return fmt.Sprintf("%s %s | why: %s", g.ID, sanitize.Short(g.Gap, 300), sanitize.Short(g.Why, 200)) + l.searchedWords(g)
	}, more)
}

// ContradictionList lists the contradictions.
func (l Loop) ContradictionList(more string) string {
	return listed(l.Contradictions, otherTokens, contradictionLine, more)
}

var sourceID = lazyregexp.New(`\bS\d+\b`)

// SourceList lists the sources by their ids: those of the passages, the draft and the claims, then the newest ones, as many as fit.
func (l Loop) SourceList(more string) string {
	tokens, used := sourceTokens, map[string]bool{}
	for _, p := range l.Passages {
		used[p.SourceID] = true
	}
	if l.Part != nil {
		tokens = draftTokens
		for _, id := range sourceID.FindAllString(l.Part.all, -1) {
			used[id] = true
		}
	}
	for _, c := range l.CurrentClaims() {
		for _, id := range c.SourceIDs {
			used[id] = true
		}
	}
	sources := slices.Clone(l.Sources)
	slices.Reverse(sources)
	slices.SortStableFunc(sources, func(a, b loopstate.Source) int {
		switch {
		case used[a.ID] == used[b.ID]:
			return 0
		case used[a.ID]:
			return -1
		}
		return 1
	})
	slices.SortFunc(sources[:fitting(sources, tokens, sourceLine)], func(a, b loopstate.Source) int {
		return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), strings.Compare(a.ID, b.ID))
	})
	return listed(sources, tokens, sourceLine, more)
}

// TargetGap returns the gap to pursue, or nil if no material gap is open.
func (l Loop) TargetGap() *loopstate.Gap {
	if g, ok := l.Target(); ok {
		return &g
	}
	return nil
}

// TargetLine returns the target gap on one line.
func (l Loop) TargetLine() string { return l.gapLine(*l.TargetGap()) }

// TargetText returns the target gap with its query.
func (l Loop) TargetText() string {
	g := l.TargetGap()
	text := sanitize.Short(g.Gap, loopstate.MaxTextChars)
	if g.Query != "" && g.Query != g.Gap {
		text += "\nquery: " + sanitize.Short(g.Query, loopstate.MaxTextChars)
	}
	if len(g.SourceTypes) > 0 {
		text += "\nsource types wanted: " + strings.Join(g.SourceTypes, ", ")
	}
	return text
}

func (l Loop) gapLine(g loopstate.Gap) string {
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
	if how, ok := l.Tried()[g.ID]; ok {
		return " | " + sanitize.Short(how, 200)
	}
	return ""
}

func sourceLine(s loopstate.Source) string {
	parts := []string{s.ID, orUnknown(s.SourceType), orUnknown(s.PublishedAt), sanitize.Short(s.Title, 80), sanitize.Short(s.FinalURL, 100)}
	line := strings.Join(parts, " | ")
	if s.DuplicateOf != "" {
		line += " | same text as " + s.DuplicateOf + ", one origin"
	}
	if s.Pasted {
		line += " | pasted by the user, not fetched"
	}
	if len(s.Flags) > 0 {
		line += " | suspicious: " + sanitize.Short(s.Flags[0], 80)
	}
	return line
}

func orUnknown(s string) string { return sanitize.Short(cmp.Or(s, "unknown"), 40) }

// claimLine returns a claim on one line, with its sources and the result of its last check.
func claimLine(c loopstate.Claim) string {
	s := c.ID + " [" + strings.Join(c.SourceIDs, ", ") + "]"
	if c.Confidence != "" {
		s += " (" + c.Confidence + ")"
	}
	if c.Check == nil {
		s += " not verified yet"
	} else {
		s += " " + strings.Join(append([]string{c.Check.Status}, c.Check.Flags...), ", ")
	}
	return s + ": " + sanitize.Short(c.Claim, 500)
}

func contradictionLine(x loopstate.Contradiction) string {
	s := fmt.Sprintf("%s [%s] %s", x.ID, strings.Join(x.SourceIDs, ", "), sanitize.Short(x.Topic, 200))
	if x.Resolution != "" {
		s += " | resolved: " + sanitize.Short(x.Resolution, 300)
	}
	if x.Why != "" {
		s += " | unresolved because: " + sanitize.Short(x.Why, 200)
	}
	return s
}

// NextStep says which calls do what was decided.
func (l Loop) NextStep() string { return l.Decision.NextCalls(l.Round) }
