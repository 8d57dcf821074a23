package loops

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// Limits of a prompt's lists in tokens, so that a prompt has at most 16,000 characters. The tools list the rest.
const (
	promptSourceTokens = 450
	promptClaimTokens  = 700
	promptGapTokens    = 250
	promptOtherTokens  = 120 // open questions, contradictions
	promptFewItems     = 8   // rubrics, areas, failures, unread hits, queries
	promptRounds       = 8
	MaxSynthesisChars  = 1_500
)

// PromptOf copies the state for prompts.
func PromptOf(st *loopstate.State) prompts.Loop {
	left := st.Remaining()
	l := prompts.Loop{StateID: st.Loop, Question: st.Query, AsOf: st.AsOf, Complexity: st.Complexity, Round: st.Round + 1,
		Rubrics: slices.Clone(FirstOf(st.Rubrics, promptFewItems)), Areas: slices.Clone(FirstOf(st.Dimensions, promptFewItems)), Entity: st.Entity,
		Gaps: st.OpenGaps(), OpenQuestions: st.GapsWith(loopstate.GapUnanswerable), Claims: st.CurrentClaims(), Contradictions: slices.Clone(st.Contradictions),
		Sources:  slices.Clone(st.Sources),
		Failures: slices.Clone(FirstOf(st.Failures, promptFewItems)), Unread: st.UnreadEvidence(promptFewItems), Tried: tried(st),
		Rounds: slices.Clone(st.Rounds), Decision: inShort(wording.Advised(st)), RoundsLeft: left.Rounds, TokensLeft: left.Tokens}
	if g, ok := st.Target(); ok {
		l.Target = &g
	}
	l.CompleteAt, l.Searched = st.Complete, map[string]string{}
	for id, t := range st.Tried() {
		l.Searched[id] = t.String()
	}
	for i := len(st.Questions) - 1; i >= 0 && len(l.Asked) < promptFewItems; i-- {
		l.Asked = append(l.Asked, st.Questions[i])
	}
	if n := len(l.Rounds) - promptRounds; n > 0 {
		l.Rounds, l.LeftOut.Rounds = l.Rounds[n:], n
	}
	return l
}

func FirstOf[T any](items []T, n int) []T { return items[:min(n, len(items))] }

// tried counts the searches by angle and the sources by type, including those with none.
func tried(st *loopstate.State) prompts.Tried {
	var t prompts.Tried
	for _, name := range prompts.AngleNames() {
		t.Angles = append(t.Angles, prompts.Count{Name: name})
	}
	for _, name := range docid.SourceTypes() {
		t.SourceTypes = append(t.SourceTypes, prompts.Count{Name: name})
	}
	count := func(counts []prompts.Count, name string) {
		for i := range counts {
			if counts[i].Name == name {
				counts[i].N++
			}
		}
	}
	for _, search := range st.Searches {
		count(t.Angles, search.Angle)
	}
	for _, src := range st.Sources {
		count(t.SourceTypes, src.SourceType)
		if day := src.PublishedAt; day != "" {
			if t.Oldest == "" || day < t.Oldest {
				t.Oldest = day
			}
			t.Newest = max(t.Newest, day)
		}
	}
	return t
}

// BoundPrompt cuts the lists to their limits. It prefers sources of passages, then of claims, then the newest.
func BoundPrompt(l *prompts.Loop) {
	l.Claims, l.LeftOut.Claims = Within(l.Claims, promptClaimTokens, prompts.ClaimLine)
	l.Gaps, l.LeftOut.Gaps = Within(l.Gaps, promptGapTokens, l.GapLine)
	l.OpenQuestions, l.LeftOut.OpenQuestions = Within(l.OpenQuestions, promptOtherTokens, l.OpenQuestionLine)
	l.Contradictions, l.LeftOut.Contradictions = Within(l.Contradictions, promptOtherTokens, prompts.ContradictionLine)
	rank := map[string]int{}
	for _, c := range l.Claims {
		for _, id := range c.SourceIDs {
			rank[id] = 1
		}
	}
	for _, p := range l.Passages {
		rank[p.SourceID] = 2
	}
	byID := func(a, b loopstate.Source) int { return cmp.Compare(IDNumber(a.ID), IDNumber(b.ID)) }
	slices.SortStableFunc(l.Sources, func(a, b loopstate.Source) int {
		return cmp.Or(cmp.Compare(rank[b.ID], rank[a.ID]), byID(b, a))
	})
	l.Sources, l.LeftOut.Sources = Within(l.Sources, promptSourceTokens, prompts.SourceLine)
	slices.SortFunc(l.Sources, byID)
}

// IDNumber returns the number of an id: 12 for S12.
func IDNumber(id string) int {
	n, _ := strconv.Atoi(strings.TrimLeft(id, "SGCX"))
	return n
}

// Within returns the first items whose lines fit into tokens, and the number of the others.
func Within[T any](items []T, tokens int, line func(T) string) (kept []T, left int) {
	for i, item := range items {
		if tokens -= EstimateTokens(line(item)) + 1; tokens < 0 {
			return items[:i], len(items) - i
		}
	}
	return items, 0
}
