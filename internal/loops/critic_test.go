package loops_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// critique hands over a critique alone.
func critique(t *testing.T, h *harness, loop string, in loopstate.CritiqueInput) (loops.Reflected, error) {
	t.Helper()
	return h.Reflect(t.Context(), loop, "", loopstate.CloseInput{Critique: in}, nil)
}

// Lines of points are checked against the stored texts; the error names all that do not exist.
func TestLinesOfPoints(t *testing.T) {
	t.Parallel()
	h, loop, entries := withLog(t, 12)
	h.check(loops.VerifyInput{Loop: loop, Draft: draftOf(entries[:3], 0)})
	_, err := critique(t, h, loop, loopstate.CritiqueInput{Points: []loopstate.Point{{What: "a", Lines: "S1:1"}, {What: "b", Lines: "S1:900; S1:2"}, {What: "c", Lines: "[S9:4]"}, {What: "d", Lines: "line 3"}, {What: "e", Lines: "S1:4-2"}}})
	if !loopstate.Has(err, loopstate.CodeBadLines) {
		t.Fatal(err)
	}
	for _, want := range []string{"points[1]: S1:900 does not exist (S1 has ", "points[2]: S9:4 was never read", "points[3]: line 3 is not written as", "points[4]: S1:4-2 is not written as"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not said in %v", want, err)
		}
	}
	if strings.Contains(err.Error(), "points[0]") || strings.Contains(err.Error(), "S1:2 ") {
		t.Errorf("valid lines are named: %v", err)
	}
	got, err := critique(t, h, loop, loopstate.CritiqueInput{Points: []loopstate.Point{{What: "a", Lines: "[s1:2, 4–5, S1:1]"}, {What: "b", Lines: " S1 "}, {What: "c"}}})
	if err != nil || len(got.Points) != 3 || got.Points[0].Lines != "S1:2,4-5; S1:1" || got.Points[1].Lines != "S1" || got.Round != nil {
		t.Errorf("%+v, %v", got, err)
	}
	v, err := h.State(t.Context(), loops.ViewInput{Loop: loop, View: "critic"})
	if err != nil || !strings.Contains(v.Critic, "- P1: a [S1:2,4-5; S1:1]\n- P2: b [S1]\n- P3: c\n") {
		t.Errorf("for the author: %q, %v", v.Critic, err)
	}
}

// The critic reads the text that was checked last, with its lines; nothing of the claims or their verdicts is in the brief.
func TestCriticBrief(t *testing.T) {
	t.Parallel()
	h, loop, entries := withLog(t, 12)
	v, err := h.State(t.Context(), loops.ViewInput{Loop: loop, View: "critic"})
	if err != nil || !strings.HasPrefix(v.Critic, "No draft waits for a critic") {
		t.Errorf("without a draft: %q, %v", v.Critic, err)
	}
	if data, err := h.CriticData(t.Context(), loop); err != nil || data.Draft != nil || len(data.Passages) == 0 {
		t.Errorf("without a draft the critic judges the claims: %+v, %v", data.Draft, err)
	}
	draft := "# Lamps\n\n" + draftOf(entries[:3], 0)
	h.check(loops.VerifyInput{Loop: loop, Draft: draft})
	v = must(h.State(t.Context(), loops.ViewInput{Loop: loop, View: "critic"}))(t)
	for i, line := range strings.Split(strings.TrimRight(draft, "\n"), "\n") {
		if want := fmt.Sprintf("%d  %s", i+1, line); !strings.Contains(v.Critic, want) {
			t.Errorf("the brief lacks line %d: %q", i+1, line)
		}
	}
	for _, want := range []string{"1  # Lamps", "3  " + entries[0][:20], "S1 | ", " lines | ", "find_passages(state_id=\"" + loop, "url=\"the address of S1\""} {
		if !strings.Contains(v.Critic, want) {
			t.Errorf("the brief lacks %q:\n%s", want, v.Critic)
		}
	}
	if v.Decision.Because != "" || v.Coverage != nil || v.NextCursor != "" {
		t.Errorf("the view tells the critic more: %+v", v.Decision)
	}
	for _, cursor := range []string{"0", "99", "x"} {
		if _, err := h.State(t.Context(), loops.ViewInput{Loop: loop, View: "critic", Cursor: cursor}); !loopstate.Has(err, loopstate.CodeBadCursor) {
			t.Errorf("cursor %q: %v", cursor, err)
		}
	}
	must(critique(t, h, loop, loopstate.CritiqueInput{Critic: loopstate.CriticRead}))(t)
	if data, err := h.CriticData(t.Context(), loop); err != nil || data.Draft != nil {
		t.Errorf("the draft was read, and the prompt shows it again: %v", err)
	}
}

// A long draft comes in parts that together are the whole.
func TestLongDraftComesInParts(t *testing.T) {
	t.Parallel()
	h, loop, entries := withLog(t, 12)
	var draft strings.Builder
	for draft.Len() < 200_000 {
		draft.WriteString(draftOf(entries, 0))
	}
	h.check(loops.VerifyInput{Loop: loop, Draft: draft.String()})
	lines, cursor, parts := 0, "", 0
	for {
		v := h.view(loops.ViewInput{Loop: loop, View: "critic", Cursor: cursor})
		if parts++; len(v.Critic) > 100_000 {
			t.Errorf("part %d has %d bytes", parts, len(v.Critic))
		}
		lines += strings.Count(v.Critic, "  The keeper of tower ")
		if cursor = v.NextCursor; cursor == "" {
			break
		}
	}
	if want := strings.Count(draft.String(), "The keeper of tower "); parts < 3 || lines != want {
		t.Errorf("%d parts with %d of %d lines", parts, lines, want)
	}
}

// How much of a draft the critic has read is measured by its words.
func TestKeptShareOfADraft(t *testing.T) {
	t.Parallel()
	h, loop, entries := withLog(t, 12)
	check := func(draft string, final bool) float64 {
		t.Helper()
		h.check(loops.VerifyInput{Loop: loop, Draft: draft, Final: final})
		v := h.view(loops.ViewInput{Loop: loop, View: "events"})
		p := must(loopstate.Decode(v.Events[len(v.Events)-1]))(t)
		checked := p.(*loopstate.Verified)
		if checked.DraftWords == 0 {
			return 0
		}
		return 1 - float64(checked.NewWords)/float64(checked.DraftWords)
	}
	first := draftOf(entries[:4], 0)
	if got := check(first, false); got != 0 {
		t.Errorf("no critic has read anything, and %.2f is kept", got)
	}
	must(critique(t, h, loop, loopstate.CritiqueInput{Critic: loopstate.CriticRead}))(t)
	for _, tt := range []struct {
		name        string
		draft       string
		least, most float64
	}{
		{"the same", first, 1, 1},
		{"a word changed", strings.Replace(first, "litres", "barrels", 1), 0.85, 0.99},
		{"half of it new", draftOf(entries[:2], 0) + "Wherever gulls nest, no painter leaves buckets uncovered overnight, because rain, salt and feathers spoil even thick varnish quickly. Carpenters prefer oak.", 0.4, 0.65},
		{"all new", "Nobody wrote a word of what stands here before, and every sentence differs from all others.", 0, 0.05},
		{"two words", "The keeper", 0, 1},
	} {
		if got := check(tt.draft, true); got < tt.least || got > tt.most {
			t.Errorf("%s: %.2f of the words are kept, want %.2f to %.2f", tt.name, got, tt.least, tt.most)
		}
	}
}
