package web

import (
	"regexp"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

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
	if len(marks) != 2 || marks[1] != markOf(markQuoted, 14, 27) || len(evidenceMarks(c, "S2")) != 0 {
		t.Errorf("marks %+v", marks)
	}
}
