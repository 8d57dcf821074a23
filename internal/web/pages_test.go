package web

import (
	"bufio"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/stored"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

var marked = regexp.MustCompile(`(?s)<mark class="([^"]*)" data-marks="([^"]*)">(.*?)</mark>`)

func TestHighlightsAreThePassages(t *testing.T) {
	h := newFixture(t, nil)
	started, err := h.svc.Start(t.Context(), loopstate.StartInput{Query: "Türme"})
	if err != nil {
		t.Fatal(err)
	}
	loop := started.StateID
	text := "灯塔 — 𝔗urm 🗼. " + lighthouse // code points, not bytes nor UTF-16 units
	h.paste(t, t.Context(), loop, "Türme", text)
	res, err := h.svc.Verify(t.Context(), loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New("In 1931 the lamp was changed from colza oil to electricity.", "S1")}})
	if err != nil {
		t.Fatal(err)
	}
	_, body := h.inside(t).get(Root + "loops/" + loop + "/sources/S1")
	var got string
	for _, m := range marked.FindAllStringSubmatch(body, -1) {
		if m[2] == "C1" {
			got += html.UnescapeString(m[3])
		}
	}
	p := res.Claims[0].Passages[0]
	want := string([]rune(text)[p.Start:p.End])
	if diff := cmp.Diff(want, got); diff != "" || want == "" {
		t.Errorf("highlighted (-want +got):\n%s", diff)
	}
	if !strings.Contains(body, `id="C1"`) {
		t.Error("the passage has no anchor")
	}
}

// A text is written whole, with its Markdown; what would change its direction is replaced.
func TestStoredText(t *testing.T) {
	text := storedOf(stored.Place{Char: 90, Line: 7, Inside: true}, "rest\n# Tower\n\n- <b>o\u202Ee", []stored.Mark{markOf("C1", 102, 105), {Class: "unseen", Start: 106, End: 108}}, false)
	var b strings.Builder
	if err := pages()["en"].ExecuteTemplate(&b, "stored", text); err != nil {
		t.Fatal(err)
	}
	want := `<p dir="auto">rest
</p><p class="heading" dir="auto"><span class="line" id="L8" data-n="8"></span># Tower<span class="anchor" id="C1"></span><mark class="C1" data-marks="C1">
</mark><mark class="C1" data-marks="C1">
</mark></p><p dir="auto"><span class="line" id="L10" data-n="10"></span><mark class="C1" data-marks="C1">-</mark> <span class="unseen">&lt;b</span>&gt;o\uFFFDe</p>`
	if diff := cmp.Diff(strings.ReplaceAll(want, `\uFFFD`, "\uFFFD"), b.String()); diff != "" || text.Turning != 1 {
		t.Errorf("%d, (-want +got):\n%s", text.Turning, diff)
	}
}

func TestWhatPeopleDoIsInTheLog(t *testing.T) {
	for _, row := range []struct {
		name, act string
		form      url.Values
		kind      string
		check     func(p loops.LoopDetail) bool
	}{
		{"add a gap", "gap", url.Values{"gap": {"What did it cost?"}, "importance": {"critical"}}, loopstate.KindGapAdded, func(p loops.LoopDetail) bool { return p.Progress.OpenGaps == 2 }},
		{"close a gap as not to be answered", "close-gap", url.Values{"gap": {"G1"}, "status": {"unanswerable"}, "why": {"The books burnt."}}, loopstate.KindUpdated, func(p loops.LoopDetail) bool {
			return p.Gaps[0].Status == loopstate.GapUnanswerable && p.Gaps[0].Why == "The books burnt."
		}},
		{"close a gap as answered", "close-gap", url.Values{"gap": {"G1"}, "status": {"answered"}, "why": {"I know it."}}, loopstate.KindUpdated, func(p loops.LoopDetail) bool {
			return p.Gaps[0].Status == loopstate.GapAnswered && p.Gaps[0].Why == "I know it."
		}},
		{"mark a source bad", "bad-source", url.Values{"source": {"S1"}, "why": {"It is an advertisement."}}, loopstate.KindUpdated, func(p loops.LoopDetail) bool { return len(p.Bad) == 1 }},
		{"paste a text", "paste", url.Values{"title": {"A second history"}, "url": {"https://example.org/walled"}, "text": {strings.Repeat("The tower was paid for by the harbour. ", 20)}}, loopstate.KindRead, func(p loops.LoopDetail) bool {
			return len(p.Sources) == 2 && p.Sources[1].Pasted && p.Sources[1].ShownChars == 0
		}},
		{"confirm rounds", "rounds", url.Values{"rounds": {"12"}}, loopstate.KindUpdated, func(p loops.LoopDetail) bool { return p.RoundCap == 12 }},
		{"stop", "stop", url.Values{"why": {"We know enough."}}, loopstate.KindUpdated, func(p loops.LoopDetail) bool { return p.Status == loopstate.StatusAborted }},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := newFixture(t, nil)
			loop := h.research(t, t.Context())
			v := h.inside(t)
			status, body := v.send(Root+"loops/"+loop+"/"+row.act, row.form)
			if done := doneWords[row.act]; done == nil || status != http.StatusOK || !strings.Contains(body, done(messages.Table{})) || v.last.Request.Method != http.MethodGet {
				t.Fatalf("%d %s", status, body)
			}
			var last loopstate.Event
			for e, err := range h.svc.Store.Load(t.Context(), loop, 0) {
				if err != nil {
					t.Fatal(err)
				}
				last = e
			}
			p, err := h.svc.Detail(t.Context(), loop, 0)
			if err != nil {
				t.Fatal(err)
			}
			if last.Kind != row.kind || !row.check(p) {
				t.Errorf("the last event is %s %s", last.Kind, last.Data)
			}
		})
	}
}

