package loops

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// PromptTokens is how much of the stored texts a prompt has. A host has already read them, and can search them again.
const PromptTokens = 1_000

// Limits of a prompt's lists in tokens, so that a prompt has at most 16,000 characters. The tools list the rest.
const (
	promptSourceTokens    = 450
	promptClaimTokens     = 700
	promptGapTokens       = 250
	promptOtherTokens     = 120 // open questions, contradictions
	promptFewItems        = 8   // rubrics, areas, failures, unread hits, queries, rounds
	promptSynthesisChars  = 1_500
	promptPassageOverhead = 30 // tokens of the line above a passage and of its fence
	maxPromptQueries      = 50 // about ten passages fit
)

// PromptData returns the data of a loop for prompts, with passages of the stored texts of at most budgetTokens tokens in
// total by [EstimateTokens].
func (s *Service) PromptData(ctx context.Context, loop string, budgetTokens int) (prompts.Loop, error) {
	var out prompts.Loop
	var topics []string
	var synthesis string
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		out, topics, synthesis = promptOf(st), topicsOf(st), st.Synthesis
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
	if budgetTokens > 0 && len(out.Sources) > 0 {
		if out.Passages, err = s.originals(ctx, loop, out.Sources, out.Claims, topics, budgetTokens); err != nil {
			return out, err
		}
	}
	boundPrompt(&out)
	return out, nil
}

// PromptFor returns the data for prompts of a question without a loop.
func (s *Service) PromptFor(_ context.Context, question string) (prompts.Loop, error) {
	p, err := loopstate.Start(loopstate.StartInput{Query: question}, "", s.Now())
	if err != nil {
		return prompts.Loop{}, err
	}
	return prompts.Loop{Question: p.Query, AsOf: p.AsOf, Complexity: p.Complexity, Round: 1, RoundsLeft: p.Budget.Rounds,
		TokensLeft: p.Budget.Tokens, CompleteAt: p.Complete}, nil
}

// promptOf copies the state for prompts.
func promptOf(st *loopstate.State) prompts.Loop {
	left := st.Remaining()
	l := prompts.Loop{StateID: st.Loop, Question: st.Query, AsOf: st.AsOf, Complexity: st.Complexity, Round: st.Round + 1,
		Rubrics: slices.Clone(firstOf(st.Rubrics, promptFewItems)), Areas: slices.Clone(firstOf(st.Dimensions, promptFewItems)),
		Entity: st.Entity, Gaps: st.OpenGaps(), OpenQuestions: st.GapsWith(loopstate.GapUnanswerable), Claims: st.CurrentClaims(),
		Contradictions: slices.Clone(st.Contradictions), Sources: slices.Clone(st.Sources),
		Failures: slices.Clone(firstOf(st.Failures, promptFewItems)), Unread: st.UnreadEvidence(promptFewItems), Tried: triedIn(st),
		Rounds: slices.Clone(st.Rounds), Decision: inShort(wording.Advised(st)), RoundsLeft: left.Rounds, TokensLeft: left.Tokens,
		CompleteAt: st.Complete, Searched: map[string]string{}}
	if g, ok := st.Target(); ok {
		l.Target = &g
	}
	for id, t := range st.Tried() {
		l.Searched[id] = t.String()
	}
	for i := len(st.Questions) - 1; i >= 0 && len(l.Asked) < promptFewItems; i-- {
		l.Asked = append(l.Asked, st.Questions[i])
	}
	if n := len(l.Rounds) - promptFewItems; n > 0 {
		l.Rounds, l.LeftOut.Rounds = l.Rounds[n:], n
	}
	return l
}

func firstOf[T any](items []T, n int) []T { return items[:min(n, len(items))] }

