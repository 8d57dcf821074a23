package loopstate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// debtsOf returns the open debts of a loop by key.
func debtsOf(s *State) []string {
	out := []string{}
	for _, g := range s.OpenGaps() {
		if g.Debt != "" {
			out = append(out, g.Debt)
		}
	}
	slices.Sort(out)
	return out
}

func (h *history) sweep(in Searched, hits ...Evidence) {
	h.t.Helper()
	in.Channels = []SearchOutcome{{Channel: "web", Status: "ok", Count: len(hits)}}
	h.must(h.state.Search(in, hits))
}

// debt returns the gap of a debt, open or not.
func (h *history) debt(key string) Gap {
	h.t.Helper()
	i := slices.IndexFunc(h.state.Gaps, func(g Gap) bool { return g.Debt == key })
	if i < 0 {
		h.t.Fatalf("no gap for the debt %q", key)
	}
	return h.state.Gaps[i]
}

func TestModalityDebts(t *testing.T) {
	const english = "does a four-day week work"
	hit := func(published, kind string) Evidence {
		return Evidence{Title: "t", URL: "https://example.com/1", PublishedAt: published, SourceType: kind}
	}
	all := []string{debtAngles, debtRecent, debtTypes}
	tests := []struct {
		name  string
		query string
		do    func(h *history)
		want  []string
	}{
		{"no search", english, func(*history) {}, []string{}},
		{"a search without an angle", english, func(h *history) { h.sweep(Searched{Query: "a"}) }, all},
		{"a reported search", english, func(h *history) { h.update(UpdateInput{Query: "a", Channel: "web"}) }, all},
		{"a blocked search", english, func(h *history) {
			h.must(h.state.Search(Searched{Query: "a", Angle: "byTimeWindow", Channels: []SearchOutcome{{Channel: "web", Status: "blocked"}}}, nil))
		}, all},
		{"all angles", english, func(h *history) {
			for _, a := range Angles() {
				h.sweep(Searched{Query: "a", Angle: a.Angle})
			}
		}, []string{debtTypes}},
		{"a search that begins long ago", english, func(h *history) { h.sweep(Searched{Query: "a", Since: "2024-08"}) }, all},
		{"a search of the last 18 months", english, func(h *history) { h.sweep(Searched{Query: "a", Since: "2025"}) }, []string{debtAngles, debtTypes}},
		{"a hit of this year", english, func(h *history) { h.sweep(Searched{Query: "a"}, hit("2026", "peer")) }, []string{debtAngles, debtTypes}},
		{"an old hit", english, func(h *history) { h.sweep(Searched{Query: "a"}, hit("2024-08-31", "")) }, all},
		{"Chinese, searched in Chinese", "四天工作制有效吗", func(h *history) { h.sweep(Searched{Query: "四天工作制"}) }, []string{debtAngles, debtLanguages, debtRecent, debtTypes}},
		{"Chinese, searched in both", "四天工作制有效吗", func(h *history) {
			h.sweep(Searched{Query: "four-day week"})
			h.sweep(Searched{Query: "trial", Language: "zh-Hans"})
		}, all},
		{"a local corpus has one type and one time", english, func(h *history) { h.find(1) }, []string{debtAngles}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := begin(t, StartInput{Query: tt.query, AsOf: "2026-03-01"})
			tt.do(h)
			h.close(CloseInput{SignOff: true})
			if diff := cmp.Diff(tt.want, debtsOf(h.state)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			row := h.state.Rounds[0]
			if row.OpenGaps != 0 || !row.SignOff || row.Decision.Rule != "first_signoff" {
				t.Errorf("debts held the loop back: %s", compact(row))
			}
		})
	}
}

