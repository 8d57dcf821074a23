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
	h := newHarness(t)
	loop := h.start("lamps")
	h.web.put("https://arden.example/release", "Release", release("Contact: press office.", 30))
	h.web.put("https://wire.example/1", "Release", release("Distributed by the wire.", 30))
	h.web.put("https://paper.example/2", "Lamps", release("All rights reserved.", 30))
	h.web.put("https://other.example/3", "Ships", strings.ReplaceAll(release("", 30), "lantern model", "sailing ship"))
	ids := h.read(loop, "https://arden.example/release")
	ids = append(ids, h.read(loop, "https://wire.example/1", "https://paper.example/2", "https://other.example/3")...)
	v := h.view(loops.ViewInput{Loop: loop, View: "sources"})
	var got []string
	for _, src := range v.Sources {
		got = append(got, src.ID+" "+src.DuplicateOf)
	}
	if want := []string{"S1 ", "S2 S1", "S3 S1", "S4 "}; !slices.Equal(got, want) || len(ids) != 4 {
		t.Errorf("%q, want %q", got, want)
	}
	if v.Progress.Sources != 4 || v.Progress.Origins != 2 {
		t.Errorf("%d sources of %d origins", v.Progress.Sources, v.Progress.Origins)
	}
	// Another process, which has only the log, finds two copies in one call.
	second := h.service()
	h.web.put("https://copy.example/4", "Copy", release("Copied.", 30))
	h.web.put("https://copy.example/5", "New", strings.ReplaceAll(release("", 30), "lantern model", "hemp rope of"))
	h.web.put("https://copy.example/6", "New again", strings.ReplaceAll(release("Copied.", 30), "lantern model", "hemp rope of"))
	out := done(h, second.Read, loops.ReadInput{Loop: loop, URLs: []string{"https://copy.example/4", "https://copy.example/5",
		"https://copy.example/6"}})
	got = nil
	for _, o := range out {
		got = append(got, o.ID+" "+o.DuplicateOf)
	}
	if want := []string{"S5 S1", "S6 ", "S7 S6"}; !slices.Equal(got, want) {
		t.Errorf("read by another process: %q, want %q", got, want)
	}
}

func hit(url, title, snippet string) loopstate.Evidence {
	return loopstate.Evidence{URL: url, Title: title, Snippet: snippet, Source: "fakeWeb"}
}

func TestNearDuplicateHitsAreRejected(t *testing.T) {
	t.Parallel()
	const long = "The lamp works of Arden said on Tuesday that its new lantern burns for a whole year without being refilled, which " +
		"harbour masters along the western coast had asked for since the great storm took eleven of them."
	h := newHarness(t)
	loop := h.start("lamps")
	update := func(hits ...loopstate.Evidence) loops.Updated {
		t.Helper()
		return h.update(loop, loopstate.UpdateInput{Evidence: hits})
	}
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
	for _, tt := range tests {
		a := update(tt.hits...)
		if a.Added.Evidence != tt.added || len(a.Duplicates) != len(tt.hits)-tt.added {
			t.Errorf("%s: %d added, duplicates %v", tt.name, a.Added.Evidence, a.Duplicates)
		}
	}
	// The same in a process that has only the log.
	second := h.service()
	a, err := second.Update(t.Context(), loop, "",
		loopstate.UpdateInput{Evidence: []loopstate.Evidence{hit("https://f.example/1", "A lantern for a year", long)}})
	if err != nil || a.Added.Evidence != 0 {
		t.Errorf("another process adds %d, %v", a.Added.Evidence, err)
	}
}

