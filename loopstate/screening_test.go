package loopstate

import (
	"strings"
	"testing"
)

// Decisions name a record by any of its names; the same person's later one at a stage replaces the earlier one.
func TestScreening(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	h.update(UpdateInput{Query: "otters", Channel: "pubmed", Evidence: []Evidence{
		{Title: "Otters at sea", URL: "https://a.example/otters", DOI: "10.1000/otters"},
		{Title: "Seals", URL: "https://a.example/seals"},
		{Title: "Otters at sea", URL: "https://a.example/otters", DOI: "10.1000/otters"},
	}})
	if h.state.Identified["pubmed"] != 3 || len(h.state.Evidence) != 2 {
		t.Fatalf("identified %v of %d hits", h.state.Identified, len(h.state.Evidence))
	}
	tests := []struct {
		name     string
		in       Screened
		record   string
		rejected string
	}{
		{"by id", Screened{Record: "e1", Decision: Include}, "E1", ""},
		{"by DOI", Screened{Record: "10.1000/OTTERS", Stage: StageFullText, Decision: Include, By: "Ada"}, "E1", ""},
		{"by address", Screened{Record: "https://a.example/seals", Decision: Exclude, Reason: "no otters"}, "E2", ""},
		{"again, the other way", Screened{Record: "https://a.example/seals", Decision: Include}, "E2", ""},
		{"by another person", Screened{Record: "E2", Decision: Exclude, Reason: "no otters", By: "Ada"}, "E2", ""},
		{"unknown", Screened{Record: "https://a.example/whales", Decision: Include}, "", "no hit or source"},
		{"an exclusion without a reason", Screened{Record: "E1", Decision: Exclude}, "", "needs a reason"},
		{"no decision", Screened{Record: "E1"}, "", "no decision"},
	}
	for _, tt := range tests {
		p, err := h.state.Update(UpdateInput{Screening: []Screened{tt.in}})
		switch {
		case err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.rejected != "" && (len(p.Rejected) != 1 || !strings.Contains(p.Rejected[0].Why, tt.rejected) || len(p.Screened) > 0):
			t.Errorf("%s: rejected %v", tt.name, p.Rejected)
		case tt.rejected == "" && (len(p.Screened) != 1 || p.Screened[0].Record != tt.record):
			t.Errorf("%s: %+v, %v", tt.name, p.Screened, p.Rejected)
		case tt.rejected == "":
			h.must(p, nil)
		}
	}
	if n := len(h.state.Screening); n != 4 || h.state.Screening[3].At.IsZero() {
		t.Errorf("%d decisions, want 4: %+v", n, h.state.Screening)
	}
	_, err := h.state.Update(UpdateInput{Screening: []Screened{{Record: "E1", Decision: "maybe"}}})
	refusal(t, err, Error{Code: CodeUnknownValue, Subject: "screening[0].decision", Value: "maybe"})
}

// A claim fills a cell with its own words only, whether it is new or known.
func TestCells(t *testing.T) {
	h := studied(t)
	claim := func(field, subject, value string) ClaimInput {
		return ClaimInput{Claim: "It works.", SourceIDs: []string{"S1"}, Field: field, Subject: subject, Value: value}
	}
	tests := []struct {
		name  string
		in    ClaimInput
		cells int
		why   string
	}{
		{"no field", claim("", "A", ""), 0, "needs the field"},
		{"other words", claim("effect", "A", "fails"), 0, "does not say the value"},
		{"its words", claim("effect", "A", "works"), 1, ""},
		{"the same", claim("effect", "A", "works"), 1, ""},
		{"another value of the cell", claim("effect", "A", ""), 1, ""},
		{"another row", claim("effect", "B", ""), 2, ""},
	}
	for _, tt := range tests {
		p, err := h.state.Update(UpdateInput{Claims: []ClaimInput{tt.in}})
		if err != nil || (tt.why == "") != (len(p.Rejected) == 0) || tt.why != "" && !strings.Contains(p.Rejected[0].Why, tt.why) {
			t.Errorf("%s: %v, rejected %v", tt.name, err, p.Rejected)
		}
		h.must(p, nil)
		if len(h.state.Cells) != tt.cells {
			t.Errorf("%s: cells %v, want %d", tt.name, h.state.Cells, tt.cells)
		}
	}
}
