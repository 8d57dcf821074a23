package loopstate

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/citeloop/citeloop/internal/docid"
)

// The laws of doc.go for random histories of the real steps. The vocabulary is small, so that addresses, gaps and claims
// repeat in other spellings.

var someURLs = []string{
	"https://example.com/a", "http://www.example.com/a/?utm_source=x", "https://m.example.com/a#top", "https://example.com/b",
	"https://example.com/b?v=1",
	"https://arxiv.org/abs/1706.03762", "https://arxiv.org/pdf/1706.03762v2", "https://doi.org/10.1000/x",
	"https://publisher.example/10.1000/X/full",
	"file:///notes/one.md", "doi:10.1000/y", "https://example.com/c",
}

var someGaps = []string{"no benchmarks found", "No benchmarks found?", "missing 2026 papers", "cost in industry", "C", "C++",
	"who disagrees", "?", "!"}

func draw[T any](t *rapid.T, label string, from ...T) T {
	return rapid.SampledFrom(from).Draw(t, label)
}

func drawList[T any](t *rapid.T, label string, limit int, one func() T) []T {
	n := rapid.IntRange(0, limit).Draw(t, label)
	var list []T
	for range n {
		list = append(list, one())
	}
	return list
}

func drawHit(t *rapid.T) Evidence {
	return Evidence{
		Title: draw(t, "title", "One", "Two", "Two", "Two", ""), URL: draw(t, "url", append(someURLs, "", "no address")...),
		Source: draw(t, "source", "local", "local", "arxiv", ""),
		DOI:    draw(t, "doi", "", "", "", "10.1000/X", "https://doi.org/10.1000/z"), Score: draw(t, "score", 0, 0.5, 1),
		SourceType: draw(t, "type", "", "peer", "press", "blog"),
	}
}

func drawGap(t *rapid.T) GapInput {
	in := GapInput{Gap: draw(t, "gap", someGaps...), Importance: draw(t, "importance", append(Importances(), "", "", "")...)}
	if rapid.Bool().Draw(t, "has priority") {
		in.Priority = float64(draw(t, "priority", 0, 1, 2))
	}
	if rapid.Bool().Draw(t, "has material") {
		in.Material = pointer(rapid.Bool().Draw(t, "material"))
	}
	return in
}

// drawGapName draws the id or text of a gap, sometimes of an unknown one.
func drawGapName(t *rapid.T, s *State) string {
	names := append([]string{"nobody asked this"}, someGaps[:6]...)
	for _, g := range s.Gaps {
		names = append(names, g.ID, strings.ToLower(g.ID))
	}
	if rapid.IntRange(0, 19).Draw(t, "hallucinate") == 0 {
		return "G99"
	}
	return draw(t, "gap name", names...)
}

func drawClaim(t *rapid.T, s *State) Claim {
	in := Claim{Claim: draw(t, "claim", "It works.", "it works", "It does not work.", "It costs 5 %.")}
	for range rapid.IntRange(0, 2).Draw(t, "citations") {
		id := "S7"
		if len(s.Sources) > 0 {
			id = fmt.Sprintf("S%d", rapid.IntRange(1, len(s.Sources)).Draw(t, "source"))
		}
		in.SourceIDs = append(in.SourceIDs, id)
	}
	return in
}

func drawFailures(t *rapid.T) []string {
	return drawList(t, "failures", 2, func() string { return draw(t, "failure", "too short", "one-sided", "no numbers") })
}

type lawful struct {
	*history
	rows []string // the rounds when they were closed
}

// take appends the payload of a step, or checks its error.
func (l *lawful) take(t *rapid.T, before string, p Payload, err error) bool {
	if after := written(t, l.state); after != before {
		t.Fatalf("a step changed the state (-before +after):\n%s", cmp.Diff(before, after))
	}
	if err == nil {
		l.append(l.event(p))
		return true
	}
	if _, ok := errors.AsType[*Error](err); !ok {
		t.Fatalf("a step failed without an Error: %v", err)
	}
	return false
}

