package loopstate

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSpansMerge(t *testing.T) {
	tests := []struct {
		name string
		have Spans
		more []Span
		want Spans
	}{
		{"the first", nil, []Span{{0, 600}}, Spans{{0, 600}}},
		{"behind", Spans{{0, 600}}, []Span{{900, 950}}, Spans{{0, 600}, {900, 950}}},
		{"before", Spans{{900, 950}}, []Span{{0, 600}}, Spans{{0, 600}, {900, 950}}},
		{"touching", Spans{{0, 600}}, []Span{{600, 700}}, Spans{{0, 700}}},
		{"over both", Spans{{0, 10}, {20, 30}}, []Span{{5, 25}}, Spans{{0, 30}}},
		{"inside", Spans{{0, 600}}, []Span{{5, 25}}, Spans{{0, 600}}},
		{"no stretches", Spans{{0, 6}}, []Span{{9, 9}, {12, 10}, {-4, 2}}, Spans{{0, 6}}},
		{"in any order, twice", nil, []Span{{30, 40}, {0, 5}, {30, 40}, {4, 31}}, Spans{{0, 40}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := append(Spans{}, tt.have...)
			if diff := cmp.Diff(tt.want, tt.have.With(tt.more...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, append(Spans{}, tt.have...)); diff != "" {
				t.Errorf("With changed what it was given (-before +after):\n%s", diff)
			}
		})
	}
}

// Spans behave like a list of booleans.
func TestSpansAgainstAModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const length = 60
		var model [length]bool
		var spans Spans
		for range rapid.IntRange(0, 12).Draw(t, "showings") {
			p := Span{rapid.IntRange(-5, length).Draw(t, "start"), rapid.IntRange(0, length).Draw(t, "end")}
			spans = spans.With(p)
			for i := p[0]; p[0] >= 0 && i < p[1]; i++ {
				model[i] = true
			}
		}
		asked := Span{rapid.IntRange(0, length).Draw(t, "from"), rapid.IntRange(0, length).Draw(t, "to")}
		in, all := 0, 0
		for i, shown := range model {
			if shown {
				all++
				if asked[0] <= i && i < asked[1] {
					in++
				}
			}
		}
		if spans.Of(asked) != in || spans.Chars() != all {
			t.Fatalf("%v has %d of %v and %d in all, want %d and %d", spans, spans.Of(asked), asked, spans.Chars(), in, all)
		}
		for i := 1; i < len(spans); i++ {
			if spans[i][0] <= spans[i-1][1] {
				t.Fatalf("%v is not merged", spans)
			}
		}
	})
}

func TestSpansAreBounded(t *testing.T) {
	var spans Spans
	for i := range 2 * maxSpans {
		hole := 10
		if i == 7 {
			hole = 2
		}
		start := 100*i + 10
		spans = spans.With(Span{start, start + 100 - hole})
	}
	if len(spans) != maxSpans {
		t.Errorf("%d spans are kept apart, want %d", len(spans), maxSpans)
	}
	if want := (Spans{}).With(spans...); cmp.Diff(want, spans) != "" {
		t.Errorf("the bounded spans are not merged: %v", spans[:3])
	}
	data, err := json.Marshal(spans)
	if err != nil || len(data) > 16*maxSpans || !strings.HasPrefix(string(data), "[[10,") {
		t.Errorf("%d bytes, %.40s, %v", len(data), data, err)
	}
}

// ledger returns a loop with two sources of 1,000 characters and the same text.
func ledger(t *testing.T) *history {
	t.Helper()
	h := begin(t, StartInput{Query: "q"})
	a, b := sourceAt("https://example.com/a", h.now), sourceAt("https://example.com/b", h.now)
	a.Chars, b.Chars = 1000, 1000
	b.SHA256 = a.SHA256
	p, err := h.state.Read([]Source{a, b}, nil)
	p.Shown = h.state.Unrecorded([]ShownText{{"S1", Spans{{0, 600}}}})
	h.must(p, err)
	return h
}

func TestLedger(t *testing.T) {
	h := ledger(t)
	want := map[string]Spans{"S1": {{0, 600}}}
	if diff := cmp.Diff(want, h.state.Shown); diff != "" {
		t.Fatalf("after the fetch (-want +got):\n%s", diff)
	}
	if got := h.state.Unrecorded([]ShownText{{"S1", Spans{{10, 20}, {300, 600}}}, {"S2", nil}}); len(got) != 0 {
		t.Errorf("what was shown before is recorded again: %v", got)
	}
	fresh := h.state.Unrecorded([]ShownText{{"S1", Spans{{10, 20}, {590, 610}}}, {"S2", Spans{{5, 9}}}, {"S1", Spans{{605, 620}}}})
	if diff := cmp.Diff([]ShownText{{"S1", Spans{{590, 620}}}, {"S2", Spans{{5, 9}}}}, fresh); diff != "" {
		t.Errorf("what is new (-want +got):\n%s", diff)
	}
	h.must(Shown{Shown: append(fresh, ShownText{"S9", Spans{{0, 5}}}, ShownText{"S2", Spans{{990, 5000}, {7, 3}}})}, nil)
	want = map[string]Spans{"S1": {{0, 620}}, "S2": {{5, 9}, {990, 1000}}}
	if diff := cmp.Diff(want, h.state.Shown); diff != "" {
		t.Errorf("an unknown source, or a stretch beyond the text, was taken (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Spans{{0, 620}, {990, 1000}}, h.state.ShownOf("S2")); diff != "" {
		t.Errorf("the same text under another id (-want +got):\n%s", diff)
	}
	if got := h.state.ShownOf("S9"); got != nil {
		t.Errorf("of a source that is not there, %v was shown", got)
	}
	if diff := diffStates(h.state, restored(t, h.state)); diff != "" {
		t.Errorf("after a restart (-want +got):\n%s", diff)
	}
}
