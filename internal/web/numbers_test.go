package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// The page says each number in one way, what repeats once, and nothing in words of the program.
func TestThePageDoesNotContradictItself(t *testing.T) {
	h := newFixture(t, nil)
	loop := h.research(t, t.Context())
	get := h.shown(t)
	status, body := get(Root + "loops/" + loop)
	if n := strings.Count(body, "on one independent origin"); status != http.StatusOK || n != 1 || strings.Count(body, ">①<") != 3 {
		t.Errorf("%d: one origin is said %d times, and has %d signs, of them one in the sentence", status, n, strings.Count(body, ">①<"))
	}
	for _, not := range []string{"Log out", "evaluator", "loop_", "by its host"} {
		if strings.Contains(body, not) {
			t.Errorf("the page has %q", not)
		}
	}
	p, err := h.svc.Detail(t.Context(), loop, 0)
	if err != nil {
		t.Fatal(err)
	}
	// A remark of citeloop's own on the evidence is no open gap, in no place.
	p.Gaps = append(p.Gaps, loops.Gap{Gap: loopstate.Gap{ID: "G901", Gap: "C1 rests on one weak source", Status: loopstate.GapOpen, Debt: "C1", Kind: loopstate.KindUnverified, OpenedRound: p.Closed + 1}})
	if n, round := askedGaps(p.Gaps), roundOf(p, 0); n != 1 || len(round.Opened) != 0 {
		t.Errorf("%d open gaps, %d opened in the round", n, len(round.Opened))
	}
	_, list := get(Root)
	for name, text := range map[string]string{"heading": body, "contents": body, "list": list} {
		pattern := map[string]string{"heading": `id="h-gaps">Open gaps <span class="n">1<`, "contents": `href="#h-gaps">Open gaps <span class="n">1<`, "list": "1 open gap<"}[name]
		if !strings.Contains(text, pattern) {
			t.Errorf("the %s lacks %q", name, pattern)
		}
	}
	for _, row := range []struct {
		o    loopstate.SearchOutcome
		want string
	}{{loopstate.SearchOutcome{Status: "ok", Count: 6}, "6 hits"}, {loopstate.SearchOutcome{Status: "ok", Count: 1}, "1 hit"}, {loopstate.SearchOutcome{Status: "empty"}, "no hits"}, {loopstate.SearchOutcome{Status: "rate_limited"}, "rate limited"}} {
		if got := outcomeWords(messages.Table{}, row.o); got != row.want {
			t.Errorf("%v: %q", row.o, got)
		}
	}
}

// The evidence of a claim marks the lines, the words of the reader's answer and the words that differ.
func TestEvidenceMarksItsWords(t *testing.T) {
	h := newFixture(t, nil)
	loop := h.research(t, t.Context())
	h.check(t, loop, "The lighthouse on the cape stands 45 metres high.")
	_, body := h.shown(t)(Root + "loops/" + loop + "/sources/S1?claim=C3")
	var differs []string
	for _, m := range regexp.MustCompile(`<mark class="[^"]*differs[^"]*"[^>]*>([^<]*)<`).FindAllStringSubmatch(body, -1) {
		differs = append(differs, m[1])
	}
	for _, want := range []string{"Evidence for C3", "The lighthouse on the cape stands 45 metres high.", `id="here"`, `data-n="1"`, "words that differ from the claim"} {
		if !strings.Contains(body, want) {
			t.Errorf("lacks %q", want)
		}
	}
	if len(differs) == 0 || !strings.Contains(strings.Join(differs, " "), "42 metres") || strings.Contains(body, "Untrusted text from the web") {
		t.Errorf("the words that differ are %q", differs)
	}
	c := verify.New("It was built in 1874.", "S1")
	c.Passages = []verify.Passage{{SourceID: "S1", Start: 10, End: 40, Text: "was built in 1874 by the engin"}}
	c.Reading = &loopstate.Reading{Quote: "built in 1874"}
	marks := evidenceMarks(c, "S1")
	if len(marks) != 2 || marks[1] != (mark{ID: markQuoted, Start: 14, End: 27}) || len(evidenceMarks(c, "S2")) != 0 {
		t.Errorf("marks %+v", marks)
	}
}