func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := StartInput{
			Query: draw(t, "query", "", "does it work"), Complexity: draw(t, "complexity", Complexities()...),
			Rubrics: drawList(t, "rubrics", 4, func() string { return "a rubric" }),
			Gaps:    drawList(t, "first gaps", 3, func() GapInput { return drawGap(t) }),
		}
		if rapid.Bool().Draw(t, "small budget") {
			in.Budget = Amounts{Tokens: pointer(300), CostUSD: pointer(2.0), LatencySeconds: pointer(30),
				Rounds: pointer(draw(t, "rounds", 2, 3, 9))}
		}
		l := &lawful{history: begin(t, in)}
		t.Repeat(map[string]func(*rapid.T){
			"update": l.drawUpdate, "addGap": l.drawAddGap, "search": l.drawSearch, "read": l.drawRead, "verify": l.drawVerify,
			"close":   l.drawClose,
			"restart": func(t *rapid.T) { l.state = fold(t, nil, l.log) },
			"unknown": l.appendUnknown, "refused": l.applyRefused,
			"": l.check,
		})
	})
}

func (l *lawful) drawUpdate(t *rapid.T) {
	in := UpdateInput{
		Query: draw(t, "query", "", "does it work", "Does it work?", "cost"), Channel: draw(t, "channel", "", "", "local", "arxiv"),
		Evidence:    drawList(t, "evidence", 4, func() Evidence { return drawHit(t) }),
		VisitedURLs: drawList(t, "visited", 1, func() string { return draw(t, "visited url", someURLs...) }),
		BadURLs:     drawList(t, "bad", 1, func() BadURL { return BadURL{URL: draw(t, "bad url", someURLs...)} }),
		Claims:      drawList(t, "claims", 2, func() Claim { return drawClaim(t, l.state) }), Failures: drawFailures(t),
		Contradictions: drawList(t, "contradictions", 1, func() Contradiction {
			return Contradiction{Topic: "size", Why: draw(t, "why", "", "no data")}
		}),
		AnsweredGaps: drawList(t, "answered", 1, func() string { return drawGapName(t, l.state) }),
		Retractions: drawList(t, "retracted", 1, func() string {
			return draw(t, "retraction", "C1", "c2", "it works",
				"nobody said this")
		}),
		Usage: Usage{Tokens: draw(t, "tokens", 0, 0, 100), CostUSD: draw(t, "cost", 0, 0, 0.7)},
	}
	if rapid.IntRange(0, 9).Draw(t, "confirm") == 0 {
		in.ConfirmRounds = rapid.IntRange(1, 12).Draw(t, "confirmed rounds")
	}
	if rapid.IntRange(0, 29).Draw(t, "abort") == 0 {
		in.Abort = "enough"
	}
	before := written(t, l.state)
	p, err := l.state.Update(in)
	l.take(t, before, p, err)
}

func (l *lawful) drawAddGap(t *rapid.T) {
	before := written(t, l.state)
	p, duplicate, err := l.state.AddGap(drawGap(t))
	if duplicate != "" {
		if _, ok := l.state.GapByID(duplicate); !ok {
			t.Fatalf("AddGap calls the gap a duplicate of %s, which does not exist", duplicate)
		}
		return
	}
	l.take(t, before, p, err)
}

func (l *lawful) drawSearch(t *rapid.T) {
	hits := drawList(t, "hits", 5, func() Evidence { return drawHit(t) })
	before := written(t, l.state)
	p, err := l.state.Search(Search{Query: draw(t, "query", "does it work", "cost", ""), Angle: draw(t, "angle", "", "byEntity"),
		Channels: []SearchOutcome{{Channel: "local", Status: "ok", Count: len(hits)}}, TookMS: 5}, hits)
	l.take(t, before, p, err)
}

