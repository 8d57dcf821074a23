package loops

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/views"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	// maxDraftShown bounds the part of a draft in one brief, in characters (chosen: some 30 pages; the longest text of a trial had 20,000).
	maxDraftShown = 80_000
	// criticSourceTokens bounds the list of sources in a critic's brief (chosen: some 100 sources).
	criticSourceTokens = 4_000
)

// CriticData returns the data of the prompt critic: a draft that was checked and that no critic has read, or else the claims with
// original passages.
func (s *Service) CriticData(ctx context.Context, loop string) (prompts.Loop, error) {
	waits, err := s.waitsForCritic(ctx, loop)
	if err != nil || !waits {
		return s.PromptData(ctx, loop, PromptTokens)
	}
	return s.draftData(ctx, loop, 1)
}

// waitsForCritic reports whether a draft was checked that is not the one that the last critic read.
func (s *Service) waitsForCritic(ctx context.Context, loop string) (waits bool, err error) {
	return peek(ctx, s, loop, func(st *loopstate.State) bool { return st.Checked != nil && st.Checked.SHA256 != st.LastCriticised() })
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
		if st.Checked == nil {
			return &loopstate.Error{Code: loopstate.CodeNoDraft, Subject: "view"}
		}
		hash, out = st.Checked.SHA256, views.PromptOf(st)
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
	if sources, d.LeftOut = views.Within(sources, criticSourceTokens, prompts.DraftSourceLine); len(sources) > 0 {
		for i, src := range sources {
			text, err := s.preparedText(ctx, src.Source)
			if err != nil {
				return out, err
			}
			sources[i].Lines = text.Lines().Len()
		}
		slices.SortFunc(sources, func(a, b prompts.DraftSource) int { return cmp.Compare(views.IDNumber(a.ID), views.IDNumber(b.ID)) })
	}
	d.Sources = sources
	out.Draft, out.Sources, out.Claims, out.Contradictions, out.Failures, out.Synthesis = d, nil, nil, nil, nil, ""
	views.BoundPrompt(&out)
	return out, nil
}

var sourceID = lazyregexp.New(`\bS\d+\b`)

// checkPoints checks that the lines of a critic's points exist, and writes them in one form. The error names all that do not.
func (s *Service) checkPoints(ctx context.Context, loop string, points []loopstate.Point) error {
	if !slices.ContainsFunc(points, func(p loopstate.Point) bool { return strings.TrimSpace(p.Lines) != "" }) || len(points) > loopstate.MaxPoints {
		return nil // the step checks the rest
	}
	read, err := s.Sources(ctx, loop)
	if err != nil {
		return err
	}
	sources := map[string]loopstate.Source{}
	for _, src := range read {
		sources[src.ID] = src
	}
	var wrong []string
	for i := range points {
		var kept []string
		for _, ref := range lines.References(points[i].Lines) {
			problem, err := s.lineProblem(ctx, sources, &ref)
			if err != nil {
				return err
			}
			if problem != "" {
				wrong = append(wrong, fmt.Sprintf("points[%d]: %s %s", i, views.Shorten(ref, 40), problem))
			}
			kept = append(kept, ref)
		}
		points[i].Lines = strings.Join(kept, "; ")
	}
	if len(wrong) > 0 {
		return &loopstate.Error{Code: loopstate.CodeBadLines, Subject: "points", Value: views.Shorten(strings.Join(wrong, "; "), maxWrongChars)}
	}
	return nil
}

// maxWrongChars bounds the list of lines that do not exist, in an error (chosen: that of 25 points).
const maxWrongChars = 2_000

var lineReference = lazyregexp.New(`^[Ss](\d+)(?::\s*(.+))?$`)

// lineProblem says what is wrong with a reference, or nothing, and writes a valid one as citations are written.
func (s *Service) lineProblem(ctx context.Context, sources map[string]loopstate.Source, ref *string) (problem string, err error) {
	parts := lineReference.FindStringSubmatch(*ref)
	if parts == nil {
		return "is not written as S1:120, S1:120-128 or S1:120,140", nil
	}
	id := "S" + parts[1]
	src, ok := sources[id]
	if !ok {
		return "was never read", nil
	}
	if parts[2] == "" {
		*ref = id
		return "", nil
	}
	ranges, ok := lines.ParseRanges(parts[2])
	if !ok {
		return "is not written as S1:120, S1:120-128 or S1:120,140", nil
	}
	text, err := s.preparedText(ctx, src)
	if err != nil {
		return "", err
	}
	*ref = id + ":" + ranges.String()
	if !text.Lines().Has(ranges) {
		return fmt.Sprintf("does not exist (%s has %d lines)", id, text.Lines().Len()), nil
	}
	return "", nil
}
