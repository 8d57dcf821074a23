package loops

import (
	"context"

	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/loopstate"
)

// PromptTokens is how much of the stored texts a prompt has. A host has already read them, and can search them again.
const PromptTokens = 1_000

// PromptData returns the data of a loop for prompts, with passages of the stored texts of at most budgetTokens tokens in
// total by [EstimateTokens].
func (s *Service) PromptData(ctx context.Context, loop string, budgetTokens int) (prompts.Loop, error) {
	var out prompts.Loop
	var wanted OriginalsWanted
	var synthesis string
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		out, synthesis = PromptOf(st), st.Synthesis
		if budgetTokens > 0 {
			wanted = OriginalsOf(st)
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
	out.Synthesis = clipped(out.Synthesis, MaxSynthesisChars)
	if budgetTokens > 0 {
		if out.Passages, err = s.originals(ctx, loop, wanted, budgetTokens); err != nil {
			return out, err
		}
	}
	BoundPrompt(&out)
	return out, nil
}

// PromptFor returns the data for prompts of a question without a loop.
func (s *Service) PromptFor(_ context.Context, question string) (prompts.Loop, error) {
	p, err := loopstate.Start(loopstate.StartInput{Query: question}, "", s.Now())
	if err != nil {
		return prompts.Loop{}, err
	}
	return prompts.Loop{Question: p.Query, AsOf: p.AsOf, Complexity: p.Complexity, Round: 1, RoundsLeft: p.Budget.Rounds, TokensLeft: p.Budget.Tokens, CompleteAt: p.Complete}, nil
}

// originals returns passages of the loop's texts for a prompt.
func (s *Service) originals(ctx context.Context, loop string, w OriginalsWanted, budget int) ([]prompts.Passage, error) {
	if len(w.Sources) == 0 {
		return nil, nil
	}
	cited := map[string]bool{}
	for _, c := range w.Claims {
		for _, id := range c.SourceIDs {
			cited[id] = true
		}
	}
	for i, chars := len(w.Sources)-1, 0; i >= 0 && chars < maxIndexedChars/2; i-- { // counts only in a loop too large to index whole
		cited[w.Sources[i].ID] = true
		chars += w.Sources[i].Chars
	}
	index, err := s.index(ctx, loop, w.Sources, cited)
	if err != nil {
		return nil, err
	}
	return Originals(w, index, func(src loopstate.Source) (string, error) { return s.text(ctx, src) }, budget)
}
