package loopstate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// studied is a loop with a gap, a closed gap, two hits and one source.
func studied(t failer) *history {
	h := begin(t, StartInput{Query: "does it work", Gaps: gaps("no benchmarks found", "who pays")})
	h.find(2)
	h.read(page(1).URL)
	h.update(UpdateInput{AnsweredGaps: []string{"G2"}, Claims: []ClaimInput{{Claim: "It works.", SourceIDs: []string{"S1"}}}})
	return h
}

// refusal checks that an error is for the caller, reads as it should, and left the state alone.
func refusal(t *testing.T, err error, argument, text string) {
	t.Helper()
	bad, ok := errors.AsType[*ArgumentError](err)
	if !ok {
		t.Fatalf("the error is %v, want an ArgumentError", err)
	}
	if bad.Argument != argument || bad.Problem == "" || bad.Next == "" {
		t.Errorf("the error names the argument %q, the problem %q and the next step %q; the argument should be %q", bad.Argument, bad.Problem, bad.Next, argument)
	}
	if !strings.Contains(bad.Error(), text) {
		t.Errorf("the error reads\n  %s\nand lacks\n  %s", bad, text)
	}
}

func TestUpdateRefuses(t *testing.T) {
	long := strings.Repeat("長", MaxTextChars+1)
	many := MaxItems + 1
	tests := []struct {
		name     string
		in       UpdateInput
		argument string
		text     string
	}{
		{"an id that was never minted", UpdateInput{AnsweredGaps: []string{"G1", "G99"}}, "answered_gaps[1]",
			"answered_gaps[1]: there is no gap G99 in this loop. Call loop_get_gaps for the ids of this loop's gaps."},
		{"the same in lower case", UpdateInput{AnsweredGaps: []string{"g99"}}, "answered_gaps[0]", "there is no gap g99 in this loop"},
		{"a source that was never read", UpdateInput{Claims: []ClaimInput{{Claim: "It is fast.", SourceIDs: []string{"S1", "S7"}}}}, "claims[0].source_ids",
			`claims[0].source_ids: HALLUCINATED CITATION in "It is fast.": "S7" was never read in this loop. Fetch the page with this state_id and cite the source_id that fetch answers.`},
		{"the same, of a long claim", UpdateInput{Claims: []ClaimInput{{Claim: strings.Repeat("0123456789", 7), SourceIDs: []string{"S7"}}}}, "claims[0].source_ids",
			`HALLUCINATED CITATION in "` + strings.Repeat("0123456789", 6) + `…": "S7" was never read`},
		{"an address in place of an id", UpdateInput{Claims: []ClaimInput{{Claim: "c", SourceIDs: []string{page(1).URL}}}}, "claims[0].source_ids", "HALLUCINATED CITATION"},
		{"an empty source id", UpdateInput{Claims: []ClaimInput{{Claim: "c", SourceIDs: []string{""}}}}, "claims[0].source_ids", "HALLUCINATED CITATION"},
		{"a contradiction that cites what was never read", UpdateInput{Contradictions: []ContradictionInput{{Topic: "size", Why: "w", SourceIDs: []string{"S9"}}}}, "contradictions[0].source_ids", `HALLUCINATED CITATION in "size": "S9"`},
		{"an empty claim", UpdateInput{Claims: []ClaimInput{{Claim: " ", SourceIDs: []string{"S1"}}}}, "claims[0].claim", "claims[0].claim: is empty. Give it a text or leave it out."},
		{"an empty topic", UpdateInput{Contradictions: []ContradictionInput{{Why: "w"}}}, "contradictions[0].topic", "is empty"},
		{"an empty gap", UpdateInput{AnsweredGaps: []string{""}}, "answered_gaps[0]", "is empty"},
		{"an empty failure", UpdateInput{Failures: []string{"a", ""}}, "evaluator_failures[1]", "is empty"},
		{"an empty address", UpdateInput{VisitedURLs: []string{""}}, "visited_urls[0]", "is empty"},
		{"an empty bad address", UpdateInput{BadURLs: []BadURL{{Reason: "404"}}}, "bad_urls[0].url", "is empty"},
		{"a word for an address", UpdateInput{VisitedURLs: []string{"https://example.com/", "example"}}, "visited_urls[1]",
			`visited_urls[1]: "example" is not an address. Give a full http, https or file address.`},
		{"another scheme", UpdateInput{BadURLs: []BadURL{{URL: "ftp://example.com/a"}}}, "bad_urls[0].url", "is not an address"},
		{"a long query", UpdateInput{Query: long}, "query", "query: has 8001 characters, at most 8000 are taken. Shorten it."},
		{"a long channel", UpdateInput{Channel: strings.Repeat("x", 101)}, "channel", "has 101 characters, at most 100 are taken"},
		{"a long claim", UpdateInput{Claims: []ClaimInput{{Claim: long, SourceIDs: []string{"S1"}}}}, "claims[0].claim", "has 8001 characters"},
		{"a long failure", UpdateInput{Failures: []string{long}}, "evaluator_failures[0]", "has 8001 characters"},
		{"a long reason to abort", UpdateInput{Abort: long}, "abort", "has 8001 characters"},
		{"a long reason of a bad address", UpdateInput{BadURLs: []BadURL{{URL: "https://example.com/", Reason: long}}}, "bad_urls[0].reason", "has 8001 characters"},
		{"a long address", UpdateInput{VisitedURLs: []string{"https://example.com/" + strings.Repeat("x", MaxURLChars)}}, "visited_urls[0]", "at most 4096 are taken"},
		{"bytes that are no text", UpdateInput{Query: "\xff"}, "query", "query: is not valid UTF-8, or holds a NUL. Send plain text."},
		{"a NUL", UpdateInput{Query: "a\x00b"}, "query", "query: is not valid UTF-8, or holds a NUL. Send plain text."},
		{"too many hits", UpdateInput{Evidence: make([]Evidence, many)}, "evidence", "evidence: has 1001 items, at most 1000 are taken in one call. Send it in several calls."},
		{"too many addresses", UpdateInput{VisitedURLs: make([]string, many)}, "visited_urls", "has 1001 items"},
		{"too many bad addresses", UpdateInput{BadURLs: make([]BadURL, many)}, "bad_urls", "has 1001 items"},
		{"too many gaps", UpdateInput{AnsweredGaps: make([]string, many)}, "answered_gaps", "has 1001 items"},
		{"too many claims", UpdateInput{Claims: make([]ClaimInput, many)}, "claims", "has 1001 items"},
		{"too many citations", UpdateInput{Claims: []ClaimInput{{Claim: "c", SourceIDs: make([]string, many)}}}, "claims[0].source_ids", "has 1001 items"},
		{"too many contradictions", UpdateInput{Contradictions: make([]ContradictionInput, many)}, "contradictions", "has 1001 items"},
		{"too many failures", UpdateInput{Failures: make([]string, many)}, "evaluator_failures", "has 1001 items"},
		{"negative tokens", UpdateInput{Usage: Usage{Tokens: -1}}, "usage", "usage: cost_usd 0, tokens -1 is not a cost. Report what this call cost, not a running total."},
		{"negative cost", UpdateInput{Usage: Usage{CostUSD: -0.01}}, "usage", "is not a cost"},
		{"more tokens than there are", UpdateInput{Usage: Usage{Tokens: 2e12}}, "usage", "is not a cost"},
		{"negative rounds", UpdateInput{ConfirmRounds: -1}, "confirm_rounds", "confirm_rounds: -1 is not a number of rounds. Give the whole number of rounds that the user confirmed."},
		{"endless rounds", UpdateInput{ConfirmRounds: 1001}, "confirm_rounds", "1001 is not a number of rounds"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := studied(t)
			before := written(t, h.state)
			_, err := h.state.Update(tt.in)
			refusal(t, err, tt.argument, tt.text)
			if after := written(t, h.state); after != before {
				t.Errorf("the state changed (-before +after):\n%s", cmp.Diff(before, after))
			}
		})
	}
}

