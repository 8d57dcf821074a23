package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// finish returns a loop whose last round was closed by its user, with a verified draft.
func (h fixture) finish(t *testing.T, draft string) string {
	t.Helper()
	loop := h.research(t, t.Context())
	if _, err := h.svc.Verify(t.Context(), loops.VerifyInput{Loop: loop, Draft: draft}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.svc.Update(t.Context(), loop, "", loopstate.UpdateInput{Abort: "enough"}); err != nil {
		t.Fatal(err)
	}
	return loop
}

// A finished loop shows the delivered text first: its sentences with their verdicts, and links to the passages.
func TestAFinishedLoopShowsItsText(t *testing.T) {
	h := newFixture(t, nil)
	loop := h.finish(t, "# The tower\n\n## When\n\nThe lighthouse was built in 1874 by the engineer Maria Holt [S1]. <script>alert(1)</script>\n\n- The lighthouse was built in 1902 [S1].\n\nNobody knows who paid for the tower.")
	at := Root + "loops/" + loop
	status, body := h.inside(t).get(at)
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	start, end := strings.Index(body, `id="h-answer"`), strings.Index(body, `id="h-report"`)
	if start < 0 || end < start {
		t.Fatalf("the answer is not before the report: %d, %d", start, end)
	}
	answer := body[start:end]
	for _, want := range []string{
		`<h3 class="headline" dir="auto">The tower</h3>`, `<h3 dir="auto">When</h3>`,
		`<span class="s v-inferred" id="s1">`, `<a class="cite" href="` + at + `/sources/S1?from=`, `#here">[<span class="vh">passage in source </span>S1:1,3]`,
		`not read yet</span></a>`, `href="` + at + `/report#p2"`, "&lt;script&gt;",
	} {
		if !strings.Contains(answer, want) {
			t.Errorf("lacks %s in\n%s", want, answer)
		}
	}
	if _, report := h.shown(t)(at + "/report?draft=1"); !strings.Contains(report, "Nobody knows who paid") {
		t.Error("the report is not that of the text")
	}
	if _, past := h.shown(t)(at + "?round=1"); strings.Contains(past, `class="delivered"`) {
		t.Error("a past round shows the text of a later one")
	}
}

// A long text is cut at the end of a block, and the page links to the rest.
func TestALongTextIsCut(t *testing.T) {
	h := newFixture(t, nil)
	var draft strings.Builder
	for i := range 400 {
		fmt.Fprintf(&draft, "In the year %d the lamp of the lighthouse was cleaned by a keeper of the cape [S1].\n\n", 1000+i)
	}
	_, body := h.shown(t)(Root + "loops/" + h.finish(t, draft.String()))
	if !strings.Contains(body, "In the year 1001 ") || strings.Contains(body, "In the year 1399 ") || !strings.Contains(body, "Read the rest in the report") {
		t.Error("the text is not cut")
	}
}