func (l *lawful) drawRead(t *rapid.T) {
	sources := drawList(t, "sources", 3, func() Source {
		src := sourceAt(draw(t, "source url", someURLs...), l.now)
		src.DOI = draw(t, "page's doi", "", "", "10.1000/z")
		src.Key = docid.CanonicalKey(src.URL, src.DOI)
		src.FinalURL = draw(t, "final url", "", src.URL, "https://example.com/moved")
		src.SHA256 = HashText([]byte(draw(t, "text", "one text", "another text", src.URL))).String()
		return src
	})
	bad := drawList(t, "bad", 1, func() BadURL { return BadURL{URL: draw(t, "bad url", someURLs...), Reason: "not found"} })
	before := written(t, l.state)
	p, err := l.state.Read(sources, bad)
	l.take(t, before, p, err)
}

func (l *lawful) drawVerify(t *rapid.T) {
	checked := drawList(t, "checked", 3, func() Claim {
		in := drawClaim(t, l.state)
		in.Check = &ClaimCheck{Status: draw(t, "status", Grounded, Inferred, Unsupported)}
		return in
	})
	before := written(t, l.state)
	in, text := Verified{Verdict: "fail", Groundedness: 0.5, Draft: rapid.Bool().Draw(t, "draft")}, ""
	if in.Draft {
		text = draw(t, "text of the draft", "one", "two")
		in.DraftText = HashText([]byte(text)).String()
	}
	p, err := l.state.Verify(in, checked, text)
	l.take(t, before, p, err)
}

func (l *lawful) drawClose(t *rapid.T) {
	in := CloseInput{
		Gaps: drawList(t, "gaps", 2, func() GapInput { return drawGap(t) }), SignOff: rapid.Bool().Draw(t, "signoff"),
		Failures:     drawFailures(t),
		AnsweredGaps: drawList(t, "answered", 2, func() string { return drawGapName(t, l.state) }),
		OpenQuestions: drawList(t, "open questions", 1, func() Gap {
			return Gap{Gap: drawGapName(t, l.state), Why: "nobody published it"}
		}),
	}
	if rapid.Bool().Draw(t, "has coverage") {
		in.Coverage = &Coverage{Overall: draw(t, "overall", 0.1, 0.4, 0.75, 0.9)}
	}
	if rapid.Bool().Draw(t, "has synthesis") {
		in.Synthesis = strings.Repeat("x", draw(t, "length", 100, 900))
		in.SynthesisHash = HashText([]byte(in.Synthesis)).String()
	}
	before := written(t, l.state)
	p, err := l.state.Close(in)
	if l.take(t, before, p, err) {
		row := l.state.Rounds[len(l.rows)]
		prefix := fold(t, nil, l.log)
		if diff := cmp.Diff(row.Decision, Decide(prefix)); diff != "" {
			t.Fatalf("the decision recorded in round %d against the one recomputed from its prefix (-want +got):\n%s", row.Round, diff)
		}
		l.rows = append(l.rows, compact(row))
	}
}

// appendUnknown appends an event of a newer version, which changes only the number and the time.
func (l *lawful) appendUnknown(t *rapid.T) {
	want := fold(t, nil, l.log)
	e := l.event(Updated{Query: "q", Abort: "not yours to read"})
	e.Kind, e.Version, e.Op = "loop.dreamed", 9, ""
	want.Seq, want.UpdatedAt = e.Seq, e.At
	l.append(e)
	if diff := diffStates(want, l.state); diff != "" {
		t.Fatalf("an unknown event changed the state (-want +got):\n%s", diff)
	}
}

// applyRefused applies invalid events, which are errors and do not change the state.
func (l *lawful) applyRefused(t *rapid.T) {
	before, now := written(t, l.state), l.now
	e := l.event(Updated{Query: "q", Abort: "never"})
	l.now = now
	switch damage := draw(t, "damage", "gap", "repeat", "loop", "cut", "type", "empty", "start"); damage {
	case "gap":
		e.Seq++
	case "repeat":
		e.Seq--
	case "loop":
		e.Loop = "another"
	case "cut":
		e.Data = e.Data[:len(e.Data)-1]
	case "type":
		e.Data = json.RawMessage(`{"query": 5, "abort": "never"}`)
	case "empty":
		e.Data = nil
	case "start":
		e.Kind, e.Data = KindStarted, json.RawMessage(`{"query": "again"}`)
	}
	s, err := Apply(l.state, e)
	if err == nil {
		t.Fatalf("%s is taken", compact(e))
	}
	if after := written(t, s); after != before || s != l.state {
		t.Fatalf("a refused event changed the state (-before +after):\n%s", cmp.Diff(before, after))
	}
}

