package loops_test

import (
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
	h, loop := newLoop(t, "q")
	h.web.put("https://example.org/a?utm_source=x", "A", "The tower is 12 metres high.")
	h.web.put("https://example.org/copy", "Copy", h.web.pages["https://example.org/a?utm_source=x"].Text)
	h.web.fail("https://example.org/gone", fetch.StatusNotFound)
	h.web.fail("https://example.org/slow", fetch.StatusTimeout)
	urls := []string{"https://example.org/a?utm_source=x", "https://example.org/copy", "https://example.org/gone",
		"https://example.org/slow"}
	if diff := cmp.Diff([]string{"S1", "S2", "", ""}, h.read(loop, urls...)); diff != "" {
		t.Fatalf("ids (-want +got):\n%s", diff)
	}
	st := h.stateOf(loop)
	if len(st.Bad) != 1 || st.Bad[0].URL != "https://example.org/gone" { // not the slow one, which may answer tomorrow
		t.Errorf("bad urls %+v", st.Bad)
	}
	if got := st.Sources[1].DuplicateOf; got != "S1" {
		t.Errorf("the copy is a duplicate of %q, want S1", got)
	}
	const again = "http://www.example.org/a/#top" // the same page at an equivalent address
	if p := h.readPage(loop, again); p.ID != "S1" || !strings.HasPrefix(p.Text, "The tower") || h.web.asked[again] != 0 {
		t.Errorf("read again: %s %q, asked %d times", p.ID, p.Text[:20], h.web.asked[again])
	}
}

// A pasted text and its title are kept without invisible characters, which the record counts.
func TestPastedText(t *testing.T) {
	t.Parallel()
	h, loop := newLoop(t, "q")
	paste := func(title, text string, urls ...string) loops.PageOutcome {
		return done(h, h.Read, loops.ReadInput{Loop: loop, Text: text, Title: title, URLs: urls})[0]
	}
	if p := paste("Note", "too little"); p.Status != fetch.StatusTooShort || p.ID != "" {
		t.Errorf("a short paste: %+v", p)
	}
	p := paste("Walled page", strings.Repeat("The archive opens at nine. ", 20), "https://walled.example/a")
	if !p.Pasted || p.ID != "S1" || p.Key != "url:walled.example/a" || h.requests() != 0 {
		t.Errorf("paste: %+v", p.Source)
	}
	p = paste("Har\u202ebour\U000E0061", strings.Repeat("The harbour\u200b is dredged in spring.\U000E0069\U000E0067\r\n", 10))
	want := strings.TrimSpace(strings.Repeat("The harbour is dredged in spring.\n", 10))
	if p.Title != "Harbour" || p.Text != want || p.Chars != len(want) || p.Invisible != 22 || len(p.Flags) != 1 {
		t.Errorf("title %q, text %q, %d invisible characters, flags %q", p.Title, p.Text, p.Invisible, p.Flags)
	}
}

func TestSearchIsLogged(t *testing.T) {
	t.Parallel()
	h, loop := newLoop(t, "q")
	h.web.put("https://example.org/a", "A", "alpha beta")
	h.web.put("https://example.org/b", "B", "beta")
	search := func(text string) loops.Found {
		t.Helper()
		return done(h, h.Search, loops.SearchInput{Loop: loop, Channels: []string{"fakeWeb"}, Query: channels.Query{Text: text},
			Angle: "byEntity"})
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
	var got []string
	for _, s := range h.stateOf(loop).Searches {
		got = append(got, s.Query+" "+s.Channels[0].Status)
	}
	if diff := cmp.Diff([]string{"alpha ok", "beta ok", "gamma empty"}, got); diff != "" {
		t.Errorf("search log (-want +got):\n%s", diff)
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

func TestSourceText(t *testing.T) {
	t.Parallel()
	h, loop := newLoop(t, "q")
	text := strings.TrimSpace(strings.Repeat("Ein Größer über 灯塔 𝄞. ", 30_000)) // 21 code points each
	chars := len([]rune(text))
	h.web.put("https://example.org/a", "A", text)
	h.read(loop, "https://example.org/a")
	src, got, err := h.SourceText(t.Context(), loop, "S1")
	if err != nil || src.Chars != chars || got.String() != text || got.Slice(chars-5, chars) != string([]rune(text)[chars-5:]) {
		t.Errorf("%d of %d characters, %v", src.Chars, chars, err)
	}
	_, _, err = h.SourceText(t.Context(), loop, "S2")
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
				h, loop := newLoop(t, "What is array programming?")
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
	h, loop := newLoop(t, "q")
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
	h, loop := newLoop(t, "q")
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
