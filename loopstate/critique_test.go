package loopstate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// check verifies a draft of a thousand words, final or not. kept is the share of its words that the last critic read.
func (h *history) check(text string, kept float64, final bool) {
	h.t.Helper()
	p, err := h.state.Verify(Verified{Verdict: "review", Draft: true, Scratch: !final, DraftText: HashText([]byte(text)).String(), DraftWords: 1000, NewWords: 1000 - int(1000*kept)}, nil, text)
	h.must(p, err)
}

func (h *history) criticise(in CritiqueInput) {
	h.t.Helper()
	h.must(h.state.Criticise(in))
}

// criticised checks a draft that a critic then finds nothing in.
func (h *history) criticised() {
	h.t.Helper()
	h.check("a draft", 0, false)
	h.criticise(CritiqueInput{Critic: CriticRead})
}

func points(texts ...string) []Point {
	var in []Point
	for _, text := range texts {
		in = append(in, Point{What: text})
	}
	return in
}

// Points get ids and the hash of the draft that was read; an author answers them by their ids.
func TestCritique(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	h.findAndRead(2)
	h.check("first", 0, false)
	h.criticise(CritiqueInput{Points: []Point{{What: " The limit is wrong. ", Where: "line 3", Lines: "S1:120; S2:7-9,12", Cut: "line 5"}, {What: "No word on cost."}, {What: "no word on cost"}}})
	hash := func(text string) string { return HashText([]byte(text)).String() }
	want := []Point{{ID: "P1", What: "The limit is wrong.", Where: "line 3", Lines: "S1:120; S2:7-9,12", Cut: "line 5", Critic: 1}, {ID: "P2", What: "No word on cost.", Critic: 1}}
	if diff := cmp.Diff(want, h.state.Points); diff != "" {
		t.Errorf("points (-want +got):\n%s", diff)
	}
	h.criticise(CritiqueInput{Points: points("No word on cost.")}) // sent twice
	if diff := cmp.Diff([]CriticReading{{Draft: hash("first"), Chars: 5, Points: 2, Round: 1, At: h.state.Critics[0].At}}, h.state.Critics); diff != "" {
		t.Errorf("critics (-want +got):\n%s", diff)
	}
	if d := Decide(h.state); !strings.HasSuffix(d.Because, " Points of the critic without an answer: P1, P2.") {
		t.Errorf("the decision does not name the points: %s", d.Because)
	}
	h.criticise(CritiqueInput{Answers: []PointAnswer{{Point: " p1 ", Answer: PointTaken}, {Point: "P2", Answer: PointRefused, Why: "not asked"}}})
	h.criticise(CritiqueInput{Answers: []PointAnswer{{Point: "P1", Answer: PointPartly, Why: "one of two"}}}) // the last word counts
	if got := h.state.Points; got[0].Answer != PointPartly || got[0].Why != "one of two" || got[1].Answer != PointRefused || len(h.state.UnansweredPoints()) != 0 {
		t.Errorf("answers: %+v", got)
	}
	h.check("second", 0.9, true)
	h.criticise(CritiqueInput{Points: points("No word on cost.")}) // still missing in another draft
	if n := len(h.state.Critics); n != 2 || h.state.Points[2].ID != "P3" || h.state.Points[2].Critic != 2 || h.state.Critics[1].Draft != hash("second") {
		t.Errorf("the second critic: %+v, %+v", h.state.Critics, h.state.Points)
	}
	if h.state.Round != 0 {
		t.Errorf("%d rounds were closed", h.state.Round)
	}
	if diff := diffStates(restored(t, h.state), fold(t, nil, h.log)); diff != "" {
		t.Errorf("replayed (-want +got):\n%s", diff)
	}
}

