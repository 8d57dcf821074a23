package web

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// The loop's page has the answer first, then its doubts, sources and history; a draft that is checked becomes the answer.
func TestLoopLeadsWithItsAnswer(t *testing.T) {
	h := newFixture(t, nil)
	loop := h.research(t, t.Context())
	v, at := h.inside(t), Root+"loops/"+loop
	_, body := v.get(at)
	inOrder(t, body, "When was the lighthouse", `id="h-answer"`, "These are the recorded claims", "built in 1874", `id="h-gaps"`,
		"Who paid for the tower?", `id="h-sources"`,
		"A history of the cape", "cited by 2 sentences", `id="h-history"`, "2 rounds", `id="h-act"`)
	if status, body := v.send(at+"/check", url.Values{"draft": {" "}}); status != http.StatusUnprocessableEntity ||
		!strings.Contains(body, `role="alert"`) {
		t.Errorf("an empty draft: %d %s", status, body)
	}
	_, body = v.send(at+"/check", url.Values{"draft": {
		"# The tower\n\nIt was built in 1874 by Maria Holt [S1:1].\n\nIt has 900 steps [S9].\n\nIt is loved."}})
	inOrder(t, body, "The text was checked", `id="h-answer"`, "Doubtful in it", "900 steps", "not read yet", "The tower",
		"It was built in 1874", `id="h-sources"`)
	if strings.Contains(body, "These are the recorded claims") {
		t.Error("the claims stand beside the checked text")
	}
	_, body = v.get(at + "/sources/S1?s=1")
	inOrder(t, body, "It was built in 1874 by Maria Holt", `class="l lit" id="here"`, `data-n="1"`, "Sentences that cite it")
	for _, name := range report.Formats() {
		status, body := v.get(at + "/report?format=" + name)
		if status != http.StatusOK || body == "" {
			t.Errorf("the report as %s: %d %.300s", name, status, body)
		}
	}
}

// inOrder fails unless a text has the parts one after the other.
func inOrder(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Fatalf("lacks %q, or has it too early, in\n%s", part, text)
		}
		rest = after
	}
}

func TestStates(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	worked := func(change func(*detail)) detail {
		d := detail{State: &loopstate.State{UpdatedAt: now.Add(-time.Minute), Round: 1}, Status: loopstate.StatusRunning}
		change(&d)
		return d
	}
	for want, d := range map[string]detail{
		"active":           worked(func(*detail) {}),
		"waiting":          worked(func(d *detail) { d.Round = 0 }),
		"waiting ":         worked(func(d *detail) { d.UpdatedAt = now.Add(-time.Hour) }),
		"needs you":        worked(func(d *detail) { d.Decision.NextAction = loopstate.EscalateBudget }),
		"finished":         worked(func(d *detail) { d.Status = loopstate.StatusFinished }),
		"finished stopped": worked(func(d *detail) { d.Abort = "enough" }),
	} {
		if got := stateOf(d, now); got.Word != strings.TrimSuffix(strings.TrimSpace(want), " stopped") {
			t.Errorf("%s: %+v", want, got)
		}
	}
	for back, want := range map[time.Duration]string{0: "just now", time.Minute: "1 minute ago", 5 * time.Hour: "5 hours ago",
		24 * time.Hour: "1 day ago", 900 * 24 * time.Hour: "11 June 2024"} {
		if got := ago(now.Add(-back), now); got != want {
			t.Errorf("%v: %q, want %q", back, got, want)
		}
	}
}

// The list has each loop with its state and result, and pages through many.
func TestList(t *testing.T) {
	h := newFixture(t, nil)
	v := h.inside(t)
	if _, body := v.get(Root); !strings.Contains(body, "No loops yet") {
		t.Error("an empty list says nothing")
	}
	if status, _ := v.send(Root+"start", url.Values{"question": {" "}}); status != http.StatusUnprocessableEntity {
		t.Errorf("an empty question: %d", status)
	}
	_, body := v.send(Root+"start", url.Values{"question": {"Is question 0 new?"}})
	inOrder(t, body, "Is question 0 new?", "waiting", "Nobody works on this loop yet", "research --resume")
	for i := range pageSize + 1 {
		if _, err := h.svc.Start(t.Context(), loopstate.StartInput{Query: fmt.Sprintf("Is question %d old?", i)}); err != nil {
			t.Fatal(err)
		}
	}
	_, body = v.get(Root)
	if n := strings.Count(body, "<h3>"); n != pageSize || !strings.Contains(body, ">Older</a>") {
		t.Errorf("%d loops on the first page", n)
	}
	if _, body = v.get(Root + "?from=" + strconv.Itoa(pageSize)); strings.Count(body, "<h3>") != 2 ||
		!strings.Contains(body, ">Newer</a>") {
		t.Error("the second page")
	}
	for _, from := range []string{"-5", "99999", "x"} {
		if status, _ := v.get(Root + "?from=" + from); status != http.StatusOK {
			t.Errorf("from=%s: %d", from, status)
		}
	}
}