func TestContradictionsQuoteBothSides(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("lamps")
	h.web.put("https://a.example/1", "A", "The tower was built in 1874. It stands on a rock of granite.")
	h.web.put("https://b.example/1", "B", "Old charts show a beacon. The tower was built in 1881 by two brothers.")
	ids := h.read(loop, "https://a.example/1", "https://b.example/1")
	_, err := h.Update(t.Context(), loop, "", loopstate.UpdateInput{Contradictions: []loopstate.Contradiction{
		{Topic: "the year in which the tower was built", Why: "both are parish records", SourceIDs: ids}}})
	if err != nil {
		t.Fatal(err)
	}
	d := h.report(loops.ReportInput{Loop: loop, Draft: "The tower was built in 1874 [" + ids[0] + "].", AllowUnverified: true})
	if len(d.Contradictions) != 1 || len(d.Contradictions[0].Passages) != 2 {
		t.Fatalf("%+v", d.Contradictions)
	}
	for i, want := range []string{"built in 1874", "built in 1881"} {
		p := d.Contradictions[0].Passages[i]
		text := []rune(h.web.pages[[]string{"https://a.example/1", "https://b.example/1"}[i]].Text)
		if p.SourceID != ids[i] || !strings.Contains(p.Text, want) || string(text[p.Start:p.End]) != p.Text {
			t.Errorf("side %d: %+v", i+1, p)
		}
	}
	_, err = h.Update(t.Context(), loop, "", loopstate.UpdateInput{Contradictions: []loopstate.Contradiction{{Topic: "t", Why: "w",
		SourceIDs: []string{"S9"}}}})
	refusal(t, err, "contradictions[0].sources", loopstate.CodeUnreadCited)
}

// Another angle of the round sees pages that one angle has found as new, without a source id, and near duplicates as
// separate pages.
func TestAnglesDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("lamps")
	h.web.put("https://a.example/1", "A lantern for a year", "lantern "+release("", 5))
	search := func(angle string) map[string]loops.Hit {
		t.Helper()
		in := loops.SearchInput{Loop: loop, Channels: []string{"fakeWeb"}, Angle: angle}
		in.Query.Text = "lantern"
		found := done(h, h.Search, in)
		hits := map[string]loops.Hit{}
		for _, hit := range found.Hits {
			hits[hit.URL] = hit
		}
		return hits
	}
	search("byEntity")
	ids := h.read(loop, "https://a.example/1")
	if got := search("byCounterArg")["https://a.example/1"]; got.Seen || got.SourceID != "" {
		t.Errorf("byCounterArg learns what byEntity has read: %+v", got)
	}
	if got := search("")["https://a.example/1"]; !got.Seen || got.SourceID != ids[0] {
		t.Errorf("a searcher without an angle sees %+v", got)
	}
	if got := search("byEntity")["https://a.example/1"]; !got.Seen || got.SourceID != ids[0] {
		t.Errorf("byEntity does not know its own: %+v", got)
	}
	h.reflect(loop, loopstate.CloseInput{})
	if got := search("byCounterArg")["https://a.example/1"]; !got.Seen || got.SourceID != ids[0] {
		t.Errorf("in the next round everybody knows: %+v", got)
	}
}

// The full view and the critic's prompt have the synthesis.
func TestSynthesisIsReturned(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("lamps")
	text := "The tower was built in 1874. " + strings.Repeat("It burns oil. ", 1000)
	h.reflect(loop, loopstate.CloseInput{Synthesis: text, Coverage: &loopstate.Coverage{Overall: 0.7, Reasoning: "some"}})
	v, err := h.State(t.Context(), loops.ViewInput{Loop: loop, View: "full"})
	if err != nil || !strings.HasPrefix(v.Loop.Synthesis, "The tower was built in 1874. It burns oil.") || len(v.Loop.Synthesis) > 10_010 ||
		v.Loop.SynthesisChars != len(text) || v.Coverage.Reasoning != "some" {
		t.Errorf("%d characters, %v", len(v.Loop.Synthesis), err)
	}
	brief, err := h.State(t.Context(), loops.ViewInput{Loop: loop})
	if err != nil || brief.Coverage.Overall != 0.7 || brief.Coverage.Reasoning != "" {
		t.Errorf("the brief's coverage is %+v, %v", brief.Coverage, err)
	}
	if !strings.Contains(h.prompt("critic", loop), "text\nThe tower was built") {
		t.Error("the critic's prompt lacks the synthesis")
	}
	_, err = h.Reflect(t.Context(), loop, "", loopstate.CloseInput{AnsweredGaps: []string{"G9"}, Synthesis: "another text"})
	refusal(t, err, "answered gaps[0]", loopstate.CodeUnknownGap)
	if _, err := h.Store.Blob(t.Context(), loopstate.HashText([]byte("another text"))); err == nil {
		t.Error("a refused call left its text behind")
	}
}