func TestCritiqueErrors(t *testing.T) {
	many := points(strings.Fields(strings.Repeat("point ", MaxPoints+1))...)
	tests := []struct {
		name    string
		in      CritiqueInput
		code    Code
		subject string
	}{
		{"an unread source", CritiqueInput{Points: []Point{{What: "x"}, {What: "y", Lines: "S1:3; S9:4"}}}, CodeUnreadCited, "points[1].lines"},
		{"no source", CritiqueInput{Points: []Point{{What: "x", Lines: "line 4"}}}, CodeUnreadCited, "points[0].lines"},
		{"an empty point", CritiqueInput{Points: points(" ")}, CodeEmpty, "points[0].what"},
		{"a long cut", CritiqueInput{Points: []Point{{What: "x", Cut: strings.Repeat("x", MaxPointChars+1)}}}, CodeTooLong, "points[0].cut"},
		{"too many", CritiqueInput{Points: many}, CodeTooMany, "points"},
		{"another word", CritiqueInput{Critic: "maybe"}, CodeUnknownValue, "critic"},
		{"declined without a reason", CritiqueInput{Critic: CriticDeclined, Why: " "}, CodeEmpty, "critic why"},
		{"declined with points", CritiqueInput{Critic: CriticDeclined, Why: "short", Points: points("x")}, CodeConflict, "critic"},
		{"an unknown point", CritiqueInput{Answers: []PointAnswer{{Point: "P2", Answer: PointTaken}}}, CodeUnknownPoint, "answers[0].point"},
		{"no point", CritiqueInput{Answers: []PointAnswer{{Point: "the first", Answer: PointTaken}}}, CodeUnknownPoint, "answers[0].point"},
		{"an answer to a point of the same call", CritiqueInput{Points: points("new"), Answers: []PointAnswer{{Point: "P2", Answer: PointTaken}}}, CodeUnknownPoint, "answers[0].point"},
		{"answered twice", CritiqueInput{Answers: []PointAnswer{{Point: "P1", Answer: PointTaken}, {Point: "p1", Answer: PointTaken}}}, CodeRepeated, "answers[1].point"},
		{"no answer", CritiqueInput{Answers: []PointAnswer{{Point: "P1"}}}, CodeUnknownValue, "answers[0].answer"},
		{"another answer", CritiqueInput{Answers: []PointAnswer{{Point: "P1", Answer: "later"}}}, CodeUnknownValue, "answers[0].answer"},
		{"refused without a reason", CritiqueInput{Answers: []PointAnswer{{Point: "P1", Answer: PointRefused}}}, CodeEmpty, "answers[0].why"},
		{"in part without a reason", CritiqueInput{Answers: []PointAnswer{{Point: "P1", Answer: PointPartly, Why: " "}}}, CodeEmpty, "answers[0].why"},
	}
	h := begin(t, StartInput{Query: "q"})
	h.findAndRead(1)
	if _, err := h.state.Criticise(CritiqueInput{Points: points("x")}); !Has(err, CodeNoDraft) {
		t.Errorf("without a draft: %v", err)
	}
	h.check("draft", 0, false)
	h.criticise(CritiqueInput{Points: points("first")})
	for _, tt := range tests {
		_, err := h.state.Criticise(tt.in)
		_, closing := h.state.Close(CloseInput{Critique: tt.in})
		for _, err := range []error{err, closing} {
			if e, ok := err.(*Error); !ok || e.Code != tt.code || e.Subject != tt.subject {
				t.Errorf("%s: %v, want %s of %s", tt.name, err, tt.code, tt.subject)
			}
		}
	}
}

