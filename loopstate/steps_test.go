package loopstate

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestStart(t *testing.T) {
	got, err := Start(StartInput{}, "me", time.Date(2026, 3, 1, 23, 30, 0, 0, time.FixedZone("west", -3600)))
	if err != nil {
		t.Fatal(err)
	}
	want := Started{Owner: "me", Complexity: "moderate", Budget: Budget{Rounds: 5, Tokens: 250_000}, AsOf: "2026-03-02", Complete: 0.85,
		Dimensions: []Dimension{}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("without arguments (-want +got):\n%s", diff)
	}

	got, err = Start(StartInput{
		Query: " does it work ", Rubrics: []string{" cites "}, Complexity: "breaking", AsOf: "2024-02-29", Complete: pointer(0.9),
		Budget:     Amounts{Rounds: pointer(4), CostUSD: pointer(0.5), LatencySeconds: pointer(60), Tokens: pointer(9)},
		Dimensions: []Dimension{{Dimension: " funding "}, {Dimension: "team", Priority: "high"}},
		Entity:     &Entity{Name: " Acme ", Aliases: []string{"ACME Inc."}, OfficialDomains: []string{"acme.example"}},
		Gaps: []GapInput{
			{Gap: " a "}, {Gap: "A?"},
			{Gap: "b", Kind: "missing-counterarg", Query: " against b ", Priority: 2.0, Importance: "critical",
				SourceTypes: []string{"peer"}, Questions: []string{"why b"}},
			{Gap: "c", Questions: []string{"first question", "second"}, Importance: "minor"},
			{Gap: "d", Importance: "minor", Material: pointer(true)},
		},
	}, "me", testStart)
	if err != nil {
		t.Fatal(err)
	}
	gap := func(id, text, query string) Gap {
		return Gap{ID: id, Gap: text, Kind: "question", Query: query, Material: true, Importance: "important", SourceTypes: []string{},
			Status: GapOpen, OpenedRound: 1}
	}
	a, b, c, d := gap("G1", "a", "a"), gap("G2", "b", "against b"), gap("G3", "c", "first question"), gap("G4", "d", "d")
	b.Kind, b.Priority, b.Importance, b.SourceTypes, b.Questions = "missing-counterarg", 2, "critical", []string{"peer"}, []string{"why b"}
	c.Importance, c.Material, c.Questions = "minor", false, []string{"first question", "second"}
	d.Importance = "minor"
	want = Started{
		Owner: "me", Query: "does it work", Rubrics: []string{"cites"}, Complexity: "breaking", AsOf: "2024-02-29", Complete: 0.9,
		Budget:     Budget{Rounds: 4, CostUSD: 0.5, LatencySeconds: 60, Tokens: 9},
		Dimensions: []Dimension{{Dimension: "funding", Priority: "medium"}, {Dimension: "team", Priority: "high"}},
		Entity:     &Entity{Name: "Acme", Aliases: []string{"ACME Inc."}, OfficialDomains: []string{"acme.example"}},
		Gaps:       []Gap{a, b, c, d},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("with all of them (-want +got):\n%s", diff)
	}
}

