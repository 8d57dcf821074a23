package loopstate

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// debtsOf are the open debts of a loop, by what is owed.
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

func (h *history) sweep(in SearchInput) {
	h.t.Helper()
	in.Outcomes = []SearchOutcome{{Channel: "local", Status: "ok", Count: len(in.Hits)}}
	p, err := h.state.Search(in)
	h.must(p, err)
}

func TestModalityDebts(t *testing.T) {
	angles := []string{"angle byCounterArg", "angle byEntity", "angle bySourceType", "angle byTimeWindow"}
	types := []string{"type peer", "type practitioner", "type press", "type primary"}
	all := append(append([]string{}, angles...), append([]string{"recent"}, types...)...)
	tests := []struct {
		name  string
		query string
		do    func(h *history)
		want  []string
	}{
		{"no search, no debt", "does it work", func(*history) {}, []string{}},
		{"a search without angle", "does it work", func(h *history) { h.sweep(SearchInput{Query: "a"}) }, all},
		{"a reported search is one", "does it work", func(h *history) { h.update(UpdateInput{Query: "a"}) }, all},
		{"an angle", "does it work", func(h *history) { h.sweep(SearchInput{Query: "a", Angle: "byCounterArg"}) }, slices.Delete(slices.Clone(all), 0, 1)},
		{"the angle of time", "does it work", func(h *history) { h.sweep(SearchInput{Query: "a", Angle: "byTimeWindow"}) },
			append([]string{"angle byCounterArg", "angle byEntity", "angle bySourceType"}, types...)},
		{"a search that begins long ago", "does it work", func(h *history) { h.sweep(SearchInput{Query: "a", Since: "2024-08"}) }, all},
		{"a search of the last 18 months", "does it work", func(h *history) { h.sweep(SearchInput{Query: "a", Since: "2025"}) }, append(slices.Clone(angles), types...)},
		{"a hit of this year", "does it work", func(h *history) {
			h.sweep(SearchInput{Query: "a", Hits: []Evidence{{Title: "t", URL: "https://example.com/1", PublishedAt: "2026", SourceType: "peer"}}})
		}, append(slices.Clone(angles), types[1:]...)},
		{"an old hit", "does it work", func(h *history) {
			h.sweep(SearchInput{Query: "a", Hits: []Evidence{{Title: "t", URL: "https://example.com/1", PublishedAt: "2024-08-31"}}})
		}, all},
		{"a Chinese question searched in Chinese", "四天工作制有效吗", func(h *history) { h.sweep(SearchInput{Query: "四天工作制"}) }, slices.Sorted(slices.Values(append(slices.Clone(all), "language en")))},
		{"a Chinese question searched in English", "四天工作制有效吗", func(h *history) { h.sweep(SearchInput{Query: "four-day week"}) }, slices.Sorted(slices.Values(append(slices.Clone(all), "language zh")))},
		{"a Chinese question searched in both", "四天工作制有效吗", func(h *history) {
			h.sweep(SearchInput{Query: "four-day week"})
			h.sweep(SearchInput{Query: "trial", Language: "zh-Hans"})
		}, all},
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

// What was tried later is no longer owed, and what the host answered itself stays answered.
func TestDebtsArePaid(t *testing.T) {
	h := begin(t, StartInput{Query: "does it work", AsOf: "2026-03-01"})
	h.sweep(SearchInput{Query: "a"})
	h.close(CloseInput{})
	before := len(h.state.Gaps)
	owed := h.state.GapsWith(GapOpen)
	if !slices.ContainsFunc(owed, func(g Gap) bool {
		return g.Kind == "modality" && !g.Material && g.Query == "criticism of does it work"
	}) {
		t.Errorf("no gap asks for the other side: %s", compact(owed))
	}
	if d := h.state.Rounds[0].Decision; !slices.Contains(d.NextQueries, "criticism of does it work") && len(d.NextQueries) != maxDebtQueries {
		t.Errorf("what was not tried is not offered: %v", d.NextQueries)
	}
	h.sweep(SearchInput{Query: "b", Angle: "byCounterArg"})
	h.close(CloseInput{AnsweredGaps: []string{owed[0].ID}})
	if got := debtsOf(h.state); slices.Contains(got, "angle byCounterArg") || slices.Contains(got, owed[0].Debt) {
		t.Errorf("still owed: %v", got)
	}
	h.close(CloseInput{})
	if len(h.state.Gaps) != before {
		t.Errorf("%d gaps became %d: a debt was opened twice", before, len(h.state.Gaps))
	}
}

func TestDebtsSpeakTheQuestionsLanguage(t *testing.T) {
	for query, want := range map[string]string{"四天工作制有效吗": "四天工作制有效吗 批评 局限 争议", "週四日勤務は有効ですか": "週四日勤務は有効ですか 批判 限界 反論", "주4일제 효과": "주4일제 효과 비판 한계 반론",
		"четырёхдневная неделя": "четырёхдневная неделя критика недостатки", "vier Tage": "criticism of vier Tage"} {
		if got := againstQuery(query); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

func TestClaimDebts(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	h.find(1)
	kinds := []string{"press", "practitioner", "", "peer", "primary", "press", "press"}
	var sources []Source
	for i, kind := range kinds {
		src := sourceAt(fmt.Sprintf("https://example.com/%d", i+1), h.now)
		src.SourceType = kind
		sources = append(sources, src)
	}
	sources[5].SameAs = sources[0].Key // S6 repeats S1
	p, err := h.state.Read(sources, nil)
	h.must(p, err)
	cite := func(claim string, ids ...string) ClaimInput { return ClaimInput{Claim: claim, SourceIDs: ids} }
	h.update(UpdateInput{Claims: []ClaimInput{
		cite("press alone", "S1"), cite("a practitioner alone", "S2"), cite("who knows", "S3"), cite("peer", "S4"), cite("primary", "S5"),
		cite("press twice", "S1", "S7"), cite("one release, two papers", "S1", "S6"),
	}})
	h.close(CloseInput{})
	owed := func() []string {
		var out []string
		for _, d := range debtsOf(h.state) {
			if d[:5] == "claim" {
				out = append(out, d)
			}
		}
		return out
	}
	if diff := cmp.Diff([]string{"claim C1", "claim C2", "claim C3", "claim C7"}, owed()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if g := h.state.Gaps[slices.IndexFunc(h.state.Gaps, func(g Gap) bool { return g.Debt == "claim C1" })]; g.Kind != "unverified-claim" || g.Material || g.Gap != "one source alone (S1, press) stands behind: press alone" || g.Query != "press alone" {
		t.Errorf("the gap is %s", compact(g))
	}
	// Verified, the seventh is dropped in the next cycle, and the third turns out to be unsupported. Nobody
	// has verified the first two.
	h.verify(Grounded, cite("one release, two papers", "S1", "S6"))
	h.verify(Unsupported, cite("who knows", "S3"))
	h.close(CloseInput{})
	if diff := cmp.Diff([]string{"claim C1", "claim C2"}, owed()); diff != "" {
		t.Errorf("after the last verification (-want +got):\n%s", diff)
	}
}

func TestClaimDebtsAreFew(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	h.findAndRead(1)
	h.claim(3 * maxClaimDebts)
	for range 2 {
		h.close(CloseInput{})
		n := 0
		for _, g := range h.state.OpenGaps() {
			if g.Kind == "unverified-claim" {
				n++
			}
		}
		if n != maxClaimDebts {
			t.Errorf("%d claims are named, want %d", n, maxClaimDebts)
		}
	}
}

// The host's gaps count on from G1 whatever citeloop finds owing, and a host of very many does not meet the debts.
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

// What the synthesis admits not to know is a gap, until a synthesis knows it.
func TestAbsenceDebts(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	admitted := func(synthesis string) []string {
		h.close(CloseInput{Synthesis: synthesis, SynthesisHash: "x"})
		var out []string
		for _, g := range h.state.OpenGaps() {
			out = append(out, g.Gap)
		}
		return out
	}
	got := admitted("The tower was built in 1874. We could not find who paid for it. 没有找到建造者的信息。 We could not find who paid for it!")
	if diff := cmp.Diff([]string{"the synthesis admits not to know: We could not find who paid for it", "the synthesis admits not to know: 没有找到建造者的信息"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if row := h.state.Rounds[0]; row.OpenGaps != 0 {
		t.Errorf("%d material gaps", row.OpenGaps)
	}
	h.close(CloseInput{}) // no synthesis, no news
	if got := admitted("The tower was built in 1874. The Holts paid for it. 没有找到建造者的信息。"); len(got) != 1 {
		t.Errorf("after the next synthesis: %q", got)
	}
}