// The rule: a loop that would end waits for one critic of its draft.
func TestCriticReadsDraft(t *testing.T) {
	signedOff := func(h *history) {
		h.findAndRead(1)
		h.close(CloseInput{SignOff: true})
		h.close(CloseInput{SignOff: true})
	}
	read := func(h *history, in ...Point) {
		h.check("draft", 0, false)
		h.criticise(CritiqueInput{Critic: CriticRead, Points: in})
	}
	taken := CritiqueInput{Answers: []PointAnswer{{Point: "P1", Answer: PointTaken}}}
	const waits, ends = "critic_reads_draft", "two_signoffs"
	tests := []struct {
		name       string
		complexity string
		then       func(h *history)
		rule       string
		because    string // a part of it
	}{
		{"no draft", "moderate", signedOff, waits, "Write the whole text"},
		{"complex", "complex", signedOff, waits, "Write the whole text"},
		{"simple", "simple", signedOff, ends, ""},
		{"nothing was read", "moderate", func(h *history) { h.close(CloseInput{SignOff: true}); h.close(CloseInput{SignOff: true}) }, ends, ""},
		{"a draft that no critic read", "moderate", func(h *history) { signedOff(h); h.check("draft", 0, false) }, waits, "no critic has read the draft"},
		{"an empty list that is said to be final", "moderate", func(h *history) { signedOff(h); read(h) }, ends, ""},
		{"a critic before the sign-offs", "moderate", func(h *history) {
			h.readAndCriticised()
			h.close(CloseInput{SignOff: true})
			h.close(CloseInput{SignOff: true})
		}, ends, ""},
		{"the critic closes the round", "moderate", func(h *history) {
			h.findAndRead(1)
			h.close(CloseInput{SignOff: true})
			h.check("draft", 0, false)
			h.close(CloseInput{SignOff: true, Critique: CritiqueInput{Critic: CriticRead}})
		}, ends, ""},
		{"points without an answer", "moderate", func(h *history) { signedOff(h); read(h, points("x")...) }, waits, "Answer each point"},
		{"answered, the draft as it was", "moderate", func(h *history) { signedOff(h); read(h, points("x")...); h.criticise(taken) }, ends, ""},
		{"answered and revised", "moderate", func(h *history) {
			signedOff(h)
			read(h, points("x")...)
			h.criticise(taken)
			h.check("better", 0.7, true)
		}, ends, ""},
		{"revised, not answered", "moderate", func(h *history) { signedOff(h); read(h, points("x")...); h.check("better", 0.7, false) }, waits, "without an answer: P1"},
		{"answered and rewritten", "moderate", func(h *history) {
			signedOff(h)
			read(h, points("x")...)
			h.check("other", 0.49, false)
			h.criticise(taken)
		}, waits, "Of the 1000 words of the draft, 510 were written after"},
		{"answered and revised, a short text", "moderate", func(h *history) {
			signedOff(h)
			read(h, points("a", "b", "c")...)
			h.criticise(CritiqueInput{Answers: []PointAnswer{{Point: "P1", Answer: PointTaken}, {Point: "P2", Answer: PointPartly, Why: "so"}, {Point: "P3", Answer: PointRefused, Why: "no"}}})
			p, err := h.state.Verify(Verified{Verdict: "pass", Draft: true, Scratch: true, DraftText: HashText([]byte("short")).String(), DraftWords: 150, NewWords: 120}, nil, "short")
			h.must(p, err)
		}, ends, ""},
		{"more new words than the points account for", "moderate", func(h *history) {
			signedOff(h)
			read(h, points("a", "b")...)
			h.must(h.state.Verify(Verified{Verdict: "pass", Draft: true, Scratch: true, DraftText: HashText([]byte("short")).String(), DraftWords: 150, NewWords: 121}, nil, "short"))
			h.criticise(CritiqueInput{Answers: []PointAnswer{{Point: "P1", Answer: PointTaken}, {Point: "P2", Answer: PointRefused, Why: "no"}}})
		}, waits, "121 were written after"},
		{"rewritten, read again", "moderate", func(h *history) {
			signedOff(h)
			read(h)
			h.check("other", 0, true)
			h.criticise(CritiqueInput{Critic: CriticRead})
		}, ends, ""},
		{"after two critics nothing more is asked", "moderate", func(h *history) {
			signedOff(h)
			read(h)
			h.check("other", 0, true)
			h.criticise(CritiqueInput{Points: points("x")})
			h.check("third", 0, false)
		}, ends, "without an answer: P1"},
		{"the user said no", "moderate", func(h *history) { signedOff(h); h.criticise(CritiqueInput{Critic: CriticDeclined, Why: "in a hurry"}) }, ends, ""},
		{"the user said no to the points", "moderate", func(h *history) {
			signedOff(h)
			read(h, points("x")...)
			h.criticise(CritiqueInput{Critic: CriticDeclined, Why: "in a hurry"})
		}, ends, "without an answer: P1"},
		{"a gap of the critic goes first", "moderate", func(h *history) { signedOff(h); read(h); h.gap(GapInput{Gap: "cost"}) }, "pursue_target", ""},
		{"a check of claims forgets no draft", "moderate", func(h *history) {
			signedOff(h)
			read(h)
			h.verify(Inferred, ClaimInput{Claim: "c", SourceIDs: []string{"S1"}})
		}, ends, ""},
		{"stalled", "moderate", func(h *history) { h.findAndRead(1); h.rounds(1); h.close(CloseInput{}); h.close(CloseInput{}) }, waits, "Write the whole text"},
		{"stalled, and read", "moderate", func(h *history) {
			h.readAndCriticised()
			h.close(CloseInput{})
			h.close(CloseInput{})
			h.close(CloseInput{})
		}, "stalled_no_evidence", ""},
		{"a sentence that somebody checks after the end", "moderate", func(h *history) { signedOff(h); read(h); h.check("a sentence", 0.1, false) }, ends, ""},
		{"another text delivered after the end", "moderate", func(h *history) { signedOff(h); read(h); h.check("other", 0.1, true) }, waits, "900 were written after"},
		{"a limit holds all the same", "moderate", func(h *history) {
			h.findAndRead(1)
			for range 5 {
				h.close(CloseInput{SignOff: true})
			}
		}, "cap_rounds", "No critic has read the text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := begin(t, StartInput{Query: "q", Complexity: tt.complexity})
			tt.then(h)
			d := Decide(h.state)
			if d.Rule != tt.rule || !strings.Contains(d.Because, tt.because) {
				t.Errorf("%s", compact(d))
			}
			if d.Rule == waits && (d.NextAction != AskCritic || len(d.NextQueries)+len(d.NextURLsToFetch) > 0) {
				t.Errorf("it asks for a search: %s", compact(d))
			}
		})
	}
}