func TestStartRefuses(t *testing.T) {
	long := strings.Repeat("x", MaxTextChars+1)
	refuses(t, []refused[StartInput]{
		{"a coverage of 85", StartInput{Complete: pointer(85.0)}, Error{Code: CodeOutOfRange, Subject: "complete from"}},
		{"no coverage", StartInput{Complete: pointer(0.0)}, Error{Code: CodeOutOfRange, Subject: "complete from"}},
		{"a date in another order", StartInput{AsOf: "31.03.2026"}, Error{Code: CodeNotDate, Subject: "date", Value: "31.03.2026"}},
		{"a day that does not exist", StartInput{AsOf: "2026-02-30"}, Error{Code: CodeNotDate, Subject: "date"}},
		{"a date and a time", StartInput{AsOf: "2026-03-01T00:00:00Z"}, Error{Code: CodeNotDate, Subject: "date"}},
		{"a long date", StartInput{AsOf: strings.Repeat("9", 100)},
			Error{Code: CodeNotDate, Subject: "date", Value: strings.Repeat("9", 40) + "…"}},
		{"an unknown complexity", StartInput{Complexity: "hard"}, Error{Code: CodeUnknownValue, Subject: "complexity", Value: "hard",
			Valid: []string{"simple", "moderate", "complex", "breaking"}}},
		{"no rounds", StartInput{Budget: Amounts{Rounds: pointer(0)}}, Error{Code: CodeOutOfRange, Subject: "budget.rounds", Value: "0",
			Min: math.SmallestNonzeroFloat64, Max: 1e12}},
		{"negative tokens", StartInput{Budget: Amounts{Tokens: pointer(-5)}}, Error{Code: CodeOutOfRange, Subject: "budget.tokens",
			Value: "-5"}},
		{"a long query", StartInput{Query: long}, Error{Code: CodeTooLong, Subject: "query"}},
		{"an empty rubric", StartInput{Rubrics: []string{"a", " "}}, Error{Code: CodeEmpty, Subject: "rubrics[1]"}},
		{"an unknown priority", StartInput{Dimensions: []Dimension{{Dimension: "a", Priority: "urgent"}}},
			Error{Code: CodeUnknownValue, Subject: "dimensions[0].priority", Value: "urgent", Valid: []string{"high", "medium", "low"}}},
		{"too many dimensions", StartInput{Dimensions: make([]Dimension, MaxItems+1)}, Error{Code: CodeTooMany, Subject: "dimensions"}},
		{"an entity without a name", StartInput{Entity: &Entity{Aliases: []string{"a"}}}, Error{Code: CodeEmpty, Subject: "entity.name"}},
		{"an empty gap", StartInput{Gaps: []GapInput{{Gap: "a"}, {}}}, Error{Code: CodeEmpty, Subject: "gaps[1].text"}},
		{"an unknown kind", StartInput{Gaps: []GapInput{{Gap: "a", Kind: "other"}}}, Error{Code: CodeUnknownValue, Subject: "gaps[0].kind",
			Value: "other", Valid: GapKinds()}},
		{"an unknown importance", StartInput{Gaps: []GapInput{{Gap: "a", Importance: "high"}}}, Error{Code: CodeUnknownValue,
			Subject: "gaps[0].importance", Valid: []string{"critical", "important", "minor"}}},
		{"an empty question", StartInput{Gaps: []GapInput{{Gap: "a", Questions: []string{""}}}},
			Error{Code: CodeEmpty, Subject: "gaps[0].questions[0]"}},
		{"too many gaps", StartInput{Gaps: make([]GapInput, MaxItems+1)}, Error{Code: CodeTooMany, Subject: "gaps"}},
	}, func(_ *testing.T, in StartInput) error {
		_, err := Start(in, "me", testStart)
		return err
	})
}

func TestSameGap(t *testing.T) {
	tests := []struct {
		name, first, then string
		same              bool
	}{
		{"case", "No benchmarks found", "no Benchmarks FOUND", true},
		{"punctuation", "No benchmarks found", "no benchmarks, found?!", true},
		{"white space", "No benchmarks found", " no  benchmarks\tfound ", true},
		{"width", "ＡＢＣ　１２", "abc 12", true},
		{"Chinese punctuation", "没有基准。", "没有基准", true},
		{"accents written in two ways", "caf\u00e9", "cafe\u0301", true},
		{"an accent", "café", "cafe", false},
		{"C and C++", "C", "C++", false},
		{"C and C#", "C", "C#", false},
		{"5 and 5 %", "costs 5", "costs 5 %", false},
		{"5 % and 5%", "costs 5 %", "costs 5%", true},
		{"less and more", "a < b", "a > b", false},
		{"minus", "3 degrees", "-3 degrees", false},
		{"words that run together", "no benchmarks", "nobenchmarks", false},
		{"nothing but punctuation", "?", "!", false},
		{"nothing but symbols", "🙂", "🙁", false},
		{"the same symbol", "🙂", "🙂", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := begin(t, StartInput{Gaps: gaps(tt.first)})
			p, duplicate, err := h.state.AddGap(GapInput{Gap: tt.then})
			if err != nil {
				t.Fatal(err)
			}
			if got := duplicate == "G1"; got != tt.same || !got && p.Gap.ID != "G2" {
				t.Errorf("%q after %q: duplicate of %q, id %q; same should be %v", tt.then, tt.first, duplicate, p.Gap.ID, tt.same)
			}
		})
	}
}