func TestUpdateRejectsSingleItems(t *testing.T) {
	hit := func(change func(e *Evidence)) UpdateInput {
		e := page(9)
		change(&e)
		return UpdateInput{Evidence: []Evidence{page(8), e}}
	}
	tests := []struct {
		name string
		in   UpdateInput
		want Rejected
	}{
		{"no title", hit(func(e *Evidence) { e.Title = " " }), Rejected{"evidence[1]", "it has no title"}},
		{"no url", hit(func(e *Evidence) { e.URL = "" }), Rejected{"evidence[1]", "it has no url"}},
		{"no address", hit(func(e *Evidence) { e.URL = "example" }), Rejected{"evidence[1]", "its url is not an http, https or file address, a doi: or an arxiv: id"}},
		{"another scheme", hit(func(e *Evidence) { e.URL = "javascript:alert(1)" }), Rejected{"evidence[1]", "its url is not an http, https or file address, a doi: or an arxiv: id"}},
		{"a long url", hit(func(e *Evidence) { e.URL = "https://example.com/" + strings.Repeat("x", MaxURLChars) }), Rejected{"evidence[1]", "its url is longer than 4096 characters"}},
		{"an unknown kind", hit(func(e *Evidence) { e.SourceType = "blog" }), Rejected{"evidence[1]", `its source_type "blog" is none of peer, primary, press, practitioner`}},
		{"a long source", hit(func(e *Evidence) { e.Source = strings.Repeat("x", 101) }), Rejected{"evidence[1]", "its source is longer than 100 characters"}},
		{"a long language", hit(func(e *Evidence) { e.Language = strings.Repeat("x", 36) }), Rejected{"evidence[1]", "its language is longer than 35 characters; a tag such as en or pt-BR is meant"}},
		{"an unsourced claim", UpdateInput{Evidence: []Evidence{page(8)}, Claims: []ClaimInput{{Claim: "I think so."}}},
			Rejected{"claims[0]", "it cites no source_ids: an unsourced sentence is an opinion; cut it, or find the source"}},
		{"a contradiction that nobody resolved", UpdateInput{Evidence: []Evidence{page(8)}, Contradictions: []ContradictionInput{{Topic: "size", Resolution: " "}}},
			Rejected{"contradictions[0]", "it has neither a resolution nor a why: resolve it, or say why it stays unresolved"}},
		{"a gap in words that nobody asked", UpdateInput{Evidence: []Evidence{page(8)}, AnsweredGaps: []string{"who cares"}},
			Rejected{"who cares", "no gap of this loop reads like this; use the gap_id that loop_get_gaps answers"}},
		{"a gap that was answered before", UpdateInput{Evidence: []Evidence{page(8)}, AnsweredGaps: []string{"G2"}}, Rejected{"G2", "it was closed in round 1 as answered"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := studied(t)
			p, err := h.state.Update(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]Rejected{tt.want}, p.Rejected); diff != "" {
				t.Errorf("rejected (-want +got):\n%s", diff)
			}
			if len(p.Evidence) != 1 || p.Evidence[0].ID != "E3" || len(p.Claims)+len(p.Contradictions)+len(p.Answered) != 0 {
				t.Errorf("the good hit alone should be kept: %s", compact(p))
			}
		})
	}
}