// A debt lists its current cases, is answered without cases, and opens again with new ones.
func TestDebtsChangeWithTheirCases(t *testing.T) {
	h := begin(t, StartInput{Query: "Does a four-day week work?", AsOf: "2026-03-01"})
	h.sweep(Searched{Query: "a", Angle: "byEntity"})
	h.close(CloseInput{})
	before := len(h.state.Gaps)
	if g := h.debt(debtAngles); g.Gap != "not searched from these angles: byTimeWindow, bySourceType, byCounterArg" || g.Query != "criticism of four-day week work" || g.Material {
		t.Errorf("after one angle: %s", compact(g))
	}
	h.sweep(Searched{Query: "b", Angle: "byCounterArg"})
	h.close(CloseInput{AnsweredGaps: []string{h.debt(debtTypes).ID}})
	if g := h.debt(debtAngles); g.Gap != "not searched from these angles: byTimeWindow, bySourceType" || g.Query != "four-day week work 2026" {
		t.Errorf("after two angles: %s", compact(g))
	}
	h.sweep(Searched{Query: "c", Angle: "byTimeWindow"})
	h.sweep(Searched{Query: "d", Angle: "bySourceType"})
	h.close(CloseInput{})
	if g := h.debt(debtAngles); g.Status != GapAnswered || !g.Settled || g.ClosedRound != 3 {
		t.Errorf("after all angles: %s", compact(g))
	}
	if diff := cmp.Diff([]string{}, debtsOf(h.state)); diff != "" || len(h.state.Gaps) != before {
		t.Errorf("what the host answered does not stay answered, or %d gaps became %d (-want +got):\n%s", before, len(h.state.Gaps), diff)
	}
	if diff := diffStates(fold(t, nil, h.log), h.state); diff != "" {
		t.Errorf("replayed (-want +got):\n%s", diff)
	}
}

// The gaps that citeloop opens are in the language of the question.
func TestDebtsInTheLanguageOfTheQuestion(t *testing.T) {
	tests := []struct{ query, against, angles string }{
		{"Wirkt die Vier-Tage-Woche in der Verwaltung?", "Kritik Wirkt Vier-Tage-Woche Verwaltung", "aus diesen Blickwinkeln wurde nicht gesucht"},
		{"La semaine de quatre jours est-elle efficace pour les entreprises ?", "critique semaine quatre jours efficace entreprises", "pas de recherche sous ces angles"},
		{"¿Funciona la semana de cuatro días en las empresas?", "críticas Funciona semana cuatro días empresas", "sin búsqueda desde estos ángulos"},
		{"四天工作制有效吗", "四天工作制有效吗 批评 局限 争议", "尚未从这些角度搜索"},
		{"週四日勤務は有効ですか", "週四日勤務は有効ですか 批判 限界 反論", "次の観点からはまだ検索していない"},
		{"Does a four-day week work?", "criticism of four-day week work", "not searched from these angles"},
	}
	for _, tt := range tests {
		t.Run(tt.query, func(t *testing.T) {
			h := begin(t, StartInput{Query: tt.query, AsOf: "2026-03-01"})
			h.sweep(Searched{Query: "a"})
			h.close(CloseInput{})
			if g := h.debt(debtAngles); g.Query != tt.against || !strings.HasPrefix(g.Gap, tt.angles) {
				t.Errorf("%s asks for %q", g.Gap, g.Query)
			}
		})
	}
}

func TestClaimDebts(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	h.find(1)
	read := func(url, kind, sameAs string) Source {
		src := sourceAt(url, h.now)
		src.SourceType, src.SameAs = kind, sameAs
		return src
	}
	h.must(h.state.Read([]Source{
		read("https://a.example/1", "press", ""), read("https://b.example/1", "", ""), read("https://c.example/1", "peer", ""), read("https://d.example/1", "primary", ""),
		read("https://e.example/1", "press", "url:a.example/1"), read("https://blog.a.example/2", "press", ""), read("https://f.example/1", "press", ""),
	}, nil))
	cite := func(claim string, ids ...string) ClaimInput { return ClaimInput{Claim: claim, SourceIDs: ids} }
	h.update(UpdateInput{Claims: []ClaimInput{
		cite("press alone", "S1"), cite("who knows", "S2"), cite("peer", "S3"), cite("primary", "S4"),
		cite("one release, two papers", "S1", "S5"), cite("two pages of one site", "S1", "S6"), cite("press twice", "S1", "S7"),
	}})
	h.close(CloseInput{})
	if g := h.debt(debtOneSource); g.Gap != "4 claims rest on one source: C1, C2, C5, C6" || g.Kind != KindUnverified || g.Material || g.Query != "press alone q" {
		t.Errorf("the gap is %s", compact(g))
	}
	h.verify(Unsupported, cite("who knows", "S2"))
	h.update(UpdateInput{Retractions: []string{"C1", "one release, two papers"}})
	h.close(CloseInput{})
	if g := h.debt(debtOneSource); g.Gap != "1 claim rests on one source: C6" {
		t.Errorf("after the verification: %s", g.Gap)
	}
	if g := h.debt(debtUnsupported); g.Gap != "1 claim is not supported by any text that it cites: C2" {
		t.Errorf("after the verification: %s", g.Gap)
	}
	h.update(UpdateInput{Retractions: []string{"c2", "C6"}})
	h.close(CloseInput{})
	if diff := cmp.Diff([]string{debtAngles}, debtsOf(h.state)); diff != "" {
		t.Errorf("after the retractions (-want +got):\n%s", diff)
	}
	h.update(UpdateInput{Claims: []ClaimInput{cite("press alone", "S1")}}) // the same words are a new claim
	h.close(CloseInput{})
	if g := h.debt(debtOneSource); g.Status != GapOpen || g.Gap != "1 claim rests on one source: C8" {
		t.Errorf("recorded again: %s", compact(g))
	}
	if n := h.state.Origins(); n != 5 {
		t.Errorf("%d independent origins of seven sources, want 5", n)
	}
}