func TestAddGap(t *testing.T) {
	h := studied(t)
	h.close(CloseInput{})
	p, duplicate, err := h.state.AddGap(GapInput{Gap: "missing 2026 papers"})
	if err != nil || duplicate != "" || p.Gap.ID != "G3" || p.Gap.OpenedRound != 2 || p.Gap.Status != GapOpen {
		t.Errorf("AddGap answers %s, %q, %v", compact(p), duplicate, err)
	}
	if _, duplicate, _ = h.state.AddGap(GapInput{Gap: "Who pays?"}); duplicate != "G2" {
		t.Errorf("a gap that was answered is a duplicate of %q, want G2", duplicate)
	}
}

func TestClose(t *testing.T) {
	h := studied(t)
	h.gap(GapInput{Gap: "c"})
	h.gap(GapInput{Gap: "d"})
	p, err := h.state.Close(CloseInput{
		Gaps:         []GapInput{{Gap: "No benchmarks found"}, {Gap: "WHO PAYS"}, {Gap: "new"}, {Gap: "New!"}},
		AnsweredGaps: []string{"c", "never asked"},
		OpenQuestions: []Gap{{Gap: "g4", Why: "secret"}, {Gap: "C", Why: "secret"}, {Gap: "who pays", Why: "secret"},
			{Gap: "new", Why: "not published"}, {Gap: "what nobody knows", Why: "no data"}},
		SignOff: true, Coverage: &Coverage{Overall: 0.9, Dimensions: map[string]float64{"team": 1}},
		Failures:  []string{" one-sided "},
		Synthesis: "日本語", SynthesisHash: "abc",
	})
	if err != nil {
		t.Fatal(err)
	}
	gap := func(id, text string) Gap {
		return Gap{ID: id, Gap: text, Kind: "question", Query: text, Material: true, Importance: "important", SourceTypes: []string{},
			Status: GapOpen, OpenedRound: 1}
	}
	want := Closed{
		Gaps: []Gap{gap("G5", "new"), gap("G6", "what nobody knows")}, Answered: []string{"G3"},
		OpenQuestions: []ClosedGap{{GapID: "G4", Why: "secret"}, {GapID: "G5", Why: "not published"}, {GapID: "G6", Why: "no data"}},
		SignOff:       true, Coverage: &Coverage{Overall: 0.9, Dimensions: map[string]float64{"team": 1}}, Failures: []string{"one-sided"},
		Synthesis: "abc", SynthesisLen: 3,
		Rejected: []Rejected{
			{Item: "G2", Why: "it was closed in round 1 as answered; describe in new words what is still missing"},
			{"never asked", "no gap of this loop has this text; use the gap's id"},
			{Item: "G3", Why: "the same call also answers it"},
			{Item: "G2", Why: "it was closed in round 1 as answered"},
		},
	}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	h.append(h.event(p))
	got := map[string]string{}
	for _, g := range h.state.Gaps {
		got[g.ID] = g.Status + " " + g.Why
	}
	wantGaps := map[string]string{"G1": "open ", "G2": "answered ", "G3": "answered ", "G4": "unanswerable secret",
		"G5": "unanswerable not published", "G6": "unanswerable no data"}
	if diff := cmp.Diff(wantGaps, got); diff != "" {
		t.Errorf("the gaps afterwards (-want +got):\n%s", diff)
	}
}