// readAndCriticised reads a page and has a critic read a draft.
func (h *history) readAndCriticised() {
	h.t.Helper()
	h.findAndRead(1)
	h.criticised()
}

// A call with a critique alone closes no round: it neither uses up a round nor revokes a sign-off.
func TestOnlyCritique(t *testing.T) {
	critique := CritiqueInput{Critic: CriticRead}
	for _, tt := range []struct {
		in   CloseInput
		want bool
	}{
		{CloseInput{}, false}, {CloseInput{Critique: critique}, true}, {CloseInput{Critique: CritiqueInput{Answers: []PointAnswer{{}}}}, true},
		{CloseInput{Critique: critique, SignOff: true}, false}, {CloseInput{Critique: critique, Gaps: gaps("a")}, false}, {CloseInput{Critique: critique, Synthesis: "x"}, false},
		{CloseInput{Critique: critique, Coverage: &Coverage{}}, false}, {CloseInput{Critique: critique, Failures: []string{"a"}}, false},
		{CloseInput{Critique: critique, AnsweredGaps: []string{"G1"}}, false}, {CloseInput{Critique: critique, OpenQuestions: []OpenQuestionInput{{}}}, false},
	} {
		if got := tt.in.OnlyCritique(); got != tt.want {
			t.Errorf("%+v: %v", tt.in, got)
		}
	}
	h := begin(t, StartInput{Query: "q"})
	h.findAndRead(1)
	h.close(CloseInput{SignOff: true})
	h.criticised()
	if h.state.SignOffs != 1 || h.state.Round != 1 {
		t.Errorf("%d sign-offs after %d rounds", h.state.SignOffs, h.state.Round)
	}
	h.update(UpdateInput{Abort: "enough"})
	if _, err := h.state.Criticise(critique); !Has(err, CodeAborted) {
		t.Errorf("an aborted loop takes a critique: %v", err)
	}
}

// The text of every checked draft counts, once while it stays the same.
func TestCheckedDraftsCount(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	stored := func(step func()) int64 {
		before, events := h.state.Stored, len(h.log)
		step()
		return h.state.Stored - before - int64(len(h.log[events].Data))
	}
	for i, tt := range []struct {
		text  string
		final bool
		want  int64
	}{{"日本", false, 6}, {"日本", false, 0}, {"日本", true, 0}, {"日", false, 3}, {"日本", true, 0}} {
		if got := stored(func() { h.check(tt.text, 0, tt.final) }); got != tt.want {
			t.Errorf("check %d adds %d bytes, want %d", i+1, got, tt.want)
		}
		if c := h.state.Checked; c == nil || c.SHA256 != HashText([]byte(tt.text)).String() {
			t.Errorf("check %d: %+v", i+1, c)
		}
	}
}