func TestRejectedFormShowsItsError(t *testing.T) {
	h := newFixture(t, nil)
	loop := h.research(t, t.Context())
	v := h.inside(t)
	for _, row := range []struct {
		name, act string
		form      url.Values
		want      []string
	}{
		{"an existing gap", "gap", url.Values{"gap": {"Who paid for the tower?"}}, []string{"The loop has this gap already: G1.", ">Who paid for the tower?</textarea>"}},
		{"an unknown gap", "close-gap", url.Values{"gap": {"G77"}, "status": {"answered"}, "why": {"because <b>"}}, []string{"Unknown gap: ", "because &lt;b&gt;</textarea>"}},
		{"no why", "stop", url.Values{"why": {" "}}, []string{"The reason is missing. Say why the loop is stopped; it cannot be restarted."}},
		{"a short text", "paste", url.Values{"title": {"T"}, "text": {"short"}}, []string{"under 200 it is not a source"}},
		{"a strange address", "paste", url.Values{"title": {"T"}, "text": {lighthouse}, "url": {"javascript:alert(1)"}}, []string{"Not an http or https address."}},
		{"no number", "rounds", url.Values{"rounds": {"many"}}, []string{"Invalid number of rounds: &#34;many&#34;."}},
	} {
		status, body := v.send(Root+"loops/"+loop+"/"+row.act, row.form)
		if status != http.StatusUnprocessableEntity || !strings.Contains(body, `role="alert"`) {
			t.Errorf("%s: %d", row.name, status)
		}
		for _, want := range row.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s lacks %q", row.name, want)
			}
		}
	}
}

func TestEventsFollowTheLog(t *testing.T) {
	h := newFixture(t, nil)
	loop := h.research(t, t.Context())
	v := h.inside(t)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.srv.URL+Root+"loops/"+loop+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := v.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream" || resp.Header.Get("Content-Security-Policy") != policy {
		t.Fatalf("%d %s", resp.StatusCode, got)
	}
	lines := bufio.NewScanner(resp.Body)
	next := func() int64 {
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				n, err := strconv.ParseInt(data, 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				return n
			}
		}
		t.Fatalf("the stream ended: %v", lines.Err())
		return 0
	}
	first := next()
	if _, err := h.svc.AddGap(t.Context(), loop, "", loopstate.GapInput{Gap: "What did it cost?"}); err != nil {
		t.Fatal(err)
	}
	if second := next(); second != first+1 {
		t.Errorf("after event %d came %d", first, second)
	}
	h.page.Stop()
	for lines.Scan() {
	}
	if err := lines.Err(); err != nil {
		t.Errorf("the stream does not end by itself: %v", err)
	}
}

func TestSessionsAreBounded(t *testing.T) {
	now := time.Now()
	s := newSessions(func() time.Time { now = now.Add(time.Second); return now })
	first := s.begin(local(), "")
	for range maxOwnSessions {
		s.begin(local(), "")
	}
	if v, _ := s.find(first.id, true); v != nil || len(s.byID) != maxOwnSessions {
		t.Errorf("%d sessions of one owner, and the first is there: %v", len(s.byID), v != nil)
	}
}
