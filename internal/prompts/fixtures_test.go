package prompts

import (
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// englishLoop is a loop in its second round. Its statements about bridges are invented.
func englishLoop() Loop {
	target := loopstate.Gap{ID: "G2", Gap: "No independent measurement of the coating's life in sea air", Kind: "unverified-claim",
		Query: "independent test zinc coating marine atmosphere years", Material: true, Priority: 8, Importance: "critical",
		SourceTypes: []string{"peer", "primary"}, Status: loopstate.GapOpen}
	st := &loopstate.State{
		Loop: "0198c0de-0000-7000-8000-000000000001", Round: 1,
		Started: loopstate.Started{Query: "Does the new zinc coating double the life of coastal bridges?",
			AsOf: "2026-03-01", Complexity: "moderate", Rubrics: []string{"names the test method", "gives years, not adjectives"},
			Dimensions: []loopstate.Dimension{{Dimension: "durability", Priority: "high"}, {Dimension: "cost", Priority: "medium"}},
			Entity: &loopstate.Entity{Name: "Harbour Coatings", Aliases: []string{"HarbourCoat"},
				OfficialDomains: []string{"harbourcoat.example"}},
			Complete: 0.85, Budget: loopstate.Budget{Rounds: 5, Tokens: 250_000}},
		Gaps: []loopstate.Gap{target, {ID: "G3", Gap: "What does repainting cost?", Kind: "question",
			Query: "What does repainting cost?", Importance: "minor", Status: loopstate.GapOpen}, {ID: "G1",
			Gap: "How many bridges were coated before 1990?", Why: "the register before 1990 burned", Status: loopstate.GapUnanswerable}},
		Sources: []loopstate.Source{
			{ID: "S1", SourceType: "press", PublishedAt: "2025-11", Title: "A coat for a century", FinalURL: "https://news.example/coat"},
			{ID: "S2", SourceType: "peer", PublishedAt: "2018", Title: "Corrosion of zinc in sea air",
				FinalURL: "https://journal.example/zinc"},
		},
		Claims: []loopstate.Claim{
			{ID: "C1", Claim: "The coating lasts 40 years.", SourceIDs: []string{"S1"}, Confidence: "med",
				Check: &loopstate.ClaimCheck{Status: loopstate.Grounded, Flags: []string{"single_source", "secondary_only"}}},
			{ID: "C2", Claim: "Both sources confirm a loss of 2 µm a year.", SourceIDs: []string{"S1", "S2"}, Confidence: "low"},
		},
		Contradictions: []loopstate.Contradiction{{ID: "X1", Topic: "loss of zinc a year", Why: "the two tests stood on different coasts",
			SourceIDs: []string{"S1", "S2"}}},
		Failures: []string{"names the test method"},
		Searches: []loopstate.Search{{Gap: "G2", Channels: []loopstate.SearchOutcome{{Channel: "arxiv", Status: "empty"}}}},
		Rounds:   []loopstate.Round{{Round: 1, Sources: 2, NewSources: 2, Claims: 2, OpenGaps: 1}},
	}
	return Loop{State: st,
		Unread: []loopstate.Evidence{{Title: "The maker's data sheet", URL: "https://harbourcoat.example/sheet"}},
		Asked:  []string{"zinc coating coastal bridges life"},
		Decision: wording.Decision{NextAction: loopstate.SearchMore, Rule: "pursue_target", Because: "1 material gap is open",
			Advice: []wording.Advice{{Code: loopstate.AdviseAngles, Words: "No search was from the angle byCounterArg."}}},
		LastText: "The coating lasts. It was measured once.",
		Passages: []Passage{
			{SourceID: "S1", Lines: "7-8",
				Text: "The makers say the coat lasts 40 years. “We saw a loss of 2 µm a year,” their engineer adds."},
			{SourceID: "S2", Lines: "21", Text: "On the west coast the loss was 5 µm a year, on the east 2 µm."},
		},
	}
}

// withDraft is a loop whose draft waits for a critic.
func withDraft(l Loop, draft string, folder string) Loop {
	l.Part, _ = PartOf(draft, 1, folder)
	l.Passages = nil
	return l
}

const coatingDraft = `# The coating

It lasts 40 years [S1:7-8].

| coast | loss |
| --- | --- |
| west | 5 µm a year [S2:21] |
`
