package loops

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	originalChars    = 4_000 // of the stored texts in a prompt: a host has already read them, and can search them again
	originalQueries  = 50    // about seven passages fit
	originalTopics   = 4     // of these; the others are the claims
	promptSynthesis  = 1_500 // characters of the last synthesis in a prompt
	passagesOfPrompt = 2     // for each query, the second one if there is space
)

// Prompt renders a prompt for one of the caller's loops, or for a question without a loop.
func (s *Service) Prompt(ctx context.Context, p prompts.Prompt, given map[string]string) (string, error) {
	if err := p.Check(given); err != nil { // before anything is loaded
		return "", err
	}
	l, err := s.promptData(ctx, p, strings.TrimSpace(given[prompts.ArgStateID]), given[prompts.ArgQuery], 1)
	if err != nil {
		return "", err
	}
	return p.Render(l, given)
}

// promptData returns the data of a prompt: with the draft that was checked last, from one of its lines on, for a prompt that shows it; or
// with passages of the stored texts.
func (s *Service) promptData(ctx context.Context, p prompts.Prompt, loop, question string, line int) (prompts.Loop, error) {
	st, err := s.snapshotOrNew(ctx, loop, question)
	if err != nil {
		return prompts.Loop{}, err
	}
	parts, draft := partsOf(st), st.Draft
	l := prompts.Of(st)
	if p.Drafts && draft != nil {
		text, err := s.storedText(ctx, "the draft", draft.SHA256)
		if err != nil {
			return l, err
		}
		var ok bool
		if l.Part, ok = prompts.PartOf(text, line, s.Folder(ctx, loop)); !ok {
			return l, &loopstate.Error{Code: loopstate.CodeBadCursor, Subject: "cursor", Value: strconv.Itoa(line)}
		}
		return l, nil
	}
	if l.LastText, err = s.storedText(ctx, "the synthesis", st.Synthesis); err != nil {
		return l, err
	}
	l.LastText = loopstate.Shorten(l.LastText, promptSynthesis)
	if p.Originals && len(st.Sources) > 0 {
		l.Passages, err = s.originals(ctx, st, parts)
	}
	return l, err
}

// snapshotOrNew returns a copy of the state of a loop, or the state of a new one for the question.
func (s *Service) snapshotOrNew(ctx context.Context, loop, question string) (*loopstate.State, error) {
	if loop != "" {
		return s.Snapshot(ctx, loop, 0)
	}
	p, err := loopstate.Start(loopstate.StartInput{Query: question}, "", s.Now())
	return &loopstate.State{Started: p}, err
}

// originals finds passages of the stored texts for the target gap and the parts of the question, and for the claims. They are sorted by
// source and place.
func (s *Service) originals(ctx context.Context, st *loopstate.State, parts []string) (out []prompts.Passage, err error) {
	var queries []string
	if g, ok := st.Target(); ok {
		queries = append(queries, g.Gap)
	}
	queries = firstOf(append(queries, parts...), originalTopics)
	for _, c := range st.CurrentClaims() {
		queries = append(queries, c.Claim)
	}
	found, err := s.Find(ctx, FindInput{Loop: st.Loop, Queries: firstOf(queries, originalQueries), Limit: passagesOfPrompt,
		Chars: originalChars})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found.Passages, func(a, b FoundPassage) int {
		return cmp.Or(cmp.Compare(len(a.SourceID), len(b.SourceID)), cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.Start, b.Start))
	})
	for _, f := range found.Passages {
		out = append(out, prompts.Passage{SourceID: f.SourceID, Lines: f.Lines, Page: f.Page, Text: f.Text})
	}
	return out, nil
}

func firstOf[T any](items []T, n int) []T { return items[:min(n, len(items))] }

// criticPage sets the brief of the critic and nothing else of the loop that would tell what the author thought. The cursor is a line of the
// draft.
func (s *Service) criticPage(ctx context.Context, v *View, cursor string) error {
	line, err := strconv.Atoi(cmp.Or(cursor, "1"))
	if err != nil {
		return &loopstate.Error{Code: loopstate.CodeBadCursor, Subject: "cursor", Value: loopstate.Shorten(cursor, 40)}
	}
	v.Coverage, v.Decision = nil, wording.Decision{}
	all := prompts.All()
	p := all[slices.IndexFunc(all, func(p prompts.Prompt) bool { return p.Drafts })]
	l, err := s.promptData(ctx, p, v.StateID, "", line)
	if err != nil {
		return err
	}
	if l.Part == nil {
		v.Critic = "There is no draft to read: nothing was checked as a draft yet."
		return nil
	}
	if l.Part.Next > 0 {
		v.NextCursor = strconv.Itoa(l.Part.Next)
	}
	v.Critic, err = p.Render(l, map[string]string{prompts.ArgStateID: v.StateID})
	return err
}