// The host's gaps are numbered from G1, whatever the debts, and never share a number with a debt.
func TestGapNumbers(t *testing.T) {
	h := begin(t, StartInput{Query: "q", Gaps: gaps("a")})
	h.find(1)
	h.close(CloseInput{Gaps: gaps("b")})
	h.gap(GapInput{Gap: "c"})
	for _, want := range []string{"G1", "G2", "G3", "G901"} {
		if _, ok := h.state.GapByID(want); !ok {
			t.Errorf("there is no %s", want)
		}
	}
	var many []GapInput
	for i := range MaxItems {
		many = append(many, GapInput{Gap: fmt.Sprintf("gap %d", i)})
	}
	h.close(CloseInput{Gaps: many})
	seen := map[string]bool{}
	for _, g := range h.state.Gaps {
		if seen[g.ID] {
			t.Fatalf("two gaps are %s", g.ID)
		}
		seen[g.ID] = true
	}
	if !seen["G900"] || seen["G100900"] || !seen["G100901"] {
		t.Errorf("the 901st gap of the host has no number of its own")
	}
}

// A synthesis that admits absence opens a gap; a later one without it answers the gap.
func TestAbsenceDebt(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	synthesise := func(text string) Gap {
		h.close(CloseInput{Synthesis: text, SynthesisHash: "x"})
		return h.debt(debtAbsence)
	}
	g := synthesise("The tower was built in 1874. We could not find who paid for it. 没有找到建造者的信息。 We could not find who paid for it!")
	if g.Gap != "the synthesis admits not knowing: We could not find who paid for it / 没有找到建造者的信息" || h.state.Rounds[0].OpenGaps != 0 {
		t.Errorf("the gap is %s", compact(g))
	}
	h.close(CloseInput{}) // no synthesis, no change
	if g := h.debt(debtAbsence); g.Status != GapOpen {
		t.Errorf("closed without a synthesis: %s", compact(g))
	}
	if g := synthesise("The tower was built in 1874. The Holts paid for it. 没有找到建造者的信息。"); g.Gap != "the synthesis admits not knowing: 没有找到建造者的信息" {
		t.Errorf("after the next synthesis: %s", g.Gap)
	}
	if g := synthesise("The tower was built in 1874."); g.Status != GapAnswered {
		t.Errorf("after the last synthesis: %s", compact(g))
	}
}

// A claim that a review contradicts is in the gap of unsupported claims until it is retracted. A void review changes
// nothing.
func TestReviewedClaimsAreGaps(t *testing.T) {
	for _, row := range []struct {
		answer string // to the planted error
		want   bool
	}{{AnswerContradicted, true}, {AnswerSupported, false}} {
		h := begin(t, StartInput{Query: "does a four-day week work"})
		h.find(1)
		h.findAndRead(1)
		const key = "a review key"
		h.must(h.state.Verify(Verified{Verdict: "review", Groundedness: 1, Threshold: 0.8}, []CheckedClaim{
			{Claim: ClaimInput{Claim: "Output rose in every firm.", SourceIDs: []string{"S1"}}, Check: ClaimCheck{Status: Inferred, Key: key}}}, ""))
		h.must(h.state.OpenBatch("seed", []ReviewItem{{Role: ReviewPending, Key: key, Claim: "Output rose in every firm."}, {Role: ReviewPlanted, Claim: "Output doubled."}, {Role: ReviewControl, Claim: "Output rose."}}))
		h.must(h.state.AnswerBatch("R1", Reader{Kind: "host"}, []ReviewAnswer{
			{Item: "R1-1", Answer: AnswerContradicted, Quote: "fell in one", Found: true},
			{Item: "R1-2", Answer: row.answer, Quote: "rose", Found: true},
			{Item: "R1-3", Answer: AnswerSupported, Quote: "rose", Found: true}}))
		h.close(CloseInput{})
		if owed := slices.Contains(debtsOf(h.state), debtUnsupported); owed != row.want {
			t.Fatalf("planted error %s: a gap for the contradicted claim: %v, want %v", row.answer, owed, row.want)
		}
		if !row.want {
			continue
		}
		if g := h.debt(debtUnsupported); !strings.Contains(g.Gap, h.state.Claims[0].ID) || g.Kind != KindUnverified {
			t.Errorf("the gap %q (%s) does not name %s", g.Gap, g.Kind, h.state.Claims[0].ID)
		}
		h.update(UpdateInput{Retractions: []string{h.state.Claims[0].ID}})
		h.close(CloseInput{})
		if g := h.debt(debtUnsupported); g.Status != GapAnswered {
			t.Errorf("after the claim was retracted the gap is %s", g.Status)
		}
	}
}

