package loops

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/citeloop/citeloop/loopstate"
)

// Views returns the names of all views.
func Views() []string {
	return []string{"brief", "full", "rounds", "sources", "claims", "searches", "critic", "events"}
}

// View is one view of a loop. The lists of other views are empty.
type View struct {
	StateID   string              `json:"state_id"`
	Version   int64               `json:"version" jsonschema:"the number of the last event seen"`
	View      string              `json:"view"`
	Query     string              `json:"query"`
	AsOf      string              `json:"as_of"`
	Status    string              `json:"status" jsonschema:"running, finished or aborted"`
	Round     int                 `json:"round" jsonschema:"rounds closed"`
	Progress  Progress            `json:"progress"`
	Remaining loopstate.Remaining `json:"budget_remaining"`
	Cost      *Cost               `json:"cost,omitempty" jsonschema:"so far"`
	Decision  loopstate.Decision  `json:"decision"`
	Coverage  *loopstate.Coverage `json:"coverage,omitempty" jsonschema:"as the host judged it last"`
	Folder    string              `json:"folder,omitempty" jsonschema:"the loop as files"`

	Brief      *Brief             `json:"brief,omitempty" jsonschema:"view brief: all that a host with an empty context needs"`
	Loop       *LoopState         `json:"loop,omitempty" jsonschema:"view full"`
	Rounds     []loopstate.Round  `json:"rounds,omitempty"`
	Sources    []ViewedSource     `json:"sources,omitempty"`
	Claims     []loopstate.Claim  `json:"claims,omitempty"`
	Searches   []loopstate.Search `json:"searches,omitempty"`
	Critic     string             `json:"critic,omitempty" jsonschema:"view critic: the brief of who reads the draft and has not written it"`
	Events     []loopstate.Event  `json:"events,omitempty"`
	NextCursor string             `json:"next_cursor,omitempty" jsonschema:"more follows; pass it as cursor"`
}

// ViewedSource is a source and how many of its characters were shown.
type ViewedSource struct {
	loopstate.Source
	ShownChars int `json:"shown_chars" jsonschema:"of chars; 0: nobody has read it"`
}

// LoopState is the full view of a loop.
type LoopState struct {
	Round           int                 `json:"round"`
	BudgetRemaining loopstate.Remaining `json:"budget_remaining"`
	Context         struct {
		Query      string                `json:"query"`
		Rubrics    []string              `json:"rubrics"`
		AsOf       string                `json:"as_of"`
		Complexity string                `json:"complexity"`
		Dimensions []loopstate.Dimension `json:"dimensions"`
		Entity     *loopstate.Entity     `json:"entity,omitempty"`
	} `json:"context"`
	Progress struct {
		Gaps              []string             `json:"gaps"`
		AnsweredGaps      []string             `json:"answered_gaps"`
		OpenQuestions     []string             `json:"open_questions"`
		AllQuestions      []string             `json:"all_questions"`
		VisitedURLs       []string             `json:"visited_urls"`
		BadURLs           []loopstate.BadURL   `json:"bad_urls"`
		Evidence          []loopstate.Evidence `json:"evidence"`
		EvaluatorFailures []string             `json:"evaluator_failures"`
		Points            []loopstate.Point    `json:"points,omitempty"`
		CriticDeclined    string               `json:"critic_declined,omitempty"`
	} `json:"progress"`
	Decision       loopstate.Decision `json:"decision"`
	Synthesis      string             `json:"synthesis,omitempty" jsonschema:"the last one, its end cut where it is long"`
	SynthesisChars int                `json:"synthesis_chars,omitempty"`
}

// viewTokens is reserved for the parts of a view besides its list.
const viewTokens = 1_000

// ViewInput selects a view. Round 0 is now; another round is the loop at the end of that round.
type ViewInput struct {
	Loop   string
	View   string
	Round  int
	Cursor string
}

// State returns a view of a loop.
func (s *Service) State(ctx context.Context, in ViewInput) (View, error) {
	if in.View == "" {
		in.View = "brief"
	}
	if !slices.Contains(Views(), in.View) {
		return View{}, &loopstate.Error{Code: loopstate.CodeUnknownValue, Subject: "view", Value: shorten(in.View, 40), Valid: Views()}
	}
	var out View
	var synthesis string
	look := func(st *loopstate.State) error {
		var err error
		synthesis = st.Synthesis
		var open loopstate.Answered
		if in.Round == 0 {
			open = s.meter.of(in.Loop)
		}
		out, err = viewOf(st, in, costOf(st, open))
		return err
	}
	if in.Round != 0 {
		if err := s.viewAt(ctx, in.Loop, in.Round, look); err != nil {
			return out, err
		}
	} else if err := s.view(ctx, in.Loop, look); err != nil {
		return out, err
	}
	switch in.View {
	case "brief":
		out.Folder = s.showFolder(ctx, in.Loop)
	case "critic":
		return out, s.criticPage(ctx, &out, in.Cursor)
	case "events":
		return out, s.eventsPage(ctx, &out, in)
	case "full":
		text, err := s.synthesis(ctx, synthesis)
		out.Loop.Synthesis = clipped(text, maxSynthesisShown)
		return out, err
	}
	return out, nil
}

