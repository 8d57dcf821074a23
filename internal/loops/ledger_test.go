package loops_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// firstChars returns a ReadInput.Show of the first n characters of each text.
func firstChars(n int) func([]loops.PageOutcome) []loopstate.Spans {
	return func(pages []loops.PageOutcome) []loopstate.Spans {
		spans := make([]loopstate.Spans, len(pages))
		for i, p := range pages {
			if p.Status == fetch.StatusRead {
				spans[i] = loopstate.Spans{{0, min(n, p.Chars)}}
			}
		}
		return spans
	}
}

// glance reads addresses and shows their first characters only.
func (h *harness) glance(loop string, chars int, urls ...string) []loops.PageOutcome {
	h.t.Helper()
	return must(h.Read(h.t.Context(), loops.ReadInput{Loop: loop, URLs: urls, Show: firstChars(chars)}))(h.t)
}

// shownChars returns how many characters of each source were shown, and the number of the last event.
func (h *harness) shownChars(loop string) (chars []int, version int64) {
	h.t.Helper()
	v := must(h.State(h.t.Context(), loops.ViewInput{Loop: loop, View: "sources"}))(h.t)
	for _, src := range v.Sources {
		chars = append(chars, src.ShownChars)
	}
	return chars, v.Version
}

const (
	quayStory = "The harbour office keeps a copy of every manifest. Clerks file them by the name of the ship, and nobody looks at them again.\n\n"
	bellStory = "The great bell of Arden weighs 4,200 kilograms and was cast in 1874 by the Holt foundry."
)

// bells returns a page that mentions the bell only at its end.
func bells() string { return strings.Repeat(quayStory, 12) + bellStory + "\n\n" + quayStory }

// Every answer that shows text records it once, in the event of the call.
func TestShownTextIsRecorded(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("How heavy is the bell?")
	h.web.put("https://example.org/bell", "The bell", bells())
	h.web.put("https://example.org/other", "Another", "Nothing of interest is here, and it is said at length.")
	length := len(bells())
	steps := []struct {
		name  string
		do    func() error
		grows int64 // events
		want  func(before int) bool
	}{
		{"a fetch of two pages", func() error {
			h.glance(loop, 100, "https://example.org/bell", "https://example.org/other")
			return nil
		}, 1, func(n int) bool { return n == 100 }},
		{"the same again", func() error { h.glance(loop, 100, "https://example.org/bell"); return nil }, 0, func(n int) bool { return n == 100 }},
		{"more of it", func() error { h.glance(loop, 160, "https://example.org/bell"); return nil }, 1, func(n int) bool { return n == 160 }},
		{"passages", func() error {
			return errOf(h.FindPassages(t.Context(), loop, "great bell weighs kilograms", []string{"S1"}, 1))
		}, 1, func(n int) bool { return n >= 160+len(bellStory) && n < length/2 }},
		{"the same passages", func() error {
			return errOf(h.FindPassages(t.Context(), loop, "great bell weighs kilograms", []string{"S1"}, 1))
		}, 0, func(n int) bool { return n < length/2 }},
		{"a brief without texts", func() error { return errOf(h.PromptData(t.Context(), loop, 0)) }, 0, func(n int) bool { return n < length/2 }},
		{"a prompt with originals", func() error { return errOf(h.PromptData(t.Context(), loop, 400)) }, 1, func(n int) bool { return n < length }},
		{"a stretch as a resource", func() error { return errOf(h.ReadSpan(t.Context(), loop, "S1", 1000, 0)) }, 1, func(n int) bool { return n < length }},
		{"the whole text", func() error { return errOf(h.ReadSpan(t.Context(), loop, "S1", 0, 0)) }, 1, func(n int) bool { return n == length }},
		{"once all is shown", func() error {
			return errOf(h.FindPassages(t.Context(), loop, "clerks file manifest", []string{"S1"}, 5))
		}, 0, func(n int) bool { return n == length }},
	}
	for _, step := range steps {
		_, before := h.shownChars(loop)
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		chars, version := h.shownChars(loop)
		if version-before != step.grows {
			t.Errorf("%s: %d events, want %d", step.name, version-before, step.grows)
		}
		if !step.want(chars[0]) {
			t.Errorf("%s: %d of %d characters are shown", step.name, chars[0], length)
		}
	}
	// Another process, from the log.
	again := *h
	again.Service = h.service()
	want, _ := h.shownChars(loop)
	got, _ := again.shownChars(loop)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after a restart (-want +got):\n%s", diff)
	}
}

// Reading by an onlooker does not change the loop.
func TestOnlookersAreNotRecorded(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("q")
	h.web.put("https://example.org/bell", "The bell", bells())
	h.glance(loop, 10, "https://example.org/bell")
	_, before := h.shownChars(loop)
	if found, err := h.FindPassages(loops.AsOnlooker(t.Context()), loop, "bell", nil, 3); err != nil || len(found) == 0 {
		t.Errorf("found %v, %v", found, err)
	}
	if _, err := h.ReadSpan(loops.AsOnlooker(t.Context()), loop, "S1", 0, 0); err != nil {
		t.Error(err)
	}
	if chars, version := h.shownChars(loop); version != before || chars[0] != 10 {
		t.Errorf("version %d after %d, shown %v", version, before, chars)
	}
}

// A document that the loop has under another address counts as shown in the stored text.
func TestLedgerOfTheStoredText(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	for _, u := range []string{"https://www.nature.com/full", "https://archive.nature.com/copy"} {
		h.web.put(u, "Paper", strings.Repeat("The text as "+u+" has it. ", 20))
		p := h.web.pages[u]
		p.DOI = "10.1038/77"
		h.web.pages[u] = p
	}
	for _, together := range []bool{true, false} {
		loop := h.start("q")
		var shown []string
		show := func(pages []loops.PageOutcome) []loopstate.Spans {
			shown = nil
			for _, p := range pages {
				shown = append(shown, p.Text)
			}
			return firstChars(50)(pages)
		}
		calls := [][]string{{"https://www.nature.com/full", "https://archive.nature.com/copy"}}
		if !together {
			calls = [][]string{calls[0][:1], calls[0][1:]}
		}
		for _, urls := range calls {
			done(h, h.Read, loops.ReadInput{Loop: loop, URLs: urls, Show: show})
		}
		for _, text := range shown {
			if !strings.Contains(text, "www.nature.com") {
				t.Errorf("together %v: shown is the text %.60q", together, text)
			}
		}
		if chars, _ := h.shownChars(loop); len(chars) != 1 || chars[0] != 50 {
			t.Errorf("together %v: shown %v, want one source and 50 characters", together, chars)
		}
	}
}

// An aborted loop can be read, but records nothing more.
func TestAbortedLoopIsReadWithoutALedger(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("q")
	h.web.put("https://example.org/bell", "The bell", bells())
	h.glance(loop, 10, "https://example.org/bell")
	h.update(loop, loopstate.UpdateInput{Abort: "enough"})
	_, before := h.shownChars(loop)
	h.glance(loop, 500, "https://example.org/bell")
	if found, err := h.FindPassages(t.Context(), loop, "bell", nil, 3); err != nil || len(found) == 0 {
		t.Errorf("found %v, %v", found, err)
	}
	if _, err := h.ReadSpan(t.Context(), loop, "S1", 0, 0); err != nil {
		t.Error(err)
	}
	if chars, version := h.shownChars(loop); version != before || chars[0] != 10 {
		t.Errorf("version %d after %d, shown %v", version, before, chars)
	}
}