// triedIn counts the searches by angle and the sources by type, including those with none.
func triedIn(st *loopstate.State) (t prompts.Tried) {
	angles, types := map[string]int{}, map[string]int{}
	for _, search := range st.Searches {
		angles[search.Angle]++
	}
	for _, src := range st.Sources {
		types[src.SourceType]++
		if day := src.PublishedAt; day != "" {
			if t.Oldest == "" || day < t.Oldest {
				t.Oldest = day
			}
			t.Newest = max(t.Newest, day)
		}
	}
	for _, name := range prompts.AngleNames() {
		t.Angles = append(t.Angles, prompts.Count{Name: name, N: angles[name]})
	}
	for _, name := range docid.SourceTypes() {
		t.SourceTypes = append(t.SourceTypes, prompts.Count{Name: name, N: types[name]})
	}
	return t
}

// topicsOf returns what a prompt shows passages for: the target gap, the question and its parts.
func topicsOf(st *loopstate.State) []string {
	var topics []string
	if g, ok := st.Target(); ok {
		topics = append(topics, g.Gap, g.Query)
	}
	topics = append(append(topics, Subjects(st.Query)...), st.Query)
	for _, d := range firstOf(st.Dimensions, promptFewItems) {
		topics = append(topics, d.Dimension)
	}
	topics = append(topics, firstOf(st.Rubrics, promptFewItems)...)
	for _, x := range firstOf(st.Contradictions, promptFewItems) {
		topics = append(topics, x.Topic)
	}
	return slices.DeleteFunc(topics, func(t string) bool { return t == "" })
}

// originals picks verbatim passages of the stored texts within a budget in tokens: with half of it the best one for each claim in
// each of its sources; then the best ones for the topics, of each one first. The result is sorted by source and place.
func (s *Service) originals(
	ctx context.Context, loop string, sources []loopstate.Source, claims []loopstate.Claim, topics []string, budget int,
) ([]prompts.Passage, error) {
	byID, wanted := map[string]loopstate.Source{}, map[string]bool{}
	for _, src := range sources {
		byID[src.ID] = src
	}
	for i, chars := len(sources)-1, 0; i >= 0 && chars < maxIndexedChars/2; i-- { // counts only in a loop too large to index whole
		wanted[sources[i].ID] = true
		chars += sources[i].Chars
	}
	index, err := s.index(ctx, loop, sources, wanted)
	if err != nil {
		return nil, err
	}
	p := picked{left: budget}
	for _, c := range firstOf(claims, maxPromptQueries) {
		for _, id := range c.SourceIDs {
			if p.left < budget/2 {
				break
			}
			for _, hit := range index.Search(c.Claim, 1, Among([]string{id})) {
				p.add(hit, c.ID)
			}
		}
	}
	known := func(id string) bool { return byID[id].ID != "" } // another call may have read and indexed more
	found, _ := index.SearchAll(firstOf(topics, maxPromptQueries), MaxPassages, known)
	for _, hit := range found {
		p.add(hit.Hit)
	}
	for i := range p.passages {
		q := &p.passages[i]
		text, err := s.preparedText(ctx, byID[q.SourceID])
		if err != nil {
			return nil, err
		}
		q.Lines = lines.Ranges{text.Lines().Lines(q.Start, q.End)}.String()
		q.Page = byID[q.SourceID].Pages.At(q.Start)
	}
	slices.SortFunc(p.passages, func(a, b prompts.Passage) int {
		return cmp.Or(cmp.Compare(idNumber(a.SourceID), idNumber(b.SourceID)), cmp.Compare(a.Start, b.Start))
	})
	return p.passages, nil
}

// picked collects passages while they fit.
type picked struct {
	passages []prompts.Passage
	left     int // tokens
}

// add picks a passage for claims if it fits. One that overlaps a picked passage adds only its claims to that.
func (p *picked) add(hit passage.Hit, claims ...string) {
	at := prompts.Passage{SourceID: hit.Doc, Start: hit.Passage.Start, End: hit.Passage.End, Text: hit.Passage.Text, Claims: claims}
	for i := range p.passages {
		if q := &p.passages[i]; q.SourceID == at.SourceID && at.Start < q.End && q.Start < at.End {
			q.Claims = append(q.Claims, at.Claims...)
			return
		}
	}
	if cost := promptPassageOverhead + EstimateTokens(at.Text); cost <= p.left {
		p.left -= cost
		p.passages = append(p.passages, at)
	}
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