func TestCloseRefuses(t *testing.T) {
	refuses(t, []refused[CloseInput]{
		{"a gap that was never minted", CloseInput{AnsweredGaps: []string{"G99"}},
			Error{Code: CodeUnknownGap, Subject: "answered gaps[0]"}},
		{"an open question that was never minted", CloseInput{OpenQuestions: []Gap{{Gap: "G99", Why: "w"}}},
			Error{Code: CodeUnknownGap, Subject: "open questions[0].gap", Value: "G99"}},
		{"an open question without why", CloseInput{OpenQuestions: []Gap{{Gap: "G1", Why: " "}}},
			Error{Code: CodeEmpty, Subject: "open questions[0].why"}},
		{"too many open questions", CloseInput{OpenQuestions: make([]Gap, MaxItems+1)},
			Error{Code: CodeTooMany, Subject: "open questions"}},
		{"coverage in percent", CloseInput{Coverage: &Coverage{Overall: 85}}, Error{Code: CodeOutOfRange, Subject: "coverage.overall",
			Value: "85", Max: 1}},
		{"coverage of a dimension", CloseInput{Coverage: &Coverage{Dimensions: map[string]float64{"team": -0.1}}},
			Error{Code: CodeOutOfRange, Subject: "coverage.dimensions.team"}},
		{"an empty failure", CloseInput{Failures: []string{""}}, Error{Code: CodeEmpty, Subject: "failures[0]"}},
		{"a blank synthesis", CloseInput{Synthesis: " "}, Error{Code: CodeEmpty, Subject: "synthesis"}},
		{"a long synthesis", CloseInput{Synthesis: strings.Repeat("x", MaxSynthesisChars+1)},
			Error{Code: CodeTooLong, Subject: "synthesis", Got: 400001, Limit: 400000}},
	}, func(t *testing.T, in CloseInput) error {
		_, err := studied(t).state.Close(in)
		return err
	})
}

