package loops_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

func promptNamed(t *testing.T, name string) prompts.Prompt {
	t.Helper()
	all := prompts.All()
	i := slices.IndexFunc(all, func(p prompts.Prompt) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("no prompt %s", name)
	}
	return all[i]
}

// bridges returns a loop of two sources and two claims, one of them verified.
func bridges(t *testing.T, h *harness) (loop string, ids []string) {
	t.Helper()
	a := done(h, h.Start, loopstate.StartInput{Query: "How long does the zinc coating last?",
		Dimensions: []loopstate.Dimension{{Dimension: "price of the coating", Priority: "low"}}})
	loop = a.StateID
	h.web.put("https://example.org/a", "A coat for a century",
		"The zinc coating lasts 40 years in sea air. The price of the coating is 12 euros a square metre.")
	h.web.put("https://example.org/b", "Corrosion of zinc",
		"On the west coast the zinc coating lost 5 micrometres a year. It lasts 22 years there.")
	ids = h.read(loop, "https://example.org/a", "https://example.org/b")
	h.check(loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New("The zinc coating lasts 40 years in sea air.", ids[0])}})
	if _, err := h.Update(t.Context(), loop, "", loopstate.UpdateInput{Query: "a query of another searcher",
		Evidence: []loopstate.Evidence{{Title: "A hit of another searcher", URL: "https://example.org/unread", Source: "fakeWeb"}},
		Claims: []loopstate.ClaimInput{{Claim: "On the west coast the coating lasts 22 years, elsewhere 40.",
			SourceIDs: ids}}}); err != nil {
		t.Fatal(err)
	}
	return loop, ids
}

// The prompts of the critic and the synthesizer have passages for each claim and each of its sources.
func TestPromptHasPassages(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop, ids := bridges(t, h)
	l := must(h.PromptData(t.Context(), loop, loops.PromptTokens))(t)
	pages := map[string]string{ids[0]: h.web.pages["https://example.org/a"].Text, ids[1]: h.web.pages["https://example.org/b"].Text}
	serves := map[string][]string{}
	for _, p := range l.Passages {
		if got := string([]rune(pages[p.SourceID])[p.Start:p.End]); got != p.Text {
			t.Errorf("%s %d to %d is %q, the prompt has %q", p.SourceID, p.Start, p.End, got, p.Text)
		}
		for _, c := range p.Claims {
			serves[c] = append(serves[c], p.SourceID)
		}
	}
	want := map[string][]string{"C1": ids[:1], "C2": ids}
	if diff := cmp.Diff(want, serves); diff != "" {
		t.Errorf("sources of the passages that claims are shown with (-want +got):\n%s", diff)
	}
	for _, name := range []string{"critic", "synthesize"} {
		text := must(promptNamed(t, name).Render(l, map[string]string{"state_id": loop}))(t)
		for _, words := range []string{"How long does the zinc coating last?", "The zinc coating lasts 40 years in sea air.",
			"It lasts 22 years there.", "12 euros a square metre", "C1 [S1]", "C2 [S1, S2]"} {
			if !strings.Contains(text, words) {
				t.Errorf("%s lacks %q", name, words)
			}
		}
	}
	if without, err := h.PromptData(t.Context(), loop, 0); err != nil || len(without.Passages) != 0 || len(without.Sources) != 2 {
		t.Errorf("without a budget: %d passages, %d sources, %v", len(without.Passages), len(without.Sources), err)
	}
	if again, err := h.PromptData(t.Context(), loop, loops.PromptTokens); err != nil || cmp.Diff(l.Passages, again.Passages) != "" {
		t.Errorf("the same loop gives other passages: %v", err)
	}
}

// A searcher's prompt has no results of the loop.
func TestSearcherPromptIsBlind(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop, _ := bridges(t, h)
	h.addGap(loop, loopstate.GapInput{Gap: "No test in fresh water"})
	l := must(h.PromptData(t.Context(), loop, loops.PromptTokens))(t)
	for _, angle := range prompts.AngleNames() {
		text := must(promptNamed(t, "searcher").Render(l, map[string]string{"state_id": loop, "angle": angle}))(t)
		if !strings.Contains(text, "No test in fresh water") || !strings.Contains(text, "How long does the zinc coating last?") {
			t.Errorf("%s lacks the question or the target", angle)
		}
		for _, hidden := range []string{"A coat for a century", "Corrosion of zinc", "example.org", "40 years", "22 years",
			"another searcher"} {
			if strings.Contains(text, hidden) {
				t.Errorf("%s sees %q", angle, hidden)
			}
		}
	}
}