// maxSynthesisShown bounds the synthesis in the full view, in characters. A long one leaves less space for the evidence.
const maxSynthesisShown = 10_000

// synthesis returns the synthesis with a hash, or "" for an empty hash.
func (s *Service) synthesis(ctx context.Context, hash string) (string, error) {
	if hash == "" {
		return "", nil
	}
	return s.storedText(ctx, "the synthesis", hash)
}

// storedText returns a stored text by its hash. name names it in errors.
func (s *Service) storedText(ctx context.Context, name, hash string) (string, error) {
	h, err := loopstate.ParseHash(hash)
	if err != nil {
		return "", fmt.Errorf("loops: %s: %w", name, err)
	}
	text, err := s.Store.Blob(ctx, h)
	if err != nil {
		return "", fmt.Errorf("loops: %s: %w", name, err)
	}
	return string(text), nil
}

func clipped(text string, chars int) string {
	if r := []rune(text); len(r) > chars {
		return string(r[:chars]) + "…"
	}
	return text
}

// viewAt calls look with the state at the end of a round, by replaying the log.
func (s *Service) viewAt(ctx context.Context, loop string, round int, look func(*loopstate.State) error) error {
	closed := 0
	if err := s.view(ctx, loop, func(st *loopstate.State) error { closed = st.Round; return nil }); err != nil {
		return err
	}
	if round < 1 || round > closed {
		return &loopstate.Error{Code: loopstate.CodeRoundOpen, Subject: "round", Value: strconv.Itoa(round), Limit: int64(closed)}
	}
	var st *loopstate.State
	for e, err := range s.Store.Load(ctx, loop, 0) {
		if errors.Is(err, loopstate.ErrNotFound) {
			return unknownLoop()
		}
		if err != nil {
			return err
		}
		if st, err = loopstate.Apply(st, e); err != nil {
			return err
		}
		if st.Round == round {
			return look(st)
		}
	}
	if st == nil { // deleted in the meantime
		return unknownLoop()
	}
	return fmt.Errorf("loops: the log of loop %s ends before round %d", loop, round)
}

// headOf returns the parts that all views have.
func headOf(st *loopstate.State, view string) View {
	return View{StateID: st.Loop, Version: st.Seq, View: view, Query: st.Query, AsOf: st.AsOf, Status: st.Status(), Round: st.Round,
		Progress: progressOf(st), Remaining: st.Remaining(), Decision: loopstate.Decide(st), Coverage: st.Coverage}
}

// viewedSources returns the sources without internal fields, and how many of their characters were shown.
func viewedSources(st *loopstate.State) []ViewedSource {
	sources := make([]ViewedSource, len(st.Sources))
	for i, src := range st.Sources {
		sources[i] = ViewedSource{src, st.Shown[src.ID].Chars()}
		sources[i].Pages, sources[i].Capture = nil, nil
	}
	return sources
}

func viewOf(st *loopstate.State, in ViewInput, cost Cost) (View, error) {
	v := headOf(st, in.View)
	v.Cost = &cost
	var err error
	switch in.View {
	case "brief":
		v.Query, v.Decision = shorten(v.Query, 600), inShort(v.Decision)
		if st.Coverage != nil { // the other views have dimensions and reasons
			v.Coverage = &loopstate.Coverage{Overall: st.Coverage.Overall}
		}
		v.brief(st)
	case "full":
		v.Loop, v.NextCursor, err = fullOf(st, in.Cursor)
	case "rounds":
		v.Rounds, v.NextCursor, err = page(st.Rounds, in.Cursor, AnswerTokens-viewTokens)
	case "sources":
		v.Sources, v.NextCursor, err = page(viewedSources(st), in.Cursor, AnswerTokens-viewTokens)
	case "claims":
		v.Claims, v.NextCursor, err = page(st.Claims, in.Cursor, AnswerTokens-viewTokens)
	case "searches":
		v.Searches, v.NextCursor, err = page(st.Searches, in.Cursor, AnswerTokens-viewTokens)
	}
	return v, err
}

// inShort shortens a decision for the brief.
func inShort(d loopstate.Decision) loopstate.Decision {
	d.Target, d.StopReason, d.Because = shorten(d.Target, 200), shorten(d.StopReason, 200), shorten(d.Because, 600)
	for i := range d.NextQueries { // the lists are new
		d.NextQueries[i] = shorten(d.NextQueries[i], 200)
	}
	for i := range d.NextURLsToFetch {
		d.NextURLsToFetch[i] = shorten(d.NextURLsToFetch[i], 300)
	}
	return d
}

