package web

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

// compare fills cells of the evidence table of a loop.
func (h fixture) compare(t *testing.T, loop string) {
	t.Helper()
	_, err := h.svc.Update(t.Context(), loop, "", loopstate.UpdateInput{Claims: []loopstate.ClaimInput{
		{Claim: "The lighthouse was built in 1874 by the engineer Maria Holt.", SourceIDs: []string{"S1:1"}, Field: "built", Subject: "<b>Tower</b>", Value: "1874"},
		{Claim: "The lighthouse was built in 1902 in Portugal.", SourceIDs: []string{"S1"}, Field: "built", Subject: "<b>Tower</b>", Value: "1902"},
		{Claim: "The tower stands 42 metres high.", SourceIDs: []string{"S1:1"}, Field: "height", Subject: "Beacon", Value: "42 metres"},
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// The page of a loop shows its evidence table, each value with its lines and its verdict, and says which values differ.
func TestEvidenceTable(t *testing.T) {
	h := newFixture(t, nil)
	loop, v := h.research(t, t.Context()), h.inside(t)
	if _, body := v.get(Root + "loops/" + loop); !strings.Contains(body, `class="sources-part" hidden>`) {
		t.Error("a loop without a table shows one")
	}
	h.compare(t, loop)
	_, body := v.get(Root + "loops/" + loop)
	for _, want := range []string{"Evidence table</h2>", `<th scope="col"><bdi>height</bdi></th>`, "&lt;b&gt;Tower&lt;/b&gt;", `<strong>≠</strong> <bdi>1874</bdi> <a class="cite" href="/ui/loops/` + loop + `/sources/S1?lines=1#here">[S1:1]</a>`, "not read yet</span>", "format=table"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
