package loops_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

func TestReadKeepsAndReadsOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("q")
	h.web.put("https://example.org/a?utm_source=x", "A", "The tower is 12 metres high.")
	h.web.put("https://example.org/copy", "Copy", h.web.pages["https://example.org/a?utm_source=x"].Text)
	h.web.fail("https://example.org/gone", fetch.StatusNotFound)
	h.web.fail("https://example.org/slow", fetch.StatusTimeout)
	urls := []string{"https://example.org/a?utm_source=x", "https://example.org/copy", "https://example.org/gone",
		"https://example.org/slow"}
	if diff := cmp.Diff([]string{"S1", "S2", "", ""}, h.read(loop, urls...)); diff != "" {
		t.Fatalf("ids (-want +got):\n%s", diff)
	}
	view := h.view(loops.ViewInput{Loop: loop, View: "full"})
	if bad := view.Loop.Progress.BadURLs; len(bad) != 1 || bad[0].URL != "https://example.org/gone" {
		t.Errorf("bad urls %+v: want the missing page, and not the slow one, which may answer tomorrow", bad)
	}
	sources := h.view(loops.ViewInput{Loop: loop, View: "sources"})
	if got := sources.Sources[1].DuplicateOf; got != "S1" {
		t.Errorf("the copy is a duplicate of %q, want S1", got)
	}
	// The same page at an equivalent address is not fetched again.
	again := done(h, h.Read, loops.ReadInput{Loop: loop, URLs: []string{"http://www.example.org/a/#top"}})
	if again[0].ID != "S1" || !strings.HasPrefix(again[0].Text, "The tower") || h.web.asked["http://www.example.org/a/#top"] != 0 {
		t.Errorf("read again: %s %q, asked %d times", again[0].ID, again[0].Text[:20], h.web.asked["http://www.example.org/a/#top"])
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("q")
	many := make([]string, loops.MaxURLs+1)
	for i := range many {
		many[i] = "https://example.org/" + strings.Repeat("x", i+1)
	}
	tests := []struct {
		name    string
		in      loops.ReadInput
		subject string
		code    loopstate.Code
	}{
		{"nothing", loops.ReadInput{Loop: loop}, "address", loopstate.CodeMissing},
		{"empty", loops.ReadInput{Loop: loop, URLs: []string{" "}}, "addresses[0]", loopstate.CodeNotAddress},
		{"too many", loops.ReadInput{Loop: loop, URLs: many}, "addresses", loopstate.CodeTooMany},
		{"paste without a title", loops.ReadInput{Loop: loop, Text: "text"}, "title", loopstate.CodeEmpty},
		{"paste for two addresses", loops.ReadInput{Loop: loop, Text: "text", Title: "t",
			URLs: []string{"https://a.example", "https://b.example"}}, "pasted addresses", loopstate.CodeTooMany},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := h.Read(t.Context(), tt.in)
			refusal(t, err, tt.subject, tt.code)
		})
	}
	if view, err := h.State(t.Context(), loops.ViewInput{Loop: loop}); err != nil || view.Version != 1 {
		t.Errorf("version %d after refusals, %v: want 1", view.Version, err)
	}
}

func TestPastedTextIsMarked(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("q")
	short, err := h.Read(t.Context(), loops.ReadInput{Loop: loop, Text: "too little", Title: "Note"})
	if err != nil || short[0].Status != fetch.StatusTooShort || short[0].ID != "" {
		t.Errorf("a short paste: %+v, %v", short, err)
	}
	text := strings.Repeat("The archive opens at nine. ", 20)
	out := done(h, h.Read, loops.ReadInput{Loop: loop, Text: text, Title: "Walled page", URLs: []string{"https://walled.example/a"}})
	if !out[0].Pasted || out[0].ID != "S1" || out[0].Key != "url:walled.example/a" || h.web.asked["https://walled.example/a"] != 0 {
		t.Errorf("paste: %+v", out[0].Source)
	}
}

