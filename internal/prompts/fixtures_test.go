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
	return Loop{
		StateID: "0198c0de-0000-7000-8000-000000000001", Question: "Does the new zinc coating double the life of coastal bridges?",
		AsOf: "2026-03-01", Complexity: "moderate", Round: 2,
		Rubrics: []string{"names the test method", "gives years, not adjectives"},
		Areas:   []loopstate.Dimension{{Dimension: "durability", Priority: "high"}, {Dimension: "cost", Priority: "medium"}},
		Entity: &loopstate.Entity{Name: "Harbour Coatings", Aliases: []string{"HarbourCoat"},
			OfficialDomains: []string{"harbourcoat.example"}},
		Target: &target, Gaps: []loopstate.Gap{target, {ID: "G3", Gap: "What does repainting cost?", Kind: "question",
			Query: "What does repainting cost?", Importance: "minor"}},
		OpenQuestions: []loopstate.Gap{{ID: "G1", Gap: "How many bridges were coated before 1990?",
			Why: "the register before 1990 burned"}},
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
		Unread:   []loopstate.Evidence{{Title: "The maker's data sheet", URL: "https://harbourcoat.example/sheet"}},
		Asked:    []string{"zinc coating coastal bridges life"},
		Tried: Tried{Angles: []Count{{"byEntity", 2}, {"byTimeWindow", 0}, {"bySourceType", 1}, {"byCounterArg", 0}},
			SourceTypes: []Count{{"peer", 1}, {"primary", 0}, {"press", 1}, {"practitioner", 0}}, Oldest: "2018", Newest: "2025-11"},
		Rounds:     []loopstate.Round{{Round: 1, Sources: 2, NewSources: 2, Claims: 2, OpenGaps: 1}},
		Decision:   wording.Decision{NextAction: loopstate.SearchMore, Rule: "pursue_target", Because: "1 material gap is open"},
		RoundsLeft: 4, TokensLeft: 210_000,
		Synthesis:  "The coating lasts. It was measured once.",
		CompleteAt: 0.85, Searched: map[string]string{"G2": "searched 4 channels 7 times: 5 empty, 2 blocked"},
		Passages: []Passage{
			{SourceID: "S1", Start: 310, End: 402, Lines: "7-8",
				Text:   "The makers say the coat lasts 40 years. “We saw a loss of 2 µm a year,” their engineer adds.",
				Claims: []string{"C1", "C2"}},
			{SourceID: "S2", Start: 1200, End: 1261, Lines: "21", Text: "On the west coast the loss was 5 µm a year, on the east 2 µm.",
				Claims: []string{"C2"}},
		},
	}
}

// withDraft is a loop whose draft waits for a critic.
func withDraft(l Loop) Loop {
	l.Draft = &Draft{Lines: []string{"# The coating", "", "It lasts 40 years [S1:7-8].", "", "| coast | loss |", "| --- | --- |",
		"| west | 5 µm a year [S2:21] |"}, First: 1, Of: 7, Folder: "/home/ada/.local/share/citeloop/loops/zinc-0198c0de",
		Sources: []DraftSource{{l.Sources[0], 40}}}
	if len(l.Sources) > 1 {
		l.Draft.Sources, l.Draft.LeftOut = append(l.Draft.Sources, DraftSource{l.Sources[1], 312}), 3
	}
	l.Sources, l.Claims, l.Contradictions, l.Failures, l.Synthesis, l.Passages = nil, nil, nil, nil, "", nil
	return l
}