// No number on a page contradicts another: the list, the loop, its sources and its review count the same sentences.
func TestNumbersAgree(t *testing.T) {
	h := newFixture(t, nil)
	v, random := h.inside(t), rand.New(rand.NewPCG(7, 11))
	facts := []string{"It was built in 1874", "It stands 42 metres high", "The lamp was changed in 1931", "The keeper left in 1987",
		"It has 900 steps"}
	for round := range 6 {
		started, err := h.svc.Start(t.Context(), loopstate.StartInput{Query: fmt.Sprintf("What of tower %d?", round)})
		if err != nil {
			t.Fatal(err)
		}
		loop, at := started.StateID, Root+"loops/"+started.StateID
		h.paste(t, t.Context(), loop, "A history of the cape", lighthouse)
		h.paste(t, t.Context(), loop, "A guide", "A guide to the coast. "+lighthouse+strings.Repeat(" The coast has many cliffs.", 9))
		draft, claims := "", []verify.Claim{}
		for i := range 1 + random.IntN(7) {
			text, source := facts[random.IntN(len(facts))]+strings.Repeat(" again", i), fmt.Sprintf("S%d", 1+random.IntN(3))
			draft += text + " [" + source + "].\n\n"
			claims = append(claims, verify.New(text+".", source))
		}
		in := loops.VerifyInput{Loop: loop, Draft: draft}
		if round%2 == 0 {
			in.Draft, in.Claims = "", claims
		}
		if _, err := h.svc.Verify(t.Context(), in); err != nil && round%2 == 1 {
			t.Fatal(err)
		}
		_, body := v.get(at)
		page, row := sum(section(body, `class="strip"`, "</p>")), sum(section(rowOf(t, v, loop), `class="meta"`, "</div>"))
		if page == 0 || page != row {
			t.Errorf("loop %d: %d sentences in the list, %d on its page: %s", round, row, page, body)
		}
		for _, m := range regexp.MustCompile(`(\d+) of (\d+) sentences? on one`).FindAllStringSubmatch(body, -1) {
			if m[2] != strconv.Itoa(page) {
				t.Errorf("loop %d: %d sentences, but %q", round, page, m[0])
			}
		}
		for _, m := range regexp.MustCompile(`class="id">(S\d+)<(?:.*?)cited by (\d+) sentence`).FindAllStringSubmatch(body, -1) {
			_, source := v.get(at + "/sources/" + m[1])
			if got := strings.Count(section(source, `id="h-cited"`, "</section>"), "<li"); strconv.Itoa(got) != m[2] {
				t.Errorf("loop %d: %s is cited by %s sentences on the loop's page, by %d on its own", round, m[1], m[2], got)
			}
		}
		waits := regexp.MustCompile(`(\d+) sentences? not read yet: <a`).FindStringSubmatch(body)
		_, review := v.get(at + "/review")
		asks := regexp.MustCompile(`<strong>(\d+) claims? not read yet`).FindStringSubmatch(review)
		if (waits == nil) != (asks == nil) || waits != nil && waits[1] != asks[1] {
			t.Errorf("loop %d: the page says %v, the review %v", round, waits, asks)
		}
	}
}

// rowOf is the row of a loop in the list.
func rowOf(t *testing.T, v *visitor, loop string) string {
	t.Helper()
	_, body := v.get(Root)
	return section(body, `<h3><a href="`+loopAddress(loop)+`"`, "</li>")
}

func section(body, from, to string) string {
	_, rest, _ := strings.Cut(body, from)
	part, _, _ := strings.Cut(rest, to)
	return part
}