func TestSearchIsLogged(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("q")
	h.web.put("https://example.org/a", "A", "alpha beta")
	h.web.put("https://example.org/b", "B", "beta")
	search := func(text string) loops.Found {
		t.Helper()
		f := done(h, h.Search, loops.SearchInput{Loop: loop, Channels: []string{"fakeWeb"}, Query: channels.Query{Text: text},
			Angle: "byEntity"})
		return f
	}
	if first := search("alpha"); len(first.Hits) != 1 || first.Hits[0].Seen || first.Hits[0].ID != "E1" {
		t.Errorf("first search: %+v", first.Hits)
	}
	h.read(loop, "https://example.org/a")
	second := search("beta")
	if len(second.Hits) != 2 || !second.Hits[0].Seen || second.Hits[1].Seen || second.Hits[0].SourceID != "S1" {
		t.Errorf("second search: %+v: want the order of the channel, and the hit that was read with its source", second.Hits)
	}
	if none := search("gamma"); none.Outcomes[0].Status != channels.StatusEmpty {
		t.Errorf("third search: %+v", none.Outcomes)
	}
	// Reporting the same hits does not count as a second search.
	h.update(loop, loopstate.UpdateInput{Query: "Gamma", Evidence: []loopstate.Evidence{second.Hits[0].Evidence}})
	view := h.view(loops.ViewInput{Loop: loop, View: "searches"})
	var got []string
	for _, s := range view.Searches {
		got = append(got, s.Query+" "+s.Channels[0].Status)
	}
	if diff := cmp.Diff([]string{"alpha ok", "beta ok", "gamma empty"}, got); diff != "" {
		t.Errorf("search log (-want +got):\n%s", diff)
	}
	_, err := h.Search(t.Context(), loops.SearchInput{Loop: loop, Channels: []string{"nowhere"}, Query: channels.Query{Text: "x"}})
	if unknown, ok := errors.AsType[*channels.UnknownChannelError](err); !ok || !slices.Equal(unknown.Valid, []string{"fakeWeb"}) {
		t.Errorf("an unknown channel: %v", err)
	}
}

// A call ends in time, stores the pages that arrived, and names the others. The same call again reads them.
func TestReadEndsInTime(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	var urls []string
	for i := range 6 {
		urls = append(urls, fmt.Sprintf("https://example.org/%d", i))
		h.web.put(urls[i], fmt.Sprint("Page ", i), fmt.Sprintf("Page %d says something of its own.", i))
	}
	h.web.stuck, h.Patience = map[string]bool{urls[2]: true}, 50*time.Millisecond
	loop := h.start("q")
	read := func() (statuses []string, reported int) {
		t.Helper()
		out := done(h, h.Read, loops.ReadInput{Loop: loop, URLs: urls, Done: func(int, loops.PageOutcome) { reported++ }})
		for i, o := range out {
			if o.URL != urls[i] {
				t.Errorf("the answer has %s in place of %s", o.URL, urls[i])
			}
			if o.Status == fetch.StatusTimeout && o.Reason != "not finished within this call; ask again" {
				t.Errorf("%s: %q", o.URL, o.Reason)
			}
			statuses = append(statuses, string(o.Status)+" "+o.ID)
		}
		return statuses, reported
	}
	first, reported := read()
	if diff := cmp.Diff([]string{"read S1", "read S2", "timeout ", "timeout ", "timeout ", "timeout "}, first); diff != "" ||
		reported != 6 {
		t.Fatalf("the first call, %d reported (-want +got):\n%s", reported, diff)
	}
	h.web.stuck = nil
	if second, _ := read(); cmp.Diff([]string{"read S1", "read S2", "read S3", "read S4", "read S5", "read S6"}, second) != "" {
		t.Errorf("the second call: %v", second)
	}
	if bad := h.stateOf(loop).Bad; len(bad) != 0 {
		t.Errorf("written off: %v", bad)
	}
}

func TestReadSpan(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("q")
	text := strings.TrimSpace(strings.Repeat("Ein Größer über 灯塔 𝄞. ", 30_000)) // 21 code points each
	chars := len([]rune(text))
	h.web.put("https://example.org/a", "A", text)
	h.read(loop, "https://example.org/a")
	tests := []struct {
		name             string
		start, end       int
		wantFrom, wantTo int
		cut              bool
	}{
		{"all of it", 0, 0, 0, chars, false},
		{"a stretch", 16, 18, 16, 18, true},
		{"the last character", chars - 1, chars, chars - 1, chars, false},
		{"beyond the end", chars - 5, chars + 5, chars - 5, chars, false},
		{"to the end", chars - 5, 0, chars - 5, chars, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := must(h.ReadSpan(t.Context(), loop, "S1", tt.start, tt.end))(t)
			if got.Start != tt.wantFrom || got.End != tt.wantTo || got.Cut() != tt.cut || got.Chars != chars ||
				got.Text != string([]rune(text)[tt.wantFrom:tt.wantTo]) {
				t.Errorf("%d to %d of %d, cut %v, %d bytes", got.Start, got.End, got.Chars, got.Cut(), len(got.Text))
			}
		})
	}
	for _, span := range [][2]int{{-1, 5}, {0, -1}, {5, 5}, {chars, 0}} {
		_, err := h.ReadSpan(t.Context(), loop, "S1", span[0], span[1])
		refusal(t, err, "span", loopstate.CodeBadSpan)
	}
	_, err := h.ReadSpan(t.Context(), loop, "S2", 0, 0)
	refusal(t, err, "source", loopstate.CodeUnreadSource)
}

const paperDOI = "10.1038/s41586-020-2649-2"

// claiming puts a page that states a DOI about itself on the web.
func (h *harness) claiming(url, text, doi string, change ...func(*fetch.Page)) {
	h.web.put(url, "Array programming", strings.Repeat(text+" ", 30))
	p := h.web.pages[url]
	p.DOI = doi
	for _, f := range change {
		f(&p)
	}
	h.web.pages[url] = p
}

