package loops_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// release returns a press release of n sentences with one word replaced.
func release(word string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "In the %s quarter of its history the lamp works of Arden sold lantern model %s to harbour number %s. ",
			ordinals[i%len(ordinals)], letters(i), letters(i*7+3))
	}
	return b.String() + word
}

var ordinals = []string{"first", "second", "third", "fourth", "fifth"}

func letters(n int) string {
	return string(rune('a'+n%26)) + string(rune('a'+n/26%26)) + string(rune('k'+n%11))
}

// One text at three addresses with different last lines is one origin.
func TestNearDuplicatesAreOneOrigin(t *testing.T) {
	t.Parallel()
	h, loop := newLoop(t, "lamps")
	h.web.put("https://arden.example/release", "Release", release("Contact: press office.", 30))
	h.web.put("https://wire.example/1", "Release", release("Distributed by the wire.", 30))
	h.web.put("https://paper.example/2", "Lamps", release("All rights reserved.", 30))
	h.web.put("https://other.example/3", "Ships", strings.ReplaceAll(release("", 30), "lantern model", "sailing ship"))
	h.read(loop, "https://arden.example/release")
	h.read(loop, "https://wire.example/1", "https://paper.example/2", "https://other.example/3")
	st := h.stateOf(loop)
	if got, want := copies(st.Sources), []string{"S1 ", "S2 S1", "S3 S1", "S4 "}; !slices.Equal(got, want) || st.Origins() != 2 {
		t.Errorf("%q of %d origins, want %q", got, st.Origins(), want)
	}
	// Another process, which has only the log, finds two copies in one call.
	h.web.put("https://copy.example/4", "Copy", release("Copied.", 30))
	h.web.put("https://copy.example/5", "New", strings.ReplaceAll(release("", 30), "lantern model", "hemp rope of"))
	h.web.put("https://copy.example/6", "New again", strings.ReplaceAll(release("Copied.", 30), "lantern model", "hemp rope of"))
	done(h, h.service().Read, loops.ReadInput{Loop: loop, URLs: []string{"https://copy.example/4", "https://copy.example/5",
		"https://copy.example/6"}})
	if got, want := copies(h.stateOf(loop).Sources[4:]), []string{"S5 S1", "S6 ", "S7 S6"}; !slices.Equal(got, want) {
		t.Errorf("read by another process: %q, want %q", got, want)
	}
}

// copies returns the sources, each with that whose text it repeats.
func copies(sources []loopstate.Source) (out []string) {
	for _, src := range sources {
		out = append(out, src.ID+" "+src.DuplicateOf)
	}
	return out
}

func hit(url, title, snippet string) loopstate.Evidence {
	return loopstate.Evidence{URL: url, Title: title, Snippet: snippet, Source: "fakeWeb"}
}

func TestNearDuplicateHitsAreRejected(t *testing.T) {
	t.Parallel()
	const long = "The lamp works of Arden said on Tuesday that its new lantern burns for a whole year without being refilled, which " +
		"harbour masters along the western coast had asked for since the great storm took eleven of them."
	h, loop := newLoop(t, "lamps")
	tests := []struct {
		name  string
		hits  []loopstate.Evidence
		added int
	}{
		{"the first", []loopstate.Evidence{hit("https://a.example/1", "A lantern for a year", long)}, 1},
		{"the same elsewhere", []loopstate.Evidence{hit("https://b.example/1", "A lantern for a year", long+" More.")}, 0},
		{"two of one text in a call", []loopstate.Evidence{hit("https://c.example/1", "Ropes", strings.ReplaceAll(long, "lamp", "rope")),
			hit("https://d.example/1", "Ropes", strings.ReplaceAll(long, "lamp", "rope"))}, 1},
		{"short ones are not compared", []loopstate.Evidence{hit("https://a.example/x", "Introduction", "Read more"),
			hit("https://a.example/y", "Introduction", "Read more")}, 2},
	}
	for _, svc := range []*loops.Service{h.Service, h.service()} {
		for _, tt := range tests {
			a := must(svc.Update(t.Context(), loop, "", loopstate.UpdateInput{Evidence: tt.hits}))(t)
			if a.Added.Evidence != tt.added || len(a.Duplicates) != len(tt.hits)-tt.added {
				t.Errorf("%s: %d added, duplicates %v", tt.name, a.Added.Evidence, a.Duplicates)
			}
		}
		tests = tests[1:2] // the same in a process that has only the log
	}
}

// Another angle of the round sees pages that one angle has found as new, without a source id, and near duplicates as
// separate pages.
func TestAnglesDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	h, loop := newLoop(t, "lamps")
	h.web.put("https://a.example/1", "A lantern for a year", "lantern "+release("", 5))
	search := func(angle string) loops.Hit {
		t.Helper()
		in := loops.SearchInput{Loop: loop, Channels: []string{"fakeWeb"}, Angle: angle}
		in.Query.Text = "lantern"
		return done(h, h.Search, in).Hits[0]
	}
	search("byEntity")
	ids := h.read(loop, "https://a.example/1")
	if got := search("byCounterArg"); got.Seen || got.SourceID != "" {
		t.Errorf("byCounterArg learns what byEntity has read: %+v", got)
	}
	if got := search(""); !got.Seen || got.SourceID != ids[0] {
		t.Errorf("a searcher without an angle sees %+v", got)
	}
	if got := search("entities"); !got.Seen || got.SourceID != ids[0] {
		t.Errorf("byEntity does not know its own: %+v", got)
	}
	h.reflect(loop, loopstate.CloseInput{})
	if got := search("byCounterArg"); !got.Seen || got.SourceID != ids[0] {
		t.Errorf("in the next round everybody knows: %+v", got)
	}
}
