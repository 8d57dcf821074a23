package loops_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

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