func (h *harness) readPage(loop, url string) loops.PageOutcome {
	h.t.Helper()
	out := must(h.Read(h.t.Context(), loops.ReadInput{Loop: loop, URLs: []string{url}}))(h.t)
	return out[0]
}

// A page cannot take the place of a paper, whatever it states about itself and wherever it writes the paper's DOI.
func TestAPageTakesNoIdentity(t *testing.T) {
	t.Parallel()
	real := "https://doi.org/" + paperDOI
	for name, attack := range map[string]string{
		"in its metadata": "https://evil.example/a",
		"in its path":     "https://evil.example/doi/" + paperDOI,
		"a mirror":        "https://doi.org.evil.example/" + paperDOI,
	} {
		for _, evilFirst := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				h := newHarness(t)
				loop := h.start("What is array programming?")
				h.claiming(attack, "Arrays are useless and were withdrawn from every library in the world.", paperDOI)
				h.claiming(real, "Array programming provides a powerful syntax for accessing data in vectors.", "",
					func(p *fetch.Page) { p.FinalURL = "https://www.nature.com/articles/s41586-020-2649-2" })
				order := []string{attack, real}
				if !evilFirst {
					slices.Reverse(order)
				}
				for _, u := range order {
					h.readPage(loop, u)
				}
				evil, paper := h.readPage(loop, attack), h.readPage(loop, real)
				if evil.ID == paper.ID || !strings.Contains(paper.Text, "powerful syntax") || !strings.Contains(evil.Text, "useless") {
					t.Fatalf("the page is %s, the paper %s with the text %.40q", evil.ID, paper.ID, paper.Text)
				}
				if paper.Key != "doi:"+paperDOI || paper.DOI != paperDOI || evil.DOI != "" || strings.HasPrefix(evil.Key, "doi:") ||
					evil.ClaimedDOI != paperDOI {
					t.Errorf("keys %s and %s, DOIs %q and %q, claimed %q", evil.Key, paper.Key, evil.DOI, paper.DOI, evil.ClaimedDOI)
				}
				if paper.SourceType != "peer" || evil.SourceType != "" {
					t.Errorf("types %q and %q", evil.SourceType, paper.SourceType)
				}
				for _, src := range h.stateOf(loop).Sources {
					if !slices.ContainsFunc(src.Flags, func(f string) bool { return strings.HasPrefix(f, loopstate.FlagSame) }) {
						t.Errorf("%s is not flagged: %v", src.ID, src.Flags)
					}
				}
				for _, cited := range []string{"https://doi.org/" + paperDOI, "https://www.nature.com/articles/s41586-020-2649-2"} {
					if src, ok := h.stateOf(loop).SourceByAddress(cited, ""); !ok || src.ID != paper.ID {
						t.Errorf("%s leads to %s", cited, src.ID)
					}
				}
			})
		}
	}
}

// Texts of two hosts under one proven identifier are both kept, and flagged.
func TestTextsOfTwoHostsAreBothKept(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("q")
	proven := func(p *fetch.Page) { p.ProvenDOI, p.ProvenBy = "10.1000/x", fetch.ProvenByRegistry }
	h.claiming("https://one.example/x", "The first host says that the tide is high.", "10.1000/x", proven)
	h.claiming("https://two.example/x", "The second host says that the tide is low, and other things.", "10.1000/x", proven)
	for range 2 { // a repeated call answers the same
		one, two := h.readPage(loop, "https://one.example/x"), h.readPage(loop, "https://two.example/x")
		if diff := cmp.Diff([]string{"S1", "doi:10.1000/x", "S2", "url:two.example/x"},
			[]string{one.ID, one.Key, two.ID, two.Key}); diff != "" {
			t.Fatalf("sources (-want +got):\n%s", diff)
		}
		if !strings.Contains(one.Text, "first host") || !strings.Contains(two.Text, "second host") {
			t.Errorf("texts %.40q and %.40q", one.Text, two.Text)
		}
	}
	for _, src := range h.stateOf(loop).Sources {
		if !slices.ContainsFunc(src.Flags, func(f string) bool { return strings.HasPrefix(f, loopstate.FlagSame) }) {
			t.Errorf("%s: %v", src.ID, src.Flags)
		}
	}
}

// A password in an address is neither used nor kept.
func TestPasswordsAreNotKept(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("q")
	h.web.put("https://example.org/a", "Page", strings.Repeat("The tide is high at noon. ", 20))
	got := h.readPage(loop, "https://me:hunter2@example.org/a")
	if got.ID != "S1" || got.URL != "https://example.org/a" {
		t.Errorf("%s at %s", got.ID, got.URL)
	}
	for e, err := range h.Store.Load(t.Context(), loop, 0) {
		if err != nil || strings.Contains(string(e.Data), "hunter2") {
			t.Errorf("event %s has the password, %v", e.Kind, err)
		}
	}
}