// fullOf returns the whole state, with a page of the evidence.
func fullOf(st *loopstate.State, cursor string) (*LoopState, string, error) {
	f := &LoopState{Round: st.Round, BudgetRemaining: st.Remaining(), Decision: loopstate.Decide(st)}
	f.Context.Query, f.Context.Rubrics, f.Context.AsOf = st.Query, slices.Clone(st.Rubrics), st.AsOf
	f.Context.Complexity, f.Context.Dimensions, f.Context.Entity = st.Complexity, slices.Clone(st.Dimensions), st.Entity
	f.Progress.Gaps, f.Progress.AnsweredGaps, f.Progress.OpenQuestions = []string{}, []string{}, []string{}
	for _, g := range st.GapsWith("all") {
		switch g.Status {
		case loopstate.GapOpen:
			f.Progress.Gaps = append(f.Progress.Gaps, g.Gap)
		case loopstate.GapAnswered:
			f.Progress.AnsweredGaps = append(f.Progress.AnsweredGaps, g.Gap)
		case loopstate.GapUnanswerable:
			f.Progress.OpenQuestions = append(f.Progress.OpenQuestions, g.Gap+" — "+g.Why)
		}
	}
	f.Progress.AllQuestions, f.Progress.VisitedURLs = slices.Clone(st.Questions), slices.Clone(st.Visited)
	f.Progress.BadURLs, f.Progress.EvaluatorFailures = slices.Clone(st.Bad), slices.Clone(st.Failures)
	f.Progress.Points, f.Progress.CriticDeclined = slices.Clone(st.Points), st.CriticDeclined
	f.SynthesisChars = st.SynthesisLen
	var next string
	var err error
	// A character of the synthesis counts as half a token: Chinese text costs more, English less.
	f.Progress.Evidence, next, err = page(st.Evidence, cursor, max(AnswerTokens-viewTokens-tokensOf(f)-min(st.SynthesisLen, maxSynthesisShown)/2, AnswerTokens/4))
	return f, next, err
}

// criticPage sets the brief of the critic and nothing else of the loop that would tell what the author thought. The cursor is a line of the
// draft.
func (s *Service) criticPage(ctx context.Context, v *View, cursor string) error {
	from, err := 1, error(nil)
	if cursor != "" {
		if from, err = strconv.Atoi(cursor); err != nil {
			return &loopstate.Error{Code: loopstate.CodeBadCursor, Subject: "cursor", Value: shorten(cursor, 40)}
		}
	}
	waits, err := s.waitsForCritic(ctx, v.StateID)
	if err != nil {
		return err
	}
	brief, next := "No draft waits for a critic: nothing was checked as a draft since the last one was read.", 0
	if !waits {
		err = s.view(ctx, v.StateID, func(st *loopstate.State) error { brief += pointsForAuthor(st.UnansweredPoints()); return nil })
	} else {
		brief, next, err = s.CriticBrief(ctx, v.StateID, from)
	}
	if err != nil {
		return err
	}
	v.Critic, v.Coverage, v.Cost, v.Decision = brief, nil, nil, loopstate.Decision{NextQueries: []string{}, NextURLsToFetch: []string{}}
	if next > 0 {
		v.NextCursor = strconv.Itoa(next)
	}
	return nil
}

// eventsPage sets a page of the log up to the version of the view.
func (s *Service) eventsPage(ctx context.Context, v *View, in ViewInput) error {
	var events []loopstate.Event
	var err error
	for e, failed := range s.Store.Load(ctx, in.Loop, 0) {
		if failed != nil {
			return failed
		}
		if e.Seq > v.Version {
			break
		}
		if e.Kind == loopstate.KindReviewOpened {
			if e, err = withoutRoles(e); err != nil {
				return err
			}
		}
		events = append(events, e)
	}
	v.Events, v.NextCursor, err = page(events, in.Cursor, AnswerTokens-viewTokens)
	return err
}

// withoutRoles removes from an event what distinguishes planted errors, controls and claims, because the host must not
// tell its second reader.
func withoutRoles(e loopstate.Event) (loopstate.Event, error) {
	p, err := payloadOf[loopstate.ReviewOpened](e)
	if err != nil {
		return e, err
	}
	p.Seed = ""
	for i := range p.Items {
		p.Items[i] = loopstate.ReviewItem{Item: p.Items[i].Item, Passages: p.Items[i].Passages, Claim: p.Items[i].Claim}
	}
	shown, err := loopstate.NewEvent(e.Loop, e.Seq, e.At, e.Op, p)
	shown.Version = e.Version
	return shown, err
}
