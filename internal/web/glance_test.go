package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/report/drawing"
)

// The page of a loop shows its budget, gaps, channels and decision, now and as of a round.
func TestALoopAtAGlance(t *testing.T) {
	h := newFixture(t, nil)
	loop := h.grow(t, size{rounds: 3, searches: 12, sources: 20, claims: 130, gaps: 12})
	get := h.shown(t)
	at := Root + "loops/" + loop
	for _, row := range []struct {
		name, path string
		want, not  []string
	}{
		{"now", at, []string{
			"Round 4 (in progress)", `<strong>3</strong> searches`, `<strong>5</strong> read`, // the round under way
			"<strong>1</strong> of 4 left", "<strong>$3.57</strong> of $4.50 left", "<strong>777,000</strong> of 900,000 left", "<dt>Time</dt>", // the budget
			"opened in round 1", "✓ answered</span> in round 3, opened in round 1", "Next step", // gaps and the decision
			"rate limited", ": answered 429 Too Many Requests; retry after 30s", "○", // channels
			`aria-labelledby="convergence-title`, `aria-labelledby="matrix-title`, `aria-labelledby="timeline-title`,
			`<a href="/ui/loops/` + loop + `/sources/S1?claim=C1#here" tabindex="-1"><title>S1 supports C1`, `?claims=101#C107"`, `?carried=121#h-carried"`,
			"2 independent origins", "copy of S3", "read in this round", "⚠ instruction</span>", "1 to 50 of 130 claims", "of 20 are independent",
			"In 1874 the lamp", `<a href="` + at + `?close=G`, "behind a wall: a subscription is asked for", "reported by the assistant",
		}, []string{"more</p>", "You are viewing round"}},
		{"as round 2 ended", at + "?round=2", []string{
			"You are viewing round", "<h3>Round 2</h3>", "opened in this round", "closed in this round", `aria-labelledby="convergence-title`, `aria-labelledby="matrix-title`, `aria-labelledby="timeline-title`,
			"?claims=51&amp;round=2#h-claims", "Decision<", "in this round</span>",
		}, []string{"id=\"h-act\"", "close it", `id="S11"`, "data-events"}},
		{"the next claims of the past", at + "?round=2&claims=51", []string{"51 to 65 of 65 claims", `id="C65"`}, []string{`<li id="C50"`}},
		{"closing a gap of another page", at + "?close=G9", []string{`<details class="act" id="act-close" open>`, `<option value="G9" selected>`}, nil},
	} {
		status, body := get(row.path)
		if status != http.StatusOK {
			t.Errorf("%s: %d", row.name, status)
		}
		for _, want := range row.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s lacks %q", row.name, want)
			}
		}
		for _, not := range row.not {
			if strings.Contains(body, not) {
				t.Errorf("%s has %q", row.name, not)
			}
		}
		if found := regexp.MustCompile(`(?i)<style|\sstyle=|<script[^>]*>[^<]`).FindString(body); found != "" {
			t.Errorf("%s has %q, which its policy forbids", row.name, found)
		}
	}
}

// A source shows which parts the host has seen, and the passages of claims.
func TestTheLedgerOfASource(t *testing.T) {
	h := newFixture(t, nil)
	loop := h.grow(t, size{rounds: 1, sources: 4, claims: 8, gaps: 2})
	_, body := h.shown(t)(Root + "loops/" + loop + "/sources/S1")
	for _, want := range []string{"140 of 297 characters were shown, in 2 parts.", "Below, text that was not shown is paler.", `<span class="unseen">`, `href="#C1"`, "Mark this source as bad", "independent origin"} {
		if !strings.Contains(body, want) {
			t.Errorf("lacks %q in %s", want, body)
		}
	}
	if strings.Contains(body, `class="view"`) {
		t.Error("the whole text is shown, and the ledger says that a part is")
	}
}

// The page and the report share the styles of colours and drawings.
func TestTheStyleSheetIsWhole(t *testing.T) {
	h := newFixture(t, nil)
	_, css := h.shown(t)("/ui/static/page.css")
	for _, part := range []string{drawing.PageStyle(), drawing.Style(), ".decision"} {
		if !strings.Contains(css, part) {
			t.Errorf("lacks %.60q", part)
		}
	}
	if strings.Contains(css, "url(") || strings.Contains(css, "@import") {
		t.Error("the style sheet loads a resource")
	}
	known := map[string]bool{}
	for _, m := range regexp.MustCompile(`(--[a-z-]+):`).FindAllStringSubmatch(css, -1) {
		known[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`var\((--[a-z-]+)`).FindAllStringSubmatch(css, -1) {
		if !known[m[1]] {
			t.Errorf("%s has no value", m[1])
		}
	}
}
