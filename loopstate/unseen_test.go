package loopstate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Ten hits found by one angle and five by two: 10·9/(2·6) = 7.5 unseen. The variance is 7.5 + 25.069 + 7.813,
// and exp(1.96·√ln(1+40.382/56.25)) = 4.228, so the interval is 7.5/4.228 to 7.5·4.228.
func TestUnseen(t *testing.T) {
	h := begin(t, StartInput{Query: "which page"})
	var first, second []Evidence
	for n := range 10 {
		first = append(first, page(n))
	}
	for n := range 10 {
		second = append(second, page(n+5))
	}
	look := func(angle string, hits []Evidence) {
		t.Helper()
		p, err := h.state.Search(SearchInput{Query: "query of " + angle, Angle: angle, Outcomes: []SearchOutcome{{Channel: "local", Status: "ok"}}, Hits: hits, TookMS: 1})
		h.must(p, err)
	}
	look("byEntity", first)
	if u, ok := h.state.Unseen(); ok {
		t.Errorf("after one angle there is an estimate: %+v", u)
	}
	look("byEntity", first) // the same angle finds its own hits again, which does not count
	if u, ok := h.state.Unseen(); ok {
		t.Errorf("after the same angle twice there is an estimate: %+v", u)
	}
	look("byCounterArg", second)
	got, ok := h.state.Unseen()
	want := Unseen{Found: 15, Once: 10, Twice: 5, Unseen: 8, Low: 2, High: 32}
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("estimate (-want +got):\n%s", diff)
	}
	if got := got.String(); got != "15 relevant hits were found, 10 of them by one angle only; about 8 more are probably still unseen (95 %: 2 to 32)." {
		t.Error(got)
	}
	h.close(CloseInput{})
	if diff := cmp.Diff(&want, h.state.Rounds[0].Unseen); diff != "" {
		t.Errorf("round row (-want +got):\n%s", diff)
	}
}

// Reporting the hits of a logged search does not count as another search.
func TestUnseenCountsASearchOnce(t *testing.T) {
	h := begin(t, StartInput{Query: "which page"})
	h.search("the query", page(1), page(2))
	h.update(UpdateInput{Query: "The query", Channel: "local", Evidence: []Evidence{page(1), page(2)}})
	if u, ok := h.state.Unseen(); ok {
		t.Errorf("estimate %+v after one look", u)
	}
	h.update(UpdateInput{Query: "another query", Channel: "local", Evidence: []Evidence{page(1), page(2)}})
	if u, ok := h.state.Unseen(); ok {
		t.Errorf("estimate %+v from one channel without angles", u)
	}
	h.update(UpdateInput{Query: "a third query", Channel: "web", Evidence: []Evidence{{Title: "About cats", URL: "https://cats.example", Source: "web"}}})
	u, ok := h.state.Unseen()
	if got := u.String(); got != "2 relevant hits were found, 0 of them by one angle only." {
		t.Error(got)
	}
	if want := (Unseen{Found: 2, Twice: 2}); !ok || u != want {
		t.Errorf("estimate %+v, %v; want %+v: both looks found the same, and cats are not relevant", u, ok, want)
	}
}

func TestAnglesDoNotSeeEachOther(t *testing.T) {
	h := begin(t, StartInput{Query: "which page"})
	p, err := h.state.Search(SearchInput{Query: "q", Angle: "byEntity", Outcomes: []SearchOutcome{{Channel: "local", Status: "ok"}}, Hits: []Evidence{page(1)}, TookMS: 1})
	h.must(p, err)
	for angle, want := range map[string]bool{"byEntity": true, "byCounterArg": false, "": true} {
		if got := h.state.SeenBy(page(1), angle); got != want {
			t.Errorf("in the same round, seen by %q: %v, want %v", angle, got, want)
		}
		if h.state.SeenBy(page(2), angle) {
			t.Errorf("what nobody found is seen by %q", angle)
		}
	}
	h.close(CloseInput{})
	if !h.state.SeenBy(page(1), "byCounterArg") {
		t.Error("in the next round, what an earlier one found is not seen")
	}
}
