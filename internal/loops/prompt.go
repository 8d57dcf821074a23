package loops

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/loopstate"
)

// PromptTokens is how much of the stored texts a prompt has. A host has already read them, and can search them again.
const PromptTokens = 1_000

// Limits of a prompt's lists in tokens, so that a prompt has at most 16,000 characters. The tools list the rest.
const (
	promptSourceTokens   = 450
	promptClaimTokens    = 700
	promptGapTokens      = 250
	promptOtherTokens    = 120 // open questions, contradictions
	promptFewItems       = 8   // rubrics, areas, failures, unread hits, queries
	promptRounds         = 8
	promptSynthesisChars = 1_500
)

// PromptData returns the data of a loop for prompts, with passages of the stored texts of at most budgetTokens tokens in
// total by [EstimateTokens]. The passages count as shown to the host.
func (s *Service) PromptData(ctx context.Context, loop string, budgetTokens int) (prompts.Loop, error) {
	var out prompts.Loop
	var wanted originalsWanted
	var synthesis string
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		out, synthesis = promptLoop(st), st.Synthesis
		if budgetTokens > 0 {
			wanted = wantedOriginals(st)
		}
		return nil
	})
	if err != nil {
		return out, err
	}
	out.MinWords = s.ReportWords
	if out.Synthesis, err = s.synthesis(ctx, synthesis); err != nil {
		return out, err
	}
	out.Synthesis = clipped(out.Synthesis, promptSynthesisChars)
	if budgetTokens > 0 {
		if out.Passages, err = s.originals(ctx, loop, wanted, budgetTokens); err != nil {
			return out, err
		}
	}
	boundPrompt(&out)
	var shown []loopstate.ShownText
	for _, p := range out.Passages {
		shown = append(shown, loopstate.ShownText{SourceID: p.SourceID, Spans: loopstate.Spans{{p.Start, p.End}}})
	}
	return out, s.recordShown(ctx, loop, shown)
}

// PromptFor returns the data for prompts of a question without a loop.
func (s *Service) PromptFor(_ context.Context, question string) (prompts.Loop, error) {
	p, err := loopstate.Start(loopstate.StartInput{Query: question}, "", s.Now())
	if err != nil {
		return prompts.Loop{}, err
	}
	return prompts.Loop{Question: p.Query, AsOf: p.AsOf, Complexity: p.Complexity, Round: 1, RoundsLeft: p.Budget.Rounds, TokensLeft: p.Budget.Tokens, CompleteAt: p.Complete}, nil
}

// promptLoop copies the state for prompts.
func promptLoop(st *loopstate.State) prompts.Loop {
	left := st.Remaining()
	l := prompts.Loop{StateID: st.Loop, Question: st.Query, AsOf: st.AsOf, Complexity: st.Complexity, Round: st.Round + 1,
		Rubrics: slices.Clone(firstOf(st.Rubrics, promptFewItems)), Areas: slices.Clone(firstOf(st.Dimensions, promptFewItems)), Entity: st.Entity,
		Gaps: gapsToPursue(st), OpenQuestions: st.GapsWith(loopstate.GapUnanswerable), Claims: st.CurrentClaims(), Contradictions: slices.Clone(st.Contradictions),
		Sources:  slices.Clone(st.Sources),
		Failures: slices.Clone(firstOf(st.Failures, promptFewItems)), Unread: st.UnreadEvidence(promptFewItems), Tried: tried(st),
		Rounds: slices.Clone(st.Rounds), Decision: inShort(loopstate.Decide(st)), RoundsLeft: left.Rounds, TokensLeft: left.Tokens}
	if g, ok := st.Target(); ok {
		l.Target = &g
	}
	l.CompleteAt, l.Searched = st.Complete, map[string]string{}
	for id, t := range st.Tried() {
		l.Searched[id] = t.String()
	}
	if u, ok := st.Unseen(); ok {
		l.Unseen = u.String()
	}
	for i := len(st.Questions) - 1; i >= 0 && len(l.Asked) < promptFewItems; i-- {
		l.Asked = append(l.Asked, st.Questions[i])
	}
	if n := len(l.Rounds) - promptRounds; n > 0 {
		l.Rounds, l.LeftOut.Rounds = l.Rounds[n:], n
	}
	return l
}

func firstOf[T any](items []T, n int) []T { return items[:min(n, len(items))] }

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

// boundPrompt cuts the lists to their limits. It prefers sources of passages, then of claims, then the newest.
func boundPrompt(l *prompts.Loop) {
	l.Claims, l.LeftOut.Claims = within(l.Claims, promptClaimTokens, prompts.ClaimLine)
	l.Gaps, l.LeftOut.Gaps = within(l.Gaps, promptGapTokens, l.GapLine)
	l.OpenQuestions, l.LeftOut.OpenQuestions = within(l.OpenQuestions, promptOtherTokens, l.OpenQuestionLine)
	l.Contradictions, l.LeftOut.Contradictions = within(l.Contradictions, promptOtherTokens, prompts.ContradictionLine)
	rank := map[string]int{}
	for _, c := range l.Claims {
		for _, id := range c.SourceIDs {
			rank[id] = 1
		}
	}
	for _, p := range l.Passages {
		rank[p.SourceID] = 2
	}
	byID := func(a, b loopstate.Source) int { return cmp.Compare(idNumber(a.ID), idNumber(b.ID)) }
	slices.SortStableFunc(l.Sources, func(a, b loopstate.Source) int {
		return cmp.Or(cmp.Compare(rank[b.ID], rank[a.ID]), byID(b, a))
	})
	l.Sources, l.LeftOut.Sources = within(l.Sources, promptSourceTokens, prompts.SourceLine)
	slices.SortFunc(l.Sources, byID)
}

// idNumber returns the number of an id: 12 for S12.
func idNumber(id string) int {
	n, _ := strconv.Atoi(strings.TrimLeft(id, "SGCX"))
	return n
}

// within returns the first items whose lines fit into tokens, and the number of the others.
func within[T any](items []T, tokens int, line func(T) string) (kept []T, left int) {
	for i, item := range items {
		if tokens -= EstimateTokens(line(item)) + 1; tokens < 0 {
			return items[:i], len(items) - i
		}
	}
	return items, 0
}

// CompleteLoop returns at most limit ids of the caller's loops, last changed first, whose id starts with typed or whose
// question has all its words, and the total number of matches.
func (s *Service) CompleteLoop(ctx context.Context, typed string, limit int) (ids []string, total int, err error) {
	heads, err := s.Heads(ctx)
	if err != nil {
		return nil, 0, err
	}
	typed = strings.ToLower(strings.TrimSpace(typed))
	words := strings.Fields(typed)
	for _, h := range heads {
		if !strings.HasPrefix(h.Loop, typed) && !hasWords(strings.ToLower(h.Query), words) {
			continue
		}
		if total++; len(ids) < limit {
			ids = append(ids, h.Loop)
		}
	}
	return ids, total, nil
}

// gapsToPursue are the open gaps of a prompt.
func gapsToPursue(st *loopstate.State) []loopstate.Gap {
	if loopstate.Decide(st).NextAction != loopstate.Finalize {
		return st.OpenGaps()
	}
	return withoutDebts(st.OpenGaps())
}