// check runs after every action.
func (l *lawful) check(t *rapid.T) {
	if rapid.IntRange(0, 2).Draw(t, "replay") == 0 { // slow under the race detector; a hundred histories still cover every event
		l.checkReplay(t)
	}
	l.checkDecision(t)
}

func (l *lawful) checkReplay(t *rapid.T) {
	cut := rapid.IntRange(1, len(l.log)).Draw(t, "snapshot at")
	prefix := fold(t, nil, l.log[:cut])
	half := fold(t, fold(t, nil, l.log[:cut]), l.log[cut:])
	whole := fold(t, prefix, l.log[cut:])
	live, decision, answers := written(t, l.state), compact(Decide(l.state)), compact(answersOf(l.state))
	for _, other := range []struct {
		name string
		s    *State
	}{{"the fold of the whole log", whole}, {fmt.Sprintf("snapshot at %d and the tail", cut), half}} {
		if written(t, other.s) != live {
			t.Fatalf("live state against %s (-want +got):\n%s", other.name, diffStates(other.s, l.state))
		}
		if compact(Decide(other.s)) != decision {
			t.Fatalf("decision against %s (-want +got):\n%s", other.name, cmp.Diff(Decide(other.s), Decide(l.state)))
		}
		if compact(answersOf(other.s)) != answers {
			t.Fatalf("index against %s (-want +got):\n%s", other.name, cmp.Diff(answersOf(other.s), answersOf(l.state)))
		}
	}
}

// answersOf returns all answers of a state's index about the vocabulary.
func answersOf(s *State) map[string]any {
	ranked, _ := s.rankedUnread()
	answers := map[string]any{"unread": s.index.unread, "ranked": ranked, "unread 3": s.Unread(3)}
	for _, u := range append(someURLs, "https://example.com/moved", "doi:10.1000/z", "") {
		src, ok := s.SourceByAddress(u, "")
		answers["source "+u] = []any{src, ok}
		e, ok := s.Seen(Evidence{URL: u})
		answers["seen "+u] = []any{e.ID, ok}
		answers["bad "+u] = s.IsBad(u)
	}
	for _, name := range append(someGaps, "G1", "G2", "G99") {
		g, ok := s.gapNamed(&checks{}, "gap", name)
		answers["gap "+name] = []any{g, ok}
	}
	for _, q := range []string{"does it work", "cost", ""} {
		answers["searched "+q] = []any{s.index.queries[foldText(q)], s.index.looked[foldText(q)]}
	}
	for i := range s.Claims {
		id := fmt.Sprintf("C%d", i+1)
		position, ok := numbered("C", id, len(s.Claims))
		answers["claim "+id] = []any{position, ok}
	}
	return answers
}

func (l *lawful) checkDecision(t *rapid.T) {
	s, d := l.state, Decide(l.state)
	if d.Rule == "" || !slices.Contains([]string{SearchMore, FetchMore, Finalize, EscalateBudget, Abort}, d.Action) {
		t.Fatalf("the decision lacks something: %s", compact(d))
	}
	for i, row := range l.rows {
		if got := compact(s.Rounds[i]); got != row {
			t.Fatalf("the row of round %d changed (-want +got):\n%s", i+1, cmp.Diff(row, got))
		}
	}
	if aborted := l.state.Abort != ""; aborted != (d.Action == Abort) {
		t.Fatalf("aborted %v, but the decision is %s", aborted, compact(d))
	}
	if s.Round >= 8 && s.ConfirmedRounds <= s.Round && (d.Action == SearchMore || d.Action == FetchMore) {
		t.Fatalf("round %d is closed and nobody confirmed more, but the decision is %s", s.Round, compact(d))
	}
	if d.Rule == "two_signoffs" && (len(s.MaterialGaps()) > 0 || len(s.Failures) > 0) {
		t.Fatalf("signed off with something missing: %s", compact(d))
	}
}
