package loopstate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A hit that only states that nothing was found is rejected.
func TestEmptyHitsAreRejected(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	empty := page(1)
	empty.Snippet = "No results found"
	p, err := h.state.Update(UpdateInput{Evidence: []Evidence{empty, page(2)}})
	if err != nil || len(p.Evidence) != 1 || len(p.Rejected) != 1 || !strings.Contains(p.Rejected[0].Why, "only states that nothing was found") {
		t.Errorf("update: %+v, %v", p, err)
	}
	h.search("q", empty, page(2))
	if len(h.state.Evidence) != 1 {
		t.Errorf("search kept %d hits, want 1", len(h.state.Evidence))
	}
}

func TestEntityMentions(t *testing.T) {
	e := Entity{Name: "Mind", Aliases: []string{"思智公司", "Mind AG"}}
	for text, want := range map[string]bool{
		"Mind was founded in 2015.": true, "the MIND app": true, "(mind)": true, "A reminder for minders": false, "remind.io and minders.io": false,
		"mind.ag": true, "据报道思智公司成立于2015年": true, "": false, "mindmind mind": true,
	} {
		if got := e.Mentions(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// A synthesis that mostly admits absence caps the host's coverage.
func TestAdmittedAbsenceCapsCoverage(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	h.findAndRead(2)
	h.close(CloseInput{Coverage: &Coverage{Overall: 0.9}, Synthesis: "We could not find the founding date. No information is available on the team. The product is a lamp."})
	row := h.state.Rounds[0]
	if h.state.Coverage.Overall >= 0.4 || !slices.Contains(row.Guardrails, "admitted_absence") || row.Decision.Rule != "guardrail_first_round_coverage" {
		t.Errorf("coverage %v, guardrails %v, rule %s", h.state.Coverage.Overall, row.Guardrails, row.Decision.Rule)
	}
	h = begin(t, StartInput{Query: "q"})
	h.close(CloseInput{Coverage: &Coverage{Overall: 0.9}, SynthesisHash: "x", Synthesis: "The lamp was made in 1874. It was sold in 1900. The price is not known. " + strings.Repeat("It shone over the sea for many years. ", 20)})
	if row := h.state.Rounds[0]; h.state.Coverage.Overall != 0.9 || len(row.Guardrails) != 0 {
		t.Errorf("an honest text: coverage %v, guardrails %v", h.state.Coverage.Overall, row.Guardrails)
	}
}

// Fewer than three verifiable facts about the target entity are a critical gap; the third one answers it.
func TestEntityGap(t *testing.T) {
	h := begin(t, StartInput{Query: "q", Entity: &Entity{Name: "Arden Lamps"}})
	h.findAndRead(1)
	h.close(CloseInput{SignOff: true})
	g, ok := h.state.Target()
	if !ok || g.Importance != "critical" || g.Query != "Arden Lamps" || h.state.Rounds[0].SignOff {
		t.Fatalf("gap %+v, %v; sign-off %v", g, ok, h.state.Rounds[0].SignOff)
	}
	if rule := h.state.Rounds[0].Decision.Rule; rule != "guardrail_critical_gap" {
		t.Errorf("rule %s", rule)
	}
	h.verify(Grounded, ClaimInput{Claim: "Arden Lamps was founded in 1874.", SourceIDs: []string{"S1"}}, ClaimInput{Claim: "Arden Lamps has 40 workers.", SourceIDs: []string{"S1"}},
		ClaimInput{Claim: "Other makers are larger.", SourceIDs: []string{"S1"}})
	h.close(CloseInput{})
	if g, _ := h.state.GapByID(g.ID); g.Status != GapOpen {
		t.Errorf("two facts answered the gap")
	}
	h.verify(Grounded, ClaimInput{Claim: "The owner of Arden Lamps is Maria Holt.", SourceIDs: []string{"S1"}})
	h.close(CloseInput{})
	if g, _ := h.state.GapByID(g.ID); g.Status != GapAnswered || len(h.state.Gaps)-len(h.state.index.debts) != 1 {
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
		p, err := h.state.Read(sources, nil)
		h.must(p, err)
		h.close(CloseInput{SignOff: true})
		if _, got := h.state.gapNamed(h.state.entityGapText()); got != want {
			t.Errorf("%d titles: a gap is %v, want %v", titles, got, want)
		}
	}
}
