package prisma

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

// reviewed is a review of 6 hits of 10 records: one excluded by its title, one not retrieved, one read but not assessed, one excluded
// in full text, one included, one not screened; and a source that no search found.
func reviewed() *loopstate.State {
	page := func(n int) string { return fmt.Sprintf("https://example.com/%d", n) }
	st := &loopstate.State{Identified: map[string]int{"pubmed": 7, "arxiv": 3}, Unfit: 1}
	for n := 1; n <= 6; n++ {
		st.Evidence = append(st.Evidence, loopstate.Evidence{ID: fmt.Sprintf("E%d", n), Title: fmt.Sprintf("Title <%d>", n), URL: page(n)})
	}
	st.Sources = []loopstate.Source{{ID: "S1", URL: page(3), FinalURL: page(3)}, {ID: "S2", URL: page(99), FinalURL: page(99)}}
	st.Bad = []loopstate.BadURL{{URL: page(2), Reason: "403"}}
	decide := func(record, stage, decision, reason, by string) {
		st.Screening = append(st.Screening, loopstate.Screened{Record: record, Stage: stage, Decision: decision, Reason: reason, By: by})
	}
	decide("E1", loopstate.StageTitle, loopstate.Exclude, "off topic", "")
	decide("E2", loopstate.StageTitle, loopstate.Include, "", "")
	decide("S1", loopstate.StageTitle, loopstate.Include, "", "") // which E3 led to
	decide("E4", loopstate.StageTitle, loopstate.Exclude, "off topic", "Ada")
	decide("E4", loopstate.StageTitle, loopstate.Include, "", "Ben")
	decide("E4", loopstate.StageFullText, loopstate.Exclude, "no control group", "Ada")
	decide("E5", loopstate.StageFullText, loopstate.Include, "", "Ada")
	decide("S2", loopstate.StageFullText, loopstate.Include, "", "Ada")
	data, _ := st.MarshalSnapshot()
	st, _ = loopstate.UnmarshalSnapshot(data)
	return st
}

func TestCounts(t *testing.T) {
	st := reviewed()
	r := Of(st)
	want := Column{Records: 6, Screened: 5, Excluded: []Count{{"off topic", 1}}, Sought: 4, NotRetrieved: 1, Assessed: 2, Rejected: []Count{{"no control group", 1}}, Included: 1, ToAssess: 1}
	if diff := cmp.Diff(want, r.Databases); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Column{Records: 1, Screened: 1, Excluded: []Count{}, Sought: 1, Assessed: 1, Rejected: []Count{}, Included: 1}, r.Other); diff != "" {
		t.Errorf("other (-want +got):\n%s", diff)
	}
	if r.Duplicates != 3 || r.Unfit != 1 || Sum(r.Identified) != 10 || r.Disagreements != 1 {
		t.Errorf("duplicates %d, unfit %d, identified %v, disagreements %d", r.Duplicates, r.Unfit, r.Identified, r.Disagreements)
	}
	if got := r.Pending(); got != "1 record not screened; 1 record read, but not assessed in full text" {
		t.Errorf("pending: %s", got)
	}
	if diff := cmp.Diff([]string{"E5", "S2"}, Included(st)); diff != "" {
		t.Errorf("included (-want +got):\n%s", diff)
	}
	if Of(&loopstate.State{}) != nil {
		t.Error("a loop without decisions has a review")
	}
}

func TestFlow(t *testing.T) {
	st := reviewed()
	st.Identified["a channel whose name is longer than a line of the drawing"] = 2
	svg := Of(st).Flow().SVG()
	for _, want := range []string{"a channel whose name is longer than a line of<", "the drawing (n = 2)<", "Records identified (n = 12)", "duplicates (n = 5)", "Records screened (n = 6)", "Reports not retrieved (n = 1)", "no control group (n = 1)", "Studies included in review (n = 2)"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the drawing lacks %q", want)
		}
	}
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