func TestUpdateChannel(t *testing.T) {
	from := func(source string) []Evidence {
		return []Evidence{{Title: "t", URL: "https://example.com/", Source: source}}
	}
	tests := []struct {
		name, channel, source, want string // want is the kept source, or why there is none
	}{
		{"the same", "arxiv", "arxiv", "arxiv"},
		{"the hit names none", "arxiv", "", "arxiv"},
		{"the call names none", "", "arxiv", "arxiv"},
		{"nobody names one", "", "", ""},
		{"white space", " arxiv ", "arxiv", "arxiv"},
		{"white space, and the hit names none", " arxiv ", "", "arxiv"},
		{"another one", "arxiv", "crossref", `its source is "crossref", but the call says channel "arxiv"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := begin(t, StartInput{}).state.Update(UpdateInput{Channel: tt.channel, Evidence: from(tt.source)})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, e := range p.Evidence {
				got = e.Source
			}
			for _, r := range p.Rejected {
				got = r.Why
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestUpdateTakes(t *testing.T) {
	h := studied(t)
	p, err := h.state.Update(UpdateInput{
		Query: " cost ", Channel: "arxiv",
		Evidence: []Evidence{
			{ID: "E77", Round: 7, Title: " A ", URL: " https://example.com/a?utm_source=x ", Snippet: strings.Repeat("s", MaxSnippetChars+1), PublishedAt: "2026-03", Authors: slices.Repeat([]string{"A. Author"}, 1001), DOI: "https://doi.org/10.1000/A"},
			{Title: "B", URL: "doi:10.1000/b", PublishedAt: "2026"},
			{Title: "C", URL: "file:///notes/my notes.md", PublishedAt: "2026-03-31", SourceType: "primary"},
		},
		VisitedURLs: []string{" https://example.com/v "}, BadURLs: []BadURL{{URL: "https://example.com/b"}, {URL: "https://example.com/c", Reason: "404", Round: 9}},
		AnsweredGaps:   []string{"g1", "G1", "No benchmarks FOUND!"},
		Claims:         []ClaimInput{{Claim: " It is fast. ", SourceIDs: []string{"S1"}, Confidence: "high"}, {Claim: "it is fast", SourceIDs: []string{"S1"}}, {Claim: "It works!", SourceIDs: []string{"S1"}}},
		Contradictions: []ContradictionInput{{Topic: "size", Resolution: "the newer one is right", SourceIDs: []string{"S1"}}, {Topic: "cost", Why: "no data"}},
		Failures:       []string{" one-sided "}, Usage: Usage{CostUSD: 0.1, Tokens: 5}, ConfirmRounds: 9,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := Updated{
		Query: "cost", Channel: "arxiv",
		Evidence: []Evidence{
			{ID: "E3", Title: "A", URL: "https://example.com/a?utm_source=x", Snippet: strings.Repeat("s", MaxSnippetChars) + "…", Source: "arxiv", PublishedAt: "2026-03", Authors: slices.Repeat([]string{"A. Author"}, 1000), DOI: "10.1000/a", Round: 1},
			{ID: "E4", Title: "B", URL: "doi:10.1000/b", Source: "arxiv", PublishedAt: "2026", Round: 1},
			{ID: "E5", Title: "C", URL: "file:///notes/my notes.md", Source: "arxiv", PublishedAt: "2026-03-31", SourceType: "primary", Round: 1},
		},
		Visited: []string{"https://example.com/v"}, Bad: []BadURL{{URL: "https://example.com/b", Reason: "reported by the host"}, {URL: "https://example.com/c", Reason: "404"}},
		Answered:       []string{"G1"},
		Claims:         []Claim{{ID: "C2", Claim: "It is fast.", SourceIDs: []string{"S1"}, Confidence: "high", Round: 1}},
		Contradictions: []Contradiction{{ID: "X1", Topic: "size", Resolution: "the newer one is right", SourceIDs: []string{"S1"}, Round: 1}, {ID: "X2", Topic: "cost", Why: "no data", SourceIDs: []string{}, Round: 1}},
		Failures:       []string{"one-sided"}, Usage: Usage{CostUSD: 0.1, Tokens: 5}, ConfirmRounds: 9,
	}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUpdateDuplicates(t *testing.T) {
	at := func(url, doi string) Evidence { return Evidence{Title: "t", URL: url, DOI: doi} }
	tests := []struct {
		name        string
		first, then Evidence
		duplicate   bool
	}{
		{"another spelling", at("https://www.example.com/a/?utm_source=x", ""), at("http://example.com/a#top", ""), true},
		{"another parameter", at("https://example.com/watch?v=A", ""), at("https://example.com/watch?v=B", ""), false},
		{"one DOI on two hosts", at("https://a.example/1", "10.1000/X"), at("https://b.example/2", "10.1000/x"), true},
		{"a DOI in the address and one in the field", at("https://publisher.example/10.1000/x/full", ""), at("https://b.example/2", "doi:10.1000/X"), true},
		{"one address, once with its DOI", at("https://a.example/1", "10.1000/x"), at("https://a.example/1", ""), true},
		{"one address, then with its DOI", at("https://a.example/1", ""), at("https://a.example/1", "10.1000/x"), true},
		{"two DOIs", at("https://a.example/1", "10.1000/x"), at("https://a.example/2", "10.1000/y"), false},
		{"a preprint's versions", at("https://arxiv.org/abs/1706.03762v1", ""), at("https://doi.org/10.48550/arXiv.1706.03762", ""), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := Updated{Evidence: []Evidence{{ID: "E2", Title: "t", URL: tt.then.URL, DOI: NormalizeDOI(tt.then.DOI), Round: 1}}}
			if tt.duplicate {
				want = Updated{Duplicates: []string{tt.then.URL}}
			}
			h := begin(t, StartInput{})
			h.update(UpdateInput{Evidence: []Evidence{tt.first}})
			p, err := h.state.Update(UpdateInput{Evidence: []Evidence{tt.then}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.Evidence, p.Evidence); diff != "" {
				t.Errorf("in a later call (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(want.Duplicates, p.Duplicates); diff != "" {
				t.Errorf("duplicates in a later call (-want +got):\n%s", diff)
			}
			if p, err = begin(t, StartInput{}).state.Update(UpdateInput{Evidence: []Evidence{tt.first, tt.then}}); err != nil {
				t.Fatal(err)
			}
			if got := len(p.Duplicates) == 1 && len(p.Evidence) == 1; got != tt.duplicate {
				t.Errorf("in one call: %s", compact(p))
			}
		})
	}
}

func TestUpdateOfAnAbortedLoop(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	h.update(UpdateInput{Abort: "changed my mind"})
	_, update := h.state.Update(UpdateInput{Query: "more"})
	refusal(t, update, "state_id", "state_id: this loop was aborted: changed my mind. Start a new loop with loop_init; this one can still be read and reported.")
	_, _, gap := h.state.AddGap(GapInput{Gap: "a"})
	_, closed := h.state.Close(CloseInput{})
	_, search := h.state.Search(SearchInput{Query: "q"})
	_, read := h.state.Read(nil, nil)
	for _, err := range []error{gap, closed, search, read} {
		refusal(t, err, "state_id", "this loop was aborted: changed my mind. Start a new loop with loop_init.")
	}
}

func TestEmptyUpdate(t *testing.T) {
	p, err := begin(t, StartInput{}).state.Update(UpdateInput{Query: "  ", Channel: "\t", Abort: " "})
	if err != nil || !p.Empty() {
		t.Errorf("white space is %s, %v; want an empty update", compact(p), err)
	}
	for _, in := range []UpdateInput{{Query: "q"}, {Channel: "c"}, {Evidence: []Evidence{page(1)}}, {VisitedURLs: []string{page(1).URL}}, {BadURLs: []BadURL{{URL: page(1).URL}}},
		{Failures: []string{"f"}}, {Usage: Usage{Tokens: 1}}, {Usage: Usage{CostUSD: 1}}, {Abort: "a"}, {ConfirmRounds: 1}, {Contradictions: []ContradictionInput{{Topic: "t", Why: "w"}}}} {
		p, err := begin(t, StartInput{}).state.Update(in)
		if err != nil || p.Empty() {
			t.Errorf("%s is taken for nothing, %v", compact(in), err)
		}
	}
}

// A host that hands the hits of run_channel to loop_update, as the seed's script does, searched once.
func TestUpdateAfterSearchIsOneSearch(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	h.search("No benchmarks found", page(1), page(2))
	h.update(UpdateInput{Query: "no benchmarks found", Evidence: []Evidence{page(1), page(2)}})
	if n := len(h.state.Searches); n != 1 {
		t.Errorf("one search is %d in the log", n)
	}
	h.close(CloseInput{})
	h.update(UpdateInput{Query: "no benchmarks found", Evidence: []Evidence{page(3), page(1)}})
	want := Search{Round: 2, At: h.now, Query: "no benchmarks found", New: 1, Channels: []SearchOutcome{{Channel: "local", Status: "reported", Count: 2}}}
	if diff := cmp.Diff(want, h.state.Searches[len(h.state.Searches)-1]); diff != "" {
		t.Errorf("a search of the next round (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"No benchmarks found"}, h.state.Questions); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
}

func TestUsageAddsUp(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	h.update(UpdateInput{Usage: Usage{CostUSD: 0.25, Tokens: 100}})
	h.close(CloseInput{})
	h.update(UpdateInput{Usage: Usage{CostUSD: 0.5, Tokens: 10}})
	if got, want := fmt.Sprint(h.state.Usage, h.state.Rounds[0].Usage, h.state.Open.Usage), "{0.75 110} {0.25 100} {0.5 10}"; got != want {
		t.Errorf("the loop, the first round, the one under way: %s, want %s", got, want)
	}
}

// A hit is not lost for its date; what cannot be read as one is left out.
func TestUpdateReadsPublicationDates(t *testing.T) {
	tests := map[string]string{"2024": "2024", "2024-03": "2024-03", "2024-03-01": "2024-03-01", " 2024-03-01T09:00:00Z ": "2024-03-01",
		"2026-02-30": "2026-02", "last March": "", "20240301": "", "": "", "2024-13": "2024"}
	for in, want := range tests {
		e := page(1)
		e.PublishedAt = in
		p, err := begin(t, StartInput{}).state.Update(UpdateInput{Evidence: []Evidence{e}})
		if err != nil || len(p.Evidence) != 1 {
			t.Fatalf("%q: %+v, %v", in, p, err)
		}
		if got := p.Evidence[0].PublishedAt; got != want {
			t.Errorf("%q is read as %q, want %q", in, got, want)
		}
	}
}
