package loops

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// View is one view of a loop. The lists of other views are empty.
type View struct {
	StateID   string              `json:"state_id"`
	Version   int64               `json:"version"` // the number of the last event seen
	View      string              `json:"view"`
	Query     string              `json:"query,omitempty"`
	AsOf      string              `json:"as_of"`
	Status    string              `json:"status"` // running, finished or aborted
	Round     int                 `json:"round"`  // rounds closed
	Progress  Progress            `json:"progress"`
	Remaining loopstate.Amounts   `json:"budget_remaining"`
	Decision  wording.Decision    `json:"decision,omitzero"`
	Coverage  *loopstate.Coverage `json:"coverage,omitempty"` // as the host judged it last
	Folder    string              `json:"folder,omitempty"`   // the loop as files

	Brief      *Brief             `json:"brief,omitempty"` // view brief: all that a host with an empty context needs
	Loop       *LoopState         `json:"loop,omitempty"`  // view full
	Rounds     []loopstate.Round  `json:"rounds,omitempty"`
	Sources    []loopstate.Source `json:"sources,omitempty"`
	Claims     []loopstate.Claim  `json:"claims,omitempty"`
	Searches   []loopstate.Search `json:"searches,omitempty"`
	Critic     string             `json:"critic,omitempty"` // view critic: the brief of who reads the draft and did not write it
	Events     []loopstate.Event  `json:"events,omitempty"`
	NextCursor string             `json:"next_cursor,omitempty"` // more follows; pass it as cursor
}

// LoopState is the full view of a loop.
type LoopState struct {
	Round           int               `json:"round"`
	BudgetRemaining loopstate.Amounts `json:"budget_remaining"`
	Context         struct {
		Query      string                `json:"query,omitempty"`
		Rubrics    []string              `json:"rubrics,omitempty"`
		AsOf       string                `json:"as_of"`
		Complexity string                `json:"complexity"`
		Dimensions []loopstate.Dimension `json:"dimensions,omitempty"`
		Entity     *loopstate.Entity     `json:"entity,omitempty"`
	} `json:"context"`
	Progress struct {
		Gaps              []string             `json:"gaps"`
		AnsweredGaps      []string             `json:"answered_gaps,omitempty"`
		OpenQuestions     []string             `json:"open_questions,omitempty"`
		AllQuestions      []string             `json:"all_questions,omitempty"`
		VisitedURLs       []string             `json:"visited_urls,omitempty"`
		BadURLs           []loopstate.BadURL   `json:"bad_urls,omitempty"`
		Evidence          []loopstate.Evidence `json:"evidence"`
		EvaluatorFailures []string             `json:"evaluator_failures,omitempty"`
	} `json:"progress"`
	Decision       wording.Decision `json:"decision,omitzero"`
	Synthesis      string           `json:"synthesis,omitempty"` // the last one, its end cut where it is long
	SynthesisChars int              `json:"synthesis_chars,omitempty"`
}

// ViewTokens is reserved for the parts of a view besides its list.
const ViewTokens = 1_000

// MaxSynthesisShown bounds the synthesis in the full view, in characters. A long one leaves less space for the evidence.
const MaxSynthesisShown = 10_000

// viewedSources returns the sources without internal fields.
func viewedSources(st *loopstate.State) []loopstate.Source {
	sources := slices.Clone(st.Sources)
	for i := range sources {
		sources[i].Pages, sources[i].Furniture, sources[i].Capture = nil, nil, nil
	}
	return sources
}

// viewOf returns a view of a state. cursor is where its list continues.
func viewOf(st *loopstate.State, view, cursor string) (View, error) {
	v := View{StateID: st.Loop, Version: st.Seq, View: view, Query: st.Query, AsOf: st.AsOf, Status: st.Status(), Round: st.Round,
		Progress: ProgressOf(st), Remaining: st.Remaining(), Decision: wording.Advised(st), Coverage: st.Coverage}
	var err error
	switch view {
	case "brief":
		v.Query, v.Decision = loopstate.Shorten(v.Query, 600), inShort(v.Decision)
		if st.Coverage != nil { // the other views have dimensions and reasons
			v.Coverage = &loopstate.Coverage{Overall: st.Coverage.Overall}
		}
		v.brief(st)
	case "full":
		v.Loop, v.NextCursor, err = fullOf(st, cursor)
	case "rounds":
		v.Rounds, v.NextCursor, err = Page(st.Rounds, cursor, AnswerTokens-ViewTokens)
	case "sources":
		v.Sources, v.NextCursor, err = Page(viewedSources(st), cursor, AnswerTokens-ViewTokens)
	case "claims":
		v.Claims, v.NextCursor, err = Page(st.Claims, cursor, AnswerTokens-ViewTokens)
	case "searches":
		v.Searches, v.NextCursor, err = Page(st.Searches, cursor, AnswerTokens-ViewTokens)
	}
	return v, err
}

