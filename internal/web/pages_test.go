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
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/views"
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

func TestCutJoinsToTheText(t *testing.T) {
	span := loops.Span{Start: 10, Text: "abcdefghij"}
	pieces, turning := cut(span, []mark{{ID: "C1", Status: "grounded", Start: 12, End: 16}, {ID: "C2", Status: "inferred", Start: 14, End: 18}, {ID: "C3", Start: 5, End: 11}, {ID: "C4", Start: 30, End: 40}}, loopstate.Spans{{0, 13}, {19, 99}})
	want := []piece{
		{Text: "a", Marks: []string{"C3"}, Begins: []string{"C3"}},
		{Text: "b"},
		{Text: "c", Marks: []string{"C1"}, Begins: []string{"C1"}, Status: "grounded"},
		{Text: "d", Marks: []string{"C1"}, Status: "grounded", Unseen: true},
		{Text: "ef", Marks: []string{"C1", "C2"}, Begins: []string{"C2"}, Status: "grounded", Unseen: true},
		{Text: "gh", Marks: []string{"C2"}, Status: "inferred", Unseen: true},
		{Text: "i", Unseen: true},
		{Text: "j"},
	}
	if diff := cmp.Diff(want, pieces); diff != "" || turning != 0 {
		t.Errorf("pieces (-want +got):\n%s", diff)
	}
	if pieces, turning = cut(loops.Span{Text: "a\u202Eb"}, nil, nil); turning != 1 || pieces[0].Text != "a\uFFFDb" {
		t.Errorf("%v %d", pieces, turning)
	}
}

// A text is shown whole, line by line: each line that shows something has its number once, and a mark may have several lines.
func TestStoredTextByLines(t *testing.T) {
	pieces, _ := cut(loops.Span{Start: 90, Line: 7, Text: "rest\n# Tower\n\n- <b>one\ntwo"}, []mark{{ID: "C1", Start: 102, End: 105}, {ID: "C2", Start: 106, End: 118}}, loopstate.Spans{{0, 200}})
	var b strings.Builder
	if err := pages()["en"].ExecuteTemplate(&b, "stored", storedOf(pieces, false)); err != nil {
		t.Fatal(err)
	}
	want := `<p dir="auto">rest
</p><p class="heading" dir="auto"><span class="line" id="L8" data-n="8"></span># Tower<span class="anchor" id="C1"></span><mark class="" data-marks="C1">
</mark><mark class="" data-marks="C1">
</mark></p><p dir="auto"><span class="line" id="L10" data-n="10"></span><mark class="" data-marks="C1">-</mark> <span class="anchor" id="C2"></span><mark class="" data-marks="C2">&lt;b&gt;one
</mark></p><p dir="auto"><span class="line" id="L11" data-n="11"></span><mark class="" data-marks="C2">two</mark></p>`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhatPeopleDoIsInTheLog(t *testing.T) {
	for _, row := range []struct {
		name, act string
		form      url.Values
		kind      string
		check     func(p views.LoopDetail) bool
	}{
		{"add a gap", "gap", url.Values{"gap": {"What did it cost?"}, "importance": {"critical"}}, loopstate.KindGapAdded, func(p views.LoopDetail) bool { return p.Progress.OpenGaps == 2 }},
		{"close a gap as not to be answered", "close-gap", url.Values{"gap": {"G1"}, "status": {"unanswerable"}, "why": {"The books burnt."}}, loopstate.KindUpdated, func(p views.LoopDetail) bool {
			return p.Gaps[0].Status == loopstate.GapUnanswerable && p.Gaps[0].Why == "The books burnt."
		}},
		{"close a gap as answered", "close-gap", url.Values{"gap": {"G1"}, "status": {"answered"}, "why": {"I know it."}}, loopstate.KindUpdated, func(p views.LoopDetail) bool {
			return p.Gaps[0].Status == loopstate.GapAnswered && p.Gaps[0].Why == "I know it."
		}},
		{"mark a source bad", "bad-source", url.Values{"source": {"S1"}, "why": {"It is an advertisement."}}, loopstate.KindUpdated, func(p views.LoopDetail) bool { return len(p.Bad) == 1 }},
		{"paste a text", "paste", url.Values{"title": {"A second history"}, "url": {"https://example.org/walled"}, "text": {strings.Repeat("The tower was paid for by the harbour. ", 20)}}, loopstate.KindRead, func(p views.LoopDetail) bool {
			return len(p.Sources) == 2 && p.Sources[1].Pasted && p.Sources[1].ShownChars == 0
		}},
		{"confirm rounds", "rounds", url.Values{"rounds": {"12"}}, loopstate.KindUpdated, func(p views.LoopDetail) bool { return p.RoundCap == 12 }},
		{"stop", "stop", url.Values{"why": {"We know enough."}}, loopstate.KindUpdated, func(p views.LoopDetail) bool { return p.Status == loopstate.StatusAborted }},
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