// The passages and the prompt stay within their budgets, however much was read, in English and in Chinese.
func TestPromptFits(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("skipped: long, and nothing runs beside it")
	}
	for _, tt := range []struct {
		name, sentence string
		sources        int // minimum number with passages in a prompt
	}{
		{"English", "Measurement %d of station %d gave a loss of %d micrometres of zinc a year on the bridge. ", 4},
		{"Chinese", "第%d次测量在第%d站得到锌层每年损失%d微米的结果，桥梁因此需要重新涂装。", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHarness(t)
			question := fmt.Sprintf(tt.sentence, 1, 2, 3)
			a := done(h, h.Start, loopstate.StartInput{Query: question, Rubrics: []string{question}})
			loop := a.StateID
			var ids []string
			for i := range 40 {
				u := fmt.Sprintf("https://example.org/%d", i)
				var text strings.Builder
				for j := range 60 {
					fmt.Fprintf(&text, tt.sentence, j, i, i*j)
					if j%10 == 9 {
						text.WriteString("\n\n")
					}
				}
				h.web.put(u, strings.Repeat(question, 5), text.String())
				ids = append(ids, h.read(loop, u)...)
			}
			var claims []loopstate.ClaimInput
			for i := range 120 {
				claims = append(claims, loopstate.ClaimInput{Claim: fmt.Sprintf(tt.sentence, i%60, i%40, (i%60)*(i%40)),
					SourceIDs: []string{ids[i%40], ids[(i+1)%40]}})
				h.addGap(loop, loopstate.GapInput{Gap: fmt.Sprintf(tt.sentence, i, i, i)})
			}
			h.update(loop, loopstate.UpdateInput{Claims: claims})
			for _, budget := range []int{1, 300, loops.PromptTokens, 2_000, 8_000} {
				l := must(h.PromptData(t.Context(), loop, budget))(t)
				spent := 0
				for _, p := range l.Passages {
					spent += loops.EstimateTokens(p.Text)
				}
				if spent > budget {
					t.Errorf("%d tokens of originals, at most %d are allowed", spent, budget)
				}
				if budget >= 2_000 && spent < budget/2 {
					t.Errorf("%d tokens of originals of a budget of %d: too few", spent, budget)
				}
				if l.LeftOut.Claims == 0 || l.LeftOut.Gaps == 0 || l.LeftOut.Claims+len(l.Claims) != 120 ||
					l.LeftOut.Sources+len(l.Sources) != 40 {
					t.Errorf("%+v left out of %d claims and %d sources shown", l.LeftOut, len(l.Claims), len(l.Sources))
				}
				for _, name := range []string{"research", "synthesize", "critic", "coverage"} {
					text := must(promptNamed(t, name).Render(l, map[string]string{"state_id": loop}))(t)
					const lists, words = 9_000, 3_000
					if n := loops.EstimateTokens(text); n > budget+lists+words {
						t.Errorf("%s with originals of %d tokens has %d", name, budget, n)
					}
				}
				seen := map[string]bool{}
				for _, p := range l.Passages {
					seen[p.SourceID] = true
				}
				if budget == 8_000 && len(seen) < 10 || budget == loops.PromptTokens && len(seen) < tt.sources {
					t.Errorf("the originals are of %d sources only", len(seen))
				}
			}
		})
	}
}

func TestPromptOfNoLoop(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop, _ := bridges(t, h)
	_, err := h.PromptData(t.Context(), "x", loops.PromptTokens)
	refusal(t, err, "loop", loopstate.CodeUnknownLoop)
	_, err = h.PromptData(loops.WithOwner(t.Context(), "somebody else"), loop, loops.PromptTokens)
	refusal(t, err, "loop", loopstate.CodeUnknownLoop)

	empty, err := h.PromptData(t.Context(), h.start(""), loops.PromptTokens)
	if err != nil || empty.Passages != nil || empty.Round != 1 {
		t.Errorf("an empty loop: %+v, %v", empty, err)
	}
	fresh, err := h.PromptFor(t.Context(), "  Is glass a liquid? ")
	if err != nil || fresh.Question != "Is glass a liquid?" || fresh.AsOf != "2026-03-01" || fresh.RoundsLeft != 5 {
		t.Errorf("a question without a loop: %+v, %v", fresh, err)
	}
	_, err = h.PromptFor(t.Context(), strings.Repeat("x", loopstate.MaxTextChars+1))
	refusal(t, err, "query", loopstate.CodeTooLong)
}

func TestCompleteLoop(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	zinc, glass, reservoir := h.start("How long does the zinc coating last?"), h.start("Is glass a liquid?"),
		h.start("青石镇的水库是哪一年建成的？")
	for _, tt := range []struct {
		name, typed string
		limit       int
		want        []string
		total       int
	}{
		{"nothing typed: newest first", "", 100, []string{reservoir, glass, zinc}, 3},
		{"the limit", "", 2, []string{reservoir, glass}, 3},
		{"a whole id", glass, 100, []string{glass}, 1},
		{"words of the question", "Zinc how", 100, []string{zinc}, 1},
		{"a word's beginning", "liq", 100, []string{glass}, 1},
		{"Chinese", "水库", 100, []string{reservoir}, 1},
		{"no such words", "zinc glass", 100, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, total, err := h.CompleteLoop(t.Context(), tt.typed, tt.limit)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || total != tt.total {
				t.Errorf("%d in all, want %d (-want +got):\n%s", total, tt.total, diff)
			}
		})
	}
	if got, total, err := h.CompleteLoop(loops.WithOwner(t.Context(), "somebody else"), "", 100); err != nil || len(got) != 0 ||
		total != 0 {
		t.Errorf("another owner gets %v of %d, %v", got, total, err)
	}
}
