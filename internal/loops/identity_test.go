package loops_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

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