// inShort shortens a decision for the brief.
func inShort(d wording.Decision) wording.Decision {
	d.Target, d.StopReason = loopstate.Shorten(d.Target, 200), loopstate.Shorten(d.StopReason, 200)
	d.Because = loopstate.Shorten(d.Because, 600)
	for i := range d.NextQueries { // the lists are new
		d.NextQueries[i] = loopstate.Shorten(d.NextQueries[i], 200)
	}
	for i := range d.NextURLsToFetch {
		d.NextURLsToFetch[i] = loopstate.Shorten(d.NextURLsToFetch[i], 300)
	}
	return d
}

// fullOf returns the whole state, with a page of the evidence.
func fullOf(st *loopstate.State, cursor string) (*LoopState, string, error) {
	f := &LoopState{Round: st.Round, BudgetRemaining: st.Remaining(), Decision: wording.Advised(st)}
	f.Context.Query, f.Context.Rubrics, f.Context.AsOf = st.Query, slices.Clone(st.Rubrics), st.AsOf
	f.Context.Complexity, f.Context.Dimensions, f.Context.Entity = st.Complexity, slices.Clone(st.Dimensions), st.Entity
	f.Progress.Gaps, f.Progress.AnsweredGaps = wordsOf(st.OpenGaps()), wordsOf(st.GapsWith(loopstate.GapAnswered))
	for _, g := range st.GapsWith(loopstate.GapUnanswerable) {
		f.Progress.OpenQuestions = append(f.Progress.OpenQuestions, g.Gap+" — "+g.Why)
	}
	f.Progress.AllQuestions, f.Progress.VisitedURLs = slices.Clone(st.Questions), slices.Clone(st.Visited)
	f.Progress.BadURLs, f.Progress.EvaluatorFailures = slices.Clone(st.Bad), slices.Clone(st.Failures)
	f.SynthesisChars = st.SynthesisLen
	var next string
	var err error
	// A character of the synthesis counts as half a token: Chinese text costs more, English less.
	f.Progress.Evidence, next, err = Page(st.Evidence, cursor,
		max(AnswerTokens-ViewTokens-tokensOf(f)-min(st.SynthesisLen, MaxSynthesisShown)/2, AnswerTokens/4))
	return f, next, err
}

// Progress counts the items of a loop.
type Progress struct {
	Round          int `json:"round"` // rounds closed so far
	Searches       int `json:"searches,omitempty"`
	Questions      int `json:"all_questions,omitempty"`
	Evidence       int `json:"evidence,omitempty"`
	Sources        int `json:"sources"`
	Origins        int `json:"independent_origins,omitempty"` // of the sources; copies of one text are one
	VisitedURLs    int `json:"visited_urls,omitempty"`
	BadURLs        int `json:"bad_urls,omitempty"`
	OpenGaps       int `json:"open_gaps,omitempty"`
	MaterialGaps   int `json:"material_gaps,omitempty"`
	AnsweredGaps   int `json:"answered_gaps,omitempty"`
	OpenQuestions  int `json:"open_questions,omitempty"`
	Claims         int `json:"claims"` // not retracted
	Contradictions int `json:"contradictions,omitempty"`
	Failures       int `json:"evaluator_failures,omitempty"`
	SignOffs       int `json:"signoffs,omitempty"` // sign-offs in a row
	PendingReviews int `json:"pending_reviews,omitempty"`
}

func ProgressOf(st *loopstate.State) Progress {
	return Progress{
		Round: st.Round, Searches: len(st.Searches), Questions: len(st.Questions), Evidence: len(st.Evidence),
		Sources: len(st.Sources), Origins: st.Origins(), VisitedURLs: len(st.Visited), BadURLs: len(st.Bad),
		OpenGaps: len(st.OpenGaps()), MaterialGaps: len(st.MaterialGaps()), AnsweredGaps: len(st.GapsWith(loopstate.GapAnswered)),
		OpenQuestions: len(st.GapsWith(loopstate.GapUnanswerable)), Claims: len(st.CurrentClaims()),
		Contradictions: len(st.Contradictions), Failures: len(st.Failures), SignOffs: st.SignOffs,
		PendingReviews: len(st.PendingReviews()),
	}
}

const (
	// AnswerTokens bounds an answer by default: 16,000 characters of English.
	AnswerTokens = 3_900
	// BriefTokens bounds the brief, which a host reads after it lost its context.
	BriefTokens = 2_000
)

// tokensOf estimates the tokens of the JSON of v.
func tokensOf(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return words.EstimateTokens(string(b))
}

// Page returns the items from cursor on that fit into tokens, at least one, and the next cursor, which is empty at the end.
func Page[T any](items []T, cursor string, tokens int) (part []T, next string, err error) {
	from := 0
	if cursor != "" {
		if from, err = strconv.Atoi(cursor); err != nil || from < 0 || from > len(items) {
			return nil, "", &loopstate.Error{Code: loopstate.CodeBadCursor, Subject: "cursor", Value: loopstate.Shorten(cursor, 40)}
		}
	}
	part = []T{}
	for i := from; i < len(items); i++ {
		tokens -= tokensOf(items[i])
		if tokens < 0 && len(part) > 0 {
			return part, strconv.Itoa(i), nil
		}
		part = append(part, items[i])
	}
	return part, "", nil
}