// sum adds the numbers of badges.
func sum(part string) (n int) {
	for _, m := range regexp.MustCompile(`class="badge[^>]*><span[^>]*>[^<]*</span> (\d+) `).FindAllStringSubmatch(part, -1) {
		k, _ := strconv.Atoi(m[1])
		n += k
	}
	return n
}

// Titles, questions and texts of others stay text, whatever they contain.
func TestHostileTexts(t *testing.T) {
	const hostile = "\"><script>alert(1)</script><img src=x onerror=alert(1)>{{.}} javascript:alert(1) \u202egnp.exe\u2066 '"
	h := newFixture(t, nil)
	started, err := h.svc.Start(t.Context(), loopstate.StartInput{Query: hostile, Gaps: []loopstate.GapInput{{Gap: hostile}}})
	if err != nil {
		t.Fatal(err)
	}
	loop, v := started.StateID, h.inside(t)
	h.paste(t, t.Context(), loop, hostile, hostile+"\n\n"+lighthouse+strings.Repeat("x", 100_000))
	_, _ = h.svc.Verify(t.Context(), loops.VerifyInput{Loop: loop, Draft: "# " + hostile + "\n\n" + hostile +
		" was built in 1874 [S1]. [click](javascript:alert(1)) <script>alert(2)</script> [S1:1]."})
	_, _ = h.svc.Update(t.Context(), loop, "", loopstate.UpdateInput{Query: hostile,
		Contradictions: []loopstate.Contradiction{{Topic: hostile, Why: hostile, SourceIDs: []string{"S1"}}},
		BadURLs:        []loopstate.BadURL{{URL: "https://example.org/" + hostile, Reason: hostile}}})
	at := Root + "loops/" + loop
	for _, path := range []string{Root, at, at + "/sources/S1", at + "/sources/S1?s=1", at + "/sources/S1?at=100000", at + "/review"} {
		_, body := v.get(path)
		root, err := html.Parse(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for n := range root.Descendants() {
			if n.Data == "img" || n.Data == "script" && n.FirstChild != nil {
				t.Errorf("%s: a text became <%s>", path, n.Data)
			}
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") || strings.HasPrefix(strings.ToLower(a.Val), "javascript:") {
					t.Errorf("%s: a text became %s=%q", path, a.Key, a.Val)
				}
			}
		}
		if at := strings.IndexAny(body, "\u202e\u2066"); at >= 0 {
			t.Errorf("%s: a character turns the direction: %.300q", path, body[max(0, at-150):])
		}
	}
}

func TestStopAndDelete(t *testing.T) {
	h := newFixture(t, nil)
	loop := h.research(t, t.Context())
	v, at := h.inside(t), Root+"loops/"+loop
	for _, row := range []struct {
		act   string
		form  url.Values
		want  int
		shows string
	}{
		{"rounds", url.Values{"rounds": {"many"}}, http.StatusUnprocessableEntity, "Invalid number of rounds"},
		{"rounds", url.Values{"rounds": {"9"}}, http.StatusOK, "The rounds were allowed"},
		{"stop", url.Values{"why": {""}}, http.StatusUnprocessableEntity, "The reason is missing"},
		{"stop", url.Values{"why": {"enough for now"}}, http.StatusOK, "Stopped: enough for now"},
		{"delete", url.Values{}, http.StatusOK, "The loop was deleted"},
		{"delete", url.Values{}, http.StatusNotFound, "Page not found"},
	} {
		if status, body := v.send(at+"/"+row.act, row.form); status != row.want || !strings.Contains(body, row.shows) {
			t.Errorf("%s %v: %d, want %d and %q in %s", row.act, row.form, status, row.want, row.shows, body)
		}
	}
}

func TestLines(t *testing.T) {
	var out strings.Builder
	for _, l := range linesOf("one\ntwo \u202ewords\n\nlast", 10, 5,
		[]report.Mark{{Start: 14, End: 19}, {Start: 16, End: 18, Class: quoted}, {Start: 26, End: 27, Class: also}}) {
		fmt.Fprintf(&out, "%d %v %v %v %v\n", l.N, l.Lit, l.First, l.Also, l.Pieces)
	}
	want := "5 false false false [{ one}]\n6 true true false [{ tw} {quoted o } { words}]\n7 false false false []\n" +
		"8 false false true [{ last}]\n"
	if out.String() != want {
		t.Error(out.String())
	}
}
