package loopstate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEntityMentions(t *testing.T) {
	e := Entity{Name: "Mind", Aliases: []string{"思智公司", "Mind AG"}}
	for text, want := range map[string]bool{
		"Mind was founded in 2015.": true, "the MIND app": true, "(mind)": true, "A reminder for minders": false,
		"remind.io and minders.io": false,
		"mind.ag":                  true, "据报道思智公司成立于2015年": true, "": false, "mindmind mind": true,
	} {
		if got := e.Mentions(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestAngleNamed(t *testing.T) {
	for named, want := range map[string]string{"counter-evidence": "byCounterArg", "Kinds of source": "bySourceType",
		"bytimewindow": "byTimeWindow", "ENTITIES": "byEntity", " my own ": "my own", "": ""} {
		if got := AngleNamed(named); got != want {
			t.Errorf("%q is %q, want %q", named, got, want)
		}
	}
}

// Every angle has plain words, and a search that names them has that angle.
func TestAngleInWords(t *testing.T) {
	for _, a := range Angles() {
		words := AngleInWords(a.Angle)
		if words == a.Angle || AngleNamed(words) != a.Angle {
			t.Errorf("%s is %q in words, which names %q", a.Angle, words, AngleNamed(words))
		}
	}
}

// A synthesis that mostly admits absence caps the host's coverage.
func TestAdmittedAbsenceCapsCoverage(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	h.findAndRead(2)
	h.close(CloseInput{Coverage: &Coverage{Overall: 0.9},
		Synthesis: "We could not find the founding date. No information is available on the team. The product is a lamp."})
	row := h.state.Rounds[0]
	if h.state.Coverage.Overall >= 0.4 || !slices.Contains(row.Guardrails, "admitted_absence") ||
		row.Decision.Rule != "guardrail_first_round_coverage" {
		t.Errorf("coverage %v, guardrails %v, rule %s", h.state.Coverage.Overall, row.Guardrails, row.Decision.Rule)
	}
	h = begin(t, StartInput{Query: "q"})
	h.close(CloseInput{Coverage: &Coverage{Overall: 0.9}, SynthesisHash: "x",
		Synthesis: "The lamp was made in 1874. It was sold in 1900. The price is not known. " +
			strings.Repeat("It shone over the sea for many years. ", 20)})
	if row := h.state.Rounds[0]; h.state.Coverage.Overall != 0.9 || len(row.Guardrails) != 0 {
		t.Errorf("an honest text: coverage %v, guardrails %v", h.state.Coverage.Overall, row.Guardrails)
	}
}

// Fewer than three verifiable facts about the target entity are a critical gap; the third one answers it. One fact with
// different citations counts once, and the host cannot answer the gap, but make it an open question.
func TestEntityGap(t *testing.T) {
	h := begin(t, StartInput{Query: "q", Entity: &Entity{Name: "Arden Lamps"}})
	h.findAndRead(2)
	h.close(CloseInput{SignOff: true})
	g, ok := h.state.Target()
	if !ok || g.Importance != "critical" || g.Query != "Arden Lamps" || h.state.Rounds[0].SignOff {
		t.Fatalf("gap %+v, %v; sign-off %v", g, ok, h.state.Rounds[0].SignOff)
	}
	if rule := h.state.Rounds[0].Decision.Rule; rule != "guardrail_critical_gap" {
		t.Errorf("rule %s", rule)
	}
	h.verify(Grounded, Claim{Claim: "Arden Lamps was founded in 1874.", SourceIDs: []string{"S1"}},
		Claim{Claim: "Arden Lamps was founded in 1874.", SourceIDs: []string{"S2"}},
		Claim{Claim: "Arden Lamps was founded in 1874.", SourceIDs: []string{"S1", "S2"}},
		Claim{Claim: "Arden Lamps has 40 workers.", SourceIDs: []string{"S1"}},
		Claim{Claim: "Other makers are larger.", SourceIDs: []string{"S1"}})
	h.close(CloseInput{})
	if g, _ := h.state.GapByID(g.ID); g.Status != GapOpen {
		t.Errorf("two facts answered the gap")
	}
	p, err := h.state.Update(UpdateInput{AnsweredGaps: []string{g.ID}})
	if err != nil || len(p.Answered) != 0 || len(p.Rejected) != 1 ||
		!strings.Contains(p.Rejected[0].Why, "grounded claims about Arden Lamps: 2;") {
		t.Errorf("%+v, %v", p, err)
	}
	c, err := h.state.Close(CloseInput{OpenQuestions: []Gap{{Gap: g.ID, Why: "it has published nothing"}}})
	if err != nil || len(c.OpenQuestions) != 1 {
		t.Errorf("it cannot become an open question: %+v, %v", c, err)
	}
	h.verify(Grounded, Claim{Claim: "The owner of Arden Lamps is Maria Holt.", SourceIDs: []string{"S1"}})
	h.close(CloseInput{})
	if g, _ := h.state.GapByID(g.ID); g.Status != GapAnswered || len(h.state.Gaps) != 1 {
		t.Errorf("three facts left the gap %s, of %d", g.Status, len(h.state.Gaps))
	}
}

// Claims need not be recorded: without any, sources that name the entity in their titles open no gap.
func TestEntityGapWithoutClaims(t *testing.T) {
	for titles, want := range map[int]bool{2: true, 3: false} {
		h := begin(t, StartInput{Query: "q", Entity: &Entity{Name: "Arden Lamps"}})
		var sources []Source
		for i := range 4 {
			s := sourceAt(fmt.Sprintf("https://arden.example/%d", i), h.now)
			if s.Title = "Prices"; i < titles {
				s.Title = "Manual of Arden Lamps"
			}
			sources = append(sources, s)
		}
		h.must(h.state.Read(sources, nil))
		h.close(CloseInput{SignOff: true})
		if _, got := h.state.gapNamed(&checks{}, "gap", h.state.entityGapText()); got != want {
			t.Errorf("%d titles: a gap is %v, want %v", titles, got, want)
		}
	}
}

func TestRelevance(t *testing.T) {
	e := Entity{Name: "Minders", Aliases: []string{"mind", "思智", "Acme Robotics"},
		OfficialDomains: []string{"WWW.Minders.io", "思智.cn"}}
	tests := []struct {
		name, url, title string
		score            float64
		official         bool
	}{
		{"its own site", "https://minders.io/about", "About us", 0.6, true},
		{"below its own site", "https://docs.minders.io/", "Minders handbook", 1, true},
		{"a look-alike", "https://notminders.io/", "About us", 0, false},
		{"its name in the address", "https://news.example/2024/minders-raises", "A round", 0.4, false},
		{"joined in the address", "https://acmerobotics.example/x", "A round", 0.4, false},
		{"split in the address", "https://news.example/acme_robotics/1", "A round", 0.4, false},
		{"address and title", "https://news.example/minders", "Minders raises", 0.8, false},
		{"a short alias does not count in an address", "https://mind.example/x", "A round", 0, false},
		{"a short alias counts in a title", "https://news.example/x", "The mind of it", 0.4, false},
		{"not inside of a word", "https://news.example/x", "reminder, minding", 0, false},
		{"Chinese in a title", "https://news.example/x", "据报道思智公司成立", 0.4, false},
		{"Chinese in an address", "https://news.example/%E6%80%9D%E6%99%BA", "报道", 0.4, false},
		{"something else", "https://news.example/x", "Weather", 0, false},
	}
	for _, tt := range tests {
		score, official := e.Relevance(Evidence{URL: tt.url, Title: tt.title})
		if fmt.Sprintf("%.1f", score) != fmt.Sprintf("%.1f", tt.score) || official != tt.official {
			t.Errorf("%s: %.1f, official %v; want %.1f, %v", tt.name, score, official, tt.score, tt.official)
		}
	}
}

func TestUnrelatedHitsAreRejected(t *testing.T) {
	entity := &Entity{Name: "Arden Lamps", OfficialDomains: []string{"arden.example"}}
	hits := func(own, named, unrelated int) []Evidence {
		var out []Evidence
		for i := range unrelated { // unrelated hits first
			out = append(out, Evidence{Title: fmt.Sprintf("Weather %d", i), URL: fmt.Sprintf("https://weather.example/%d", i),
				Source: "local", Score: float64(i)})
		}
		for i := range own {
			out = append(out, Evidence{Title: fmt.Sprintf("Page %d", i), URL: fmt.Sprintf("https://arden.example/%d", i), Source: "local"})
		}
		for i := range named {
			out = append(out, Evidence{Title: fmt.Sprintf("Arden Lamps %d", i), URL: fmt.Sprintf("https://news.example/%d", i),
				Source: "local"})
		}
		return out
	}
	tests := []struct {
		name                  string
		entity                *Entity
		own, named, unrelated int
		kept                  int
	}{
		{"ten are kept whatever they are", entity, 0, 0, 10, 10},
		{"never fewer than ten", entity, 1, 2, 20, 10},
		{"all that are about it", entity, 6, 8, 20, 14},
		{"the whole of its own site", entity, 30, 0, 5, 30},
		{"no entity, no filter", nil, 0, 0, 30, 30},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := begin(t, StartInput{Query: "q", Entity: tt.entity})
			all := hits(tt.own, tt.named, tt.unrelated)
			p, err := h.state.Search(Search{Query: "a"}, all)
			h.must(p, err)
			if len(p.Evidence) != tt.kept || len(p.Rejected) != len(all)-tt.kept || h.state.Searches[0].Rejected != len(all)-tt.kept {
				t.Errorf("%d kept, %d rejected", len(p.Evidence), len(p.Rejected))
			}
			for _, r := range p.Rejected {
				if !strings.HasPrefix(r.Item, "https://weather.example/") || !strings.Contains(r.Why, "Arden Lamps") {
					t.Errorf("rejected: %+v", r)
				}
			}
			updated, err := h.state.Update(UpdateInput{Evidence: hits(tt.own, tt.named, tt.unrelated)})
			if err != nil || len(updated.Duplicates) != tt.kept {
				t.Errorf("reported by the host: %d duplicates, %v", len(updated.Duplicates), err)
			}
		})
	}
	// The best ranked unrelated hits are kept up to the minimum.
	h := begin(t, StartInput{Query: "q", Entity: entity})
	p, err := h.state.Search(Search{Query: "a"}, hits(0, 8, 10))
	h.must(p, err)
	var filled []string
	for _, e := range p.Evidence {
		if strings.Contains(e.URL, "weather") {
			filled = append(filled, e.URL)
		}
	}
	if diff := cmp.Diff([]string{"https://weather.example/8", "https://weather.example/9"},
		slices.Sorted(slices.Values(filled))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A search belongs to the gap with its text or query, dated or not, else to the current target.
func TestSearchesBelongToGaps(t *testing.T) {
	h := begin(t, StartInput{Query: "q", AsOf: "2026-03-01", Gaps: []GapInput{
		{Gap: "who pays", Query: "cost of it"}, {Gap: "newest figures", Query: "latest figures",
			Questions: []string{"figures of the office"}}, {Gap: "nobody asks"}, {Gap: "walls", Material: pointer(false)}}})
	ask := func(query, channel, status string) {
		h.must(h.state.Search(Search{Query: query, Channels: []SearchOutcome{{Channel: channel, Status: status}}}, nil))
	}
	ask("Cost of it?", "a", "empty")
	ask("Latest figures 2026", "a", "ok")
	ask("figures of the office", "b", "blocked")
	ask("figures of the office", "b", "blocked")
	ask("walls", "b", "blocked")
	ask("something of my own", "b", "blocked") // the target is G1
	h.update(UpdateInput{Query: "who pays", Channel: "elsewhere"})
	h.close(CloseInput{AnsweredGaps: []string{"G1"}})
	ask("more", "c", "empty") // the target is G2
	h.close(CloseInput{AnsweredGaps: []string{"G2", "G3"}})
	ask("after all of them", "c", "ok")
	want := map[string]string{
		"G1": "searched 3 channels 3 times: 1 blocked, 1 empty, 1 reported",
		"G2": "searched 3 channels 4 times: 2 blocked, 1 empty, 1 ok",
		"G4": "searched 1 channel 1 time: 1 blocked; no channel could search, so sources may still exist",
	}
	if got := h.state.Tried(); !cmp.Equal(want, got) {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
	if diff := diffStates(fold(t, nil, h.log), h.state); diff != "" {
		t.Errorf("replayed (-want +got):\n%s", diff)
	}
}

// The decision has dated queries; the gap's text is unchanged.
func TestDecisionDatesItsQueries(t *testing.T) {
	h := begin(t, StartInput{Query: "q", AsOf: "2026-03-01", Gaps: gaps("latest copper prices")})
	d := Decide(h.state)
	if d.Target != "latest copper prices" || len(d.Queries) != 1 || d.Queries[0] != "latest copper prices 2026" {
		t.Errorf("target %q, queries %q", d.Target, d.Queries)
	}
}

func (h *history) sweep(in Search, hits ...Evidence) {
	h.t.Helper()
	in.Channels = []SearchOutcome{{Channel: "web", Status: "ok", Count: len(hits)}}
	h.must(h.state.Search(in, hits))
}

// Mechanisms of docs/mechanisms.md without another test.

// A closed gap has its round, however it was closed (mechanisms 57, 77 and C12).
func TestClosedGapsKeepTheirRound(t *testing.T) {
	h := begin(t, StartInput{Query: "q", Gaps: gaps("a", "b", "c", "d")})
	h.update(UpdateInput{AnsweredGaps: []string{"G1"}})
	h.close(CloseInput{})
	h.close(CloseInput{AnsweredGaps: []string{"G2"}})
	h.close(CloseInput{OpenQuestions: []Gap{{Gap: "G3", Why: "the archive burned"}}})
	type closed struct {
		Status, Why string
		Round       int
	}
	want := map[string]closed{"G1": {GapAnswered, "", 1}, "G2": {GapAnswered, "", 2}, "G3": {GapUnanswerable, "the archive burned", 3},
		"G4": {GapOpen, "", 0}}
	got := map[string]closed{}
	for _, g := range fold(t, nil, h.log).Gaps {
		got[g.ID] = closed{g.Status, g.Why, g.ClosedRound}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Advice names what nobody searched or read. It never changes the decision.
func TestAdvice(t *testing.T) {
	h := begin(t, StartInput{Query: "does it work", AsOf: "2026-11-01"})
	if got := Advise(h.state); got != nil {
		t.Errorf("before any search: %v", got)
	}
	h.sweep(Search{Query: "it", Angle: "byEntity"}, Evidence{Title: "A page", URL: "https://a.example/1", Source: "web",
		SourceType: "press", PublishedAt: "2020"})
	h.read("https://a.example/1")
	h.claim(1)
	before := Decide(h.state)
	got := map[string]Advice{}
	for _, a := range Advise(h.state) {
		got[a.Code] = a
	}
	want := map[string]Advice{
		AdviseAngles:    {AdviseAngles, 3, []string{"byTimeWindow", "bySourceType", "byCounterArg"}},
		AdviseRecent:    {AdviseRecent, 1, []string{"2025-05-01"}},
		AdviseTypes:     {AdviseTypes, 3, []string{"peer", "primary", "practitioner"}},
		AdviseCheck:     {AdviseCheck, 1, []string{"C1"}},
		AdviseOneSource: {AdviseOneSource, 1, []string{"C1"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, Decide(h.state)); diff != "" {
		t.Errorf("advice changed the decision:\n%s", diff)
	}
}

// The gaps that older versions opened themselves are left out of a log.
func TestDebtsOfOldLogsAreNotFolded(t *testing.T) {
	h := begin(t, StartInput{Query: "q", Gaps: gaps("a")})
	h.must(Closed{Gaps: []Gap{{ID: "G901", Gap: "not searched from these angles: byEntity", Status: GapOpen, Debt: "angles"}}}, nil)
	h.gap(GapInput{Gap: "b", Where: "S1:3"})
	if got := h.state.Gaps; len(got) != 2 || got[1].ID != "G2" || got[1].Where != "S1:3" {
		t.Errorf("%+v", got)
	}
}
