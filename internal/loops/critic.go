package loops

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	// maxDraftShown bounds the part of a draft in one brief, in characters (chosen: some 30 pages; the longest text of a trial had 20,000).
	maxDraftShown = 80_000
	// criticSourceTokens bounds the list of sources in a critic's brief (chosen: some 100 sources).
	criticSourceTokens = 4_000
)

// CriticData returns the data of the prompt critic: the draft that was checked last, or else the claims with original passages.
func (s *Service) CriticData(ctx context.Context, loop string) (prompts.Loop, error) {
	has, err := s.hasDraft(ctx, loop)
	if err != nil || !has {
		return s.PromptData(ctx, loop, PromptTokens)
	}
	return s.draftData(ctx, loop, 1)
}

func (s *Service) hasDraft(ctx context.Context, loop string) (bool, error) {
	return peek(ctx, s, loop, func(st *loopstate.State) bool { return st.Draft != nil })
}

// CriticBrief returns the brief of a critic of the draft that was checked last, from one of its lines on, and the first line that does not
// fit, or 0.
func (s *Service) CriticBrief(ctx context.Context, loop string, from int) (brief string, next int, err error) {
	data, err := s.draftData(ctx, loop, from)
	if err != nil {
		return "", 0, err
	}
	for _, p := range prompts.All() {
		if p.Drafts {
			brief, err = p.Render(data, map[string]string{prompts.ArgStateID: loop})
		}
	}
	return brief, data.Draft.Next(), err
}

// draftData returns what a critic of the draft gets, from a line of the draft on.
func (s *Service) draftData(ctx context.Context, loop string, from int) (prompts.Loop, error) {
	var out prompts.Loop
	hash := ""
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		if st.Draft == nil {
			return &loopstate.Error{Code: loopstate.CodeNoDraft, Subject: "view"}
		}
		hash, out = st.Draft.SHA256, promptOf(st)
		return nil
	})
	if err != nil {
		return out, err
	}
	text, err := s.storedText(ctx, "the draft", hash)
	if err != nil {
		return out, err
	}
	d := &prompts.Draft{First: from, Folder: s.showFolder(ctx, loop)}
	all := strings.Split(strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
	if d.Of = len(all); from < 1 || from > d.Of {
		return out, &loopstate.Error{Code: loopstate.CodeBadCursor, Subject: "cursor", Value: strconv.Itoa(from)}
	}
	shown := 0
	for _, line := range all[from-1:] {
		if shown += len(line); shown > maxDraftShown && len(d.Lines) > 0 {
			break
		}
		d.Lines = append(d.Lines, line)
	}
	cited := map[string]bool{}
	for _, id := range sourceID.FindAllString(text, -1) {
		cited[id] = true
	}
	first := func(src loopstate.Source) int { // those of the draft first, if not all fit
		if cited[src.ID] {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out.Sources, func(a, b loopstate.Source) int { return cmp.Compare(first(a), first(b)) })
	var sources []prompts.DraftSource
	for _, src := range out.Sources {
		sources = append(sources, prompts.DraftSource{Source: src})
	}
	if sources, d.LeftOut = within(sources, criticSourceTokens, prompts.DraftSourceLine); len(sources) > 0 {
		for i, src := range sources {
			text, err := s.preparedText(ctx, src.Source)
			if err != nil {
				return out, err
			}
			sources[i].Lines = text.Lines().Len()
		}
		slices.SortFunc(sources, func(a, b prompts.DraftSource) int { return cmp.Compare(idNumber(a.ID), idNumber(b.ID)) })
	}
	d.Sources = sources
	out.Draft, out.Sources, out.Claims, out.Contradictions, out.Failures, out.Synthesis = d, nil, nil, nil, nil, ""
	boundPrompt(&out)
	return out, nil
}

var sourceID = lazyregexp.New(`\bS\d+\b`)
