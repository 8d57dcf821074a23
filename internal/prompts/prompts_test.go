package prompts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

func named(t *testing.T, name string) Prompt {
	t.Helper()
	for _, p := range All() {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no prompt %s", name)
	return Prompt{}
}

func render(t *testing.T, name string, l Loop, extra ...string) string {
	t.Helper()
	given := map[string]string{ArgStateID: l.StateID()}
	if l.StateID() == "" {
		given = map[string]string{ArgQuery: l.Query}
	}
	for i := 0; i < len(extra); i += 2 {
		given[extra[i]] = extra[i+1]
	}
	text, err := named(t, name).Render(l, given)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Every prompt but the reviewer's, which does not have the question, requests the language of the query, and none has holes.
func TestLanguage(t *testing.T) {
	for _, p := range All() {
		got := render(t, p.Name, englishLoop(), extraFor(p)...)
		if strings.Contains(got, "\n\n\n\n") || strings.Contains(got, "<no value>") {
			t.Errorf("%s has a hole:\n%s", p.Name, got)
		}
		if strings.Contains(got, "in the SAME language as the query") != (p.Name != "reviewer") {
			t.Errorf("%s does not demand the language", p.Name)
		}
	}
}

// extraFor returns the arguments that a prompt needs in addition to the loop.
func extraFor(p Prompt) []string {
	var extra []string
	for _, a := range p.Arguments {
		switch a.Name {
		case ArgAngle:
			extra = append(extra, a.Name, "byEntity")
		case ArgText:
			extra = append(extra, a.Name, "It was cut and")
		}
	}
	return extra
}

// A searcher sees the question, the date, the target and its own angle, but no results of others.
func TestSearcherIsBlind(t *testing.T) {
	l := englishLoop()
	for _, angle := range loopstate.Angles() {
		got := render(t, "searcher", l, ArgAngle, angle.Angle)
		for _, want := range []string{l.Query, l.AsOf, l.StateID(), l.TargetGap().Gap, l.TargetGap().Query, angle.Brief} {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %q", angle.Angle, want)
			}
		}
		for _, other := range loopstate.Angles() {
			if other != angle && (strings.Contains(got, other.Brief) || strings.Contains(got, other.Angle)) {
				t.Errorf("%s knows of the angle %s", angle.Angle, other.Angle)
			}
		}
		hidden := append([]string{l.Contradictions[0].Topic, l.Gaps[1].Gap, l.Gaps[2].Gap, "S1", "S2", "C1", l.Unread[0].Title,
			l.Unread[0].URL}, l.Asked...)
		for i := range l.Sources {
			hidden = append(hidden, l.Sources[i].Title, l.Sources[i].FinalURL, l.Claims[i].Claim, l.Passages[i].Text)
		}
		for _, h := range hidden {
			if strings.Contains(got, h) {
				t.Errorf("%s sees %q", angle.Angle, h)
			}
		}
	}
}

// The prompt describes the next action of the decision.
func TestResearchFollowsTheDecision(t *testing.T) {
	for action, want := range map[string]string{
		loopstate.SearchMore: "run_channel for decision.target", loopstate.FetchMore: "fetch(urls=", loopstate.Finalize: "the final text",
		loopstate.EscalateBudget: "Ask the user", loopstate.Abort: "not continued",
	} {
		l := englishLoop()
		l.Decision.NextAction = action
		if got := render(t, "research", l); !strings.Contains(got, want) {
			t.Errorf("%s: the prompt does not say %q", action, want)
		}
	}
}

func TestLength(t *testing.T) {
	for _, tt := range []struct{ areas, words, citations int }{{0, 1800, 6}, {2, 1800, 6}, {5, 2000, 15}, {8, 3200, 24}} {
		l := Loop{State: &loopstate.State{}}
		l.Dimensions = make([]loopstate.Dimension, tt.areas)
		if l.TargetWords() != tt.words || l.MinCitations() != tt.citations {
			t.Errorf("%d areas: %d words and %d citations, want %d and %d", tt.areas, l.TargetWords(), l.MinCitations(), tt.words,
				tt.citations)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, tt := range []struct {
		name, prompt string
		given        map[string]string
		argument     string
	}{
		{"no state_id", "critic", nil, "state_id"},
		{"blank state_id", "critic", map[string]string{"state_id": "  "}, "state_id"},
		{"no angle", "searcher", map[string]string{"state_id": "x"}, "angle"},
		{"wrong angle", "searcher", map[string]string{"state_id": "x", "angle": "byMoon"}, "angle"},
		{"no text", "continue_report", map[string]string{"state_id": "x"}, "text"},
		{"research of nothing", "research", nil, "query"},
		{"research of two things", "research", map[string]string{"state_id": "x", "query": "y"}, "query"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := named(t, tt.prompt).Check(tt.given)
			bad, ok := err.(*wording.Mistake)
			if !ok || bad.Argument != tt.argument || bad.Problem == "" || bad.Remedy == "" {
				t.Errorf("error %v, want one of %s that says what and what next", err, tt.argument)
			}
		})
	}
}

// The reviewer's prompt contains only the id of the loop.
func TestReviewerIsBlind(t *testing.T) {
	l := englishLoop()
	got := render(t, "reviewer", l)
	if strings.Contains(got, l.Query) || strings.Contains(got, l.AsOf) {
		t.Errorf("the reviewer is told of the loop:\n%s", got)
	}
	for _, rule := range []string{"review_claims", l.StateID(), "not_stated", "passages alone"} {
		if !strings.Contains(got, rule) {
			t.Errorf("the reviewer is not told %q", rule)
		}
	}
}

// The critic of a draft gets the question, the rubrics, the draft with its lines and the sources, and nothing of what the
// author or a reader thought.
func TestCriticOfADraft(t *testing.T) {
	l := withDraft(englishLoop(), coatingDraft, "/home/ada/loops/zinc-0198c0de")
	got := render(t, "critic", l)
	for _, want := range []string{l.Query, "names the test method", "3  It lasts 40 years [S1:7-8].",
		"7  | west | 5 µm a year [S2:21] |", "text\nS1 | press | 2025-11 | A coat for a century", l.Part.Folder,
		`"where": "S1:120"`} {
		if !strings.Contains(got, want) {
			t.Errorf("the critic is not told %q", want)
		}
	}
	for _, secret := range []string{"single_source", "The coating lasts 40 years.", "different coasts", l.LastText, "It goes on:",
		"fetch(state_id"} {
		if strings.Contains(got, secret) {
			t.Errorf("the critic is told %q", secret)
		}
	}
	for range 300 {
		l.Sources = append(l.Sources, loopstate.Source{ID: "S9", Title: "A report on bridges", FinalURL: "https://example.org/bridges"})
	}
	l = withDraft(l, coatingDraft+strings.Repeat("One more line about the coating of bridges.\n", 3_000), "")
	got = render(t, "critic", l)
	on := fmt.Sprintf(`It goes on: loop_get_state(state_id="%s", view="critic", cursor="%d")`, l.StateID(), l.Part.Next)
	for _, want := range []string{on,
		`fetch(state_id="` + l.StateID() + `", url="S1", lines=`, "find_passages(", "more were read: loop_get_state"} {
		if !strings.Contains(got, want) {
			t.Errorf("without a folder the critic is not told %q", want)
		}
	}
	if _, ok := PartOf(coatingDraft, 8, ""); ok || l.Part.Next < 1_000 || l.Part.Next > 3_000 {
		t.Errorf("a draft of 3,007 lines continues at %d", l.Part.Next)
	}
}