func TestRead(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	h.find(3)
	h.read("https://example.com/a")
	again, renamed, copied := sourceAt("http://www.example.com/a#x", h.now), sourceAt("https://example.com/b", h.now),
		sourceAt("https://mirror.example/a", h.now)
	copied.SHA256 = h.state.Sources[0].SHA256
	twin := sourceAt("https://example.com/twin", h.now)
	twin.SHA256 = renamed.SHA256
	p, err := h.state.Read([]Source{again, renamed, renamed, copied, twin}, []BadURL{{URL: page(1).URL, Reason: "not found"},
		{URL: page(1).URL, Reason: "not found"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, src := range p.Sources {
		got = append(got, src.ID+" "+src.URL+" "+src.DuplicateOf)
	}
	want := []string{"S2 https://example.com/b ", "S3 https://mirror.example/a S1", "S4 https://example.com/twin S2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
	h.append(h.event(p))
	if want := []BadURL{{URL: page(1).URL, Reason: "not found", Round: 1}}; !cmp.Equal(want, h.state.Bad) {
		t.Errorf("bad addresses: %s", cmp.Diff(want, h.state.Bad))
	}
	if !h.state.IsBad(page(1).URL + "#top") {
		t.Errorf("another spelling of a bad address is not bad")
	}
	if src, ok := h.state.SourceByAddress("https://m.example.com/b?utm_source=x", ""); !ok || src.ID != "S2" {
		t.Errorf("another spelling leads to %q", src.ID)
	}
	if diff := cmp.Diff([]string{page(2).URL, page(3).URL}, addresses(h.state.Unread(10))); diff != "" {
		t.Errorf("unread (-want +got):\n%s", diff)
	}
}

// Unread hits are sorted by relevance to the target, then by rank, then newest first.
func TestUnread(t *testing.T) {
	hit := func(n int, score float64, title, snippet string) Evidence {
		return Evidence{Title: title, URL: page(n).URL, Snippet: snippet, Score: score, Source: "local"}
	}
	h := begin(t, StartInput{Query: "Is the dam safe?", Gaps: gaps("Which cracks were found in the spillway?")})
	h.search("first angle", hit(1, 0.9, "A museum", "of clocks"), hit(2, 0.5, "Spillway inspection", "cracks of two metres"))
	h.search("second angle", hit(3, 0.9, "Fish ladders", "near the spillway"), hit(4, 0.7, "Cracked walls", "of the spillways"),
		hit(5, 0.1, "Recipes", ""))
	h.close(CloseInput{})
	h.search("next round", hit(6, 0.2, "Tea", ""), hit(7, 0.9, "Coffee", ""))
	ranked, _ := h.state.rankedUnread()
	if diff := cmp.Diff([]int{3, 1, 2, 6, 0, 5, 4}, ranked); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if urls := addresses(h.state.Unread(6)); !slices.Equal(urls, []string{page(4).URL, page(2).URL, page(3).URL}) {
		t.Errorf("to fetch: %q", urls)
	}
}

func TestVerify(t *testing.T) {
	h := studied(t)
	h.verify(Grounded, Claim{Claim: "it works", SourceIDs: []string{"S1"}}, Claim{Claim: "Uncited."},
		Claim{Claim: "uncited"})
	var got []string
	for _, c := range h.state.Claims {
		got = append(got, c.ID+" "+c.Claim+" "+c.Check.Status)
	}
	if diff := cmp.Diff([]string{"C1 It works. grounded", "C2 Uncited. grounded"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err := h.state.Verify(Verified{Verdict: "fail"},
		[]Claim{{Claim: "x", SourceIDs: []string{"S2"}, Check: &ClaimCheck{}}}, "")
	refusal(t, err, Error{Code: CodeUnreadCited, Subject: "claims[0].sources", Value: "S2", Text: "x"})
	h.verify(Grounded)
	if v := h.state.Verification; v.Cycle != 2 || v.Verdict != "pass" || v.Groundedness != 1 || h.state.VerifiedRound != 1 {
		t.Errorf("the last verification is %+v in round %d", v, h.state.VerifiedRound)
	}
}

// A claim that stays unsupported after a search in new words, which some channel could do, is a coverage gap.
func TestCoverageGap(t *testing.T) {
	claim := Claim{Claim: "It works.", SourceIDs: []string{"S1"}}
	const search, again, same, blocked = "another query", "a third query", "no benchmarks found", "a query that is blocked"
	tests := []struct {
		name  string
		steps []string
		want  bool
	}{
		{"once", []string{Unsupported}, false},
		{"twice without a search", []string{Unsupported, Unsupported}, false},
		{"twice with a search between", []string{Unsupported, search, Unsupported}, true},
		{"twice with the same words between", []string{same, Unsupported, same, Unsupported}, false},
		{"twice with a blocked search between", []string{same, Unsupported, blocked, Unsupported}, false},
		{"thrice, the search between the first two", []string{Unsupported, search, Unsupported, Unsupported}, true},
		{"thrice, the search between the last two", []string{Unsupported, Unsupported, search, Unsupported}, true},
		{"support found in the end", []string{Unsupported, search, Unsupported, again, Grounded}, false},
		{"support found and lost", []string{Unsupported, search, Unsupported, again, Inferred, Unsupported}, false},
		{"supported first", []string{Grounded, search, Unsupported}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := studied(t)
			for _, step := range tt.steps {
				status := map[string]string{search: "empty", again: "empty", same: "ok", blocked: "blocked"}[step]
				if status == "" {
					h.verify(step, claim)
					continue
				}
				h.must(h.state.Search(Search{Query: step, Channels: []SearchOutcome{{Channel: "local", Status: status}}}, nil))
			}
			if got := h.state.Claims[0].Gap; got != tt.want {
				t.Errorf("coverage gap %v, want %v", got, tt.want)
			}
		})
	}
}