func TestAPersonClosesAGap(t *testing.T) {
	h := begin(t, StartInput{Query: "q", Gaps: gaps("Who paid?", "What did it cost?")})
	h.update(UpdateInput{ClosedGaps: []ClosedGap{{"G1", GapUnanswerable, "The books burnt."}, {"G1", GapAnswered, "twice in one call"}, {"G2", GapAnswered, "I know it."}}})
	var got []ClosedGap
	for _, g := range h.state.Gaps {
		got = append(got, ClosedGap{g.ID, g.Status, g.Why})
	}
	if diff := cmp.Diff([]ClosedGap{{"G1", GapUnanswerable, "The books burnt."}, {"G2", GapAnswered, "I know it."}}, got); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
	if again, err := h.state.Update(UpdateInput{ClosedGaps: []ClosedGap{{"G1", GapAnswered, "after all"}}}); err != nil || len(again.Rejected) != 1 || !again.Empty() {
		t.Errorf("a closed gap: %+v %v", again, err)
	}
	for name, bad := range map[string]ClosedGap{"no such gap": {"G9", GapAnswered, "why"}, "no such status": {"G2", "open", "why"}, "no why": {"G2", GapAnswered, " "}} {
		if _, err := h.state.Update(UpdateInput{ClosedGaps: []ClosedGap{bad}}); !Has(err, CodeUnknownGap, CodeUnknownValue, CodeEmpty) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Mechanisms of docs/mechanisms.md without another test.

// A closed gap has its round, however it was closed (mechanisms 57, 77 and C12).
func TestClosedGapsKeepTheirRound(t *testing.T) {
	h := begin(t, StartInput{Query: "q", Gaps: gaps("a", "b", "c", "d")})
	h.update(UpdateInput{AnsweredGaps: []string{"G1"}})
	h.close(CloseInput{})
	h.close(CloseInput{AnsweredGaps: []string{"G2"}})
	h.close(CloseInput{OpenQuestions: []OpenQuestionInput{{"G3", "the archive burned"}}})
	type closed struct {
		Status, Why string
		Round       int
	}
	want := map[string]closed{"G1": {GapAnswered, "", 1}, "G2": {GapAnswered, "", 2}, "G3": {GapUnanswerable, "the archive burned", 3}, "G4": {GapOpen, "", 0}}
	got := map[string]closed{}
	for _, g := range restored(t, h.state).Gaps {
		got[g.ID] = closed{g.Status, g.Why, g.ClosedRound}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Coverage below the loop's threshold does not decide, but every decision about a sign-off mentions it (mechanisms 142, 151
// and C1).
func TestLowCoverageIsMentioned(t *testing.T) {
	tests := []struct {
		name      string
		threshold *float64
		coverage  float64
		said      bool
	}{
		{"below the default", nil, 0.84, true},
		{"at the default", nil, 0.85, false},
		{"below the loop's own", pointer(0.95), 0.94, true},
		{"above the loop's own", pointer(0.6), 0.61, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := begin(t, StartInput{Query: "q", Complete: tt.threshold})
			for _, rule := range []string{"first_signoff", "two_signoffs"} {
				h.findAndRead(1)
				h.criticised()
				h.close(CloseInput{SignOff: true, Coverage: &Coverage{Overall: tt.coverage}})
				d := h.state.Rounds[len(h.state.Rounds)-1].Decision
				if said := strings.Contains(d.Because, "say what is thin"); d.Rule != rule || said != tt.said {
					t.Errorf("%s instead of %s, thin coverage said: %v, want %v\n%s", d.Rule, rule, said, tt.said, d.Because)
				}
			}
		})
	}
}
