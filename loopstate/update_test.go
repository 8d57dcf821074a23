package loopstate

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/docid"
)

// studied returns a loop with a gap, a closed gap, two hits and one source.
func studied(t failer) *history {
	h := begin(t, StartInput{Query: "does it work", Gaps: gaps("no benchmarks found", "who pays")})
	h.find(2)
	h.read(page(1).URL)
	h.update(UpdateInput{AnsweredGaps: []string{"G2"}, Claims: []Claim{{Claim: "It works.", SourceIDs: []string{"S1"}}}})
	return h
}

// refusal checks the fields of an error that want has.
func refusal(t *testing.T, err error, want Error) {
	t.Helper()
	got, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("the error is %v, want an Error", err)
	}
	given := *got
	if want.Value == "" {
		given.Value = ""
	}
	if want.Text == "" {
		given.Text = ""
	}
	if want.Limit == 0 {
		given.Got, given.Limit = 0, 0
	}
	if want.Valid == nil {
		given.Valid = nil
	}
	if want.Max == 0 {
		given.Min, given.Max = 0, 0
	}
	if diff := cmp.Diff(want, given); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// refused is a row of a table of inputs that are refused.
type refused[In any] struct {
	name string
	in   In
	want Error
}

// refuses checks that a call refuses each input.
func refuses[In any](t *testing.T, rows []refused[In], call func(t *testing.T, in In) error) {
	t.Helper()
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) { refusal(t, call(t, tt.in), tt.want) })
	}
}

func TestUpdateRefuses(t *testing.T) {
	long := strings.Repeat("長", MaxTextChars+1)
	many := MaxItems + 1
	refuses(t, []refused[UpdateInput]{
		{"an id that was never minted", UpdateInput{AnsweredGaps: []string{"G1", "G99"}},
			Error{Code: CodeUnknownGap, Subject: "answered gaps[1]", Value: "G99"}},
		{"the same in lower case", UpdateInput{AnsweredGaps: []string{"g99"}}, Error{Code: CodeUnknownGap, Subject: "answered gaps[0]",
			Value: "g99"}},
		{"a source that was never read", UpdateInput{Claims: []Claim{{Claim: "It is fast.", SourceIDs: []string{"S1", "S7"}}}},
			Error{Code: CodeUnreadCited, Subject: "claims[0].sources", Value: "S7", Text: "It is fast."}},
		{"the same, of a long claim", UpdateInput{Claims: []Claim{{Claim: strings.Repeat("0123456789", 7),
			SourceIDs: []string{"S7"}}}}, Error{Code: CodeUnreadCited, Subject: "claims[0].sources", Value: "S7",
			Text: strings.Repeat("0123456789", 6) + "…"}},
		{"an address that nobody has read", UpdateInput{Claims: []Claim{{Claim: "c", SourceIDs: []string{page(99).URL}}}},
			Error{Code: CodeUnreadCited, Subject: "claims[0].sources", Value: page(99).URL}},
		{"an empty source id", UpdateInput{Claims: []Claim{{Claim: "c", SourceIDs: []string{""}}}},
			Error{Code: CodeUnreadCited, Subject: "claims[0].sources"}},
		{"a contradiction that cites what was never read",
			UpdateInput{Contradictions: []Contradiction{{Topic: "size", Why: "w", SourceIDs: []string{"S9"}}}},
			Error{Code: CodeUnreadCited, Subject: "contradictions[0].sources", Value: "S9", Text: "size"}},
		{"an empty claim", UpdateInput{Claims: []Claim{{Claim: " ", SourceIDs: []string{"S1"}}}},
			Error{Code: CodeEmpty, Subject: "claims[0].text"}},
		{"an empty topic", UpdateInput{Contradictions: []Contradiction{{Why: "w"}}},
			Error{Code: CodeEmpty, Subject: "contradictions[0].topic"}},
		{"an empty gap", UpdateInput{AnsweredGaps: []string{""}}, Error{Code: CodeEmpty, Subject: "answered gaps[0]"}},
		{"an empty failure", UpdateInput{Failures: []string{"a", ""}}, Error{Code: CodeEmpty, Subject: "failures[1]"}},
		{"an empty address", UpdateInput{VisitedURLs: []string{""}}, Error{Code: CodeEmpty, Subject: "visited[0]"}},
		{"an empty bad address", UpdateInput{BadURLs: []BadURL{{Reason: "404"}}}, Error{Code: CodeEmpty, Subject: "bad[0].address"}},
		{"a word for an address", UpdateInput{VisitedURLs: []string{"https://example.com/", "example"}},
			Error{Code: CodeNotAddress, Subject: "visited[1]", Value: "example"}},
		{"another scheme", UpdateInput{BadURLs: []BadURL{{URL: "ftp://example.com/a"}}},
			Error{Code: CodeNotAddress, Subject: "bad[0].address"}},
		{"a long query", UpdateInput{Query: long}, Error{Code: CodeTooLong, Subject: "query", Got: 8001, Limit: 8000}},
		{"a long channel", UpdateInput{Channel: strings.Repeat("x", 101)}, Error{Code: CodeTooLong, Subject: "channel", Got: 101,
			Limit: 100}},
		{"a long claim", UpdateInput{Claims: []Claim{{Claim: long, SourceIDs: []string{"S1"}}}},
			Error{Code: CodeTooLong, Subject: "claims[0].text"}},
		{"a long reason of a bad address", UpdateInput{BadURLs: []BadURL{{URL: "https://example.com/", Reason: long}}},
			Error{Code: CodeTooLong, Subject: "bad[0].reason"}},
		{"a long address", UpdateInput{VisitedURLs: []string{"https://example.com/" + strings.Repeat("x", MaxURLChars)}},
			Error{Code: CodeTooLong, Subject: "visited[0]", Got: 4116, Limit: 4096}},
		{"bytes that are no text", UpdateInput{Query: "\xff"}, Error{Code: CodeNotText, Subject: "query"}},
		{"a NUL", UpdateInput{Query: "a\x00b"}, Error{Code: CodeNotText, Subject: "query"}},
		{"too many hits", UpdateInput{Evidence: make([]Evidence, many)}, Error{Code: CodeTooMany, Subject: "evidence", Got: 1001,
			Limit: 1000}},
		{"too many claims", UpdateInput{Claims: make([]Claim, many)}, Error{Code: CodeTooMany, Subject: "claims"}},
		{"too many citations", UpdateInput{Claims: []Claim{{Claim: "c", SourceIDs: make([]string, many)}}},
			Error{Code: CodeTooMany, Subject: "claims[0].sources"}},
		{"too many contradictions", UpdateInput{Contradictions: make([]Contradiction, many)},
			Error{Code: CodeTooMany, Subject: "contradictions"}},
		{"negative tokens", UpdateInput{Usage: Usage{Tokens: -1}}, Error{Code: CodeOutOfRange, Subject: "usage.tokens", Value: "-1",
			Max: 1e12}},
		{"negative cost", UpdateInput{Usage: Usage{CostUSD: -0.01}}, Error{Code: CodeOutOfRange, Subject: "usage.cost", Value: "-0.01",
			Max: 1e12}},
		{"negative rounds", UpdateInput{ConfirmRounds: -1}, Error{Code: CodeOutOfRange, Subject: "confirmed rounds", Value: "-1",
			Max: 1000}},
	}, func(t *testing.T, in UpdateInput) error {
		h := studied(t)
		before := written(t, h.state)
		_, err := h.state.Update(in)
		if after := written(t, h.state); after != before {
			t.Errorf("the state changed (-before +after):\n%s", cmp.Diff(before, after))
		}
		return err
	})
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
		{"no address", hit(func(e *Evidence) { e.URL = "example" }),
			Rejected{"evidence[1]", "its url is not an http, https or file address, a doi: or an arxiv: id"}},
		{"another scheme", hit(func(e *Evidence) { e.URL = "javascript:alert(1)" }),
			Rejected{"evidence[1]", "its url is not an http, https or file address, a doi: or an arxiv: id"}},
		{"a long url", hit(func(e *Evidence) { e.URL = "https://example.com/" + strings.Repeat("x", MaxURLChars) }),
			Rejected{"evidence[1]", "its url is longer than 4096 characters"}},
		{"an unknown kind", hit(func(e *Evidence) { e.SourceType = "blog" }),
			Rejected{"evidence[1]", `unknown type of source "blog": use one of peer, primary, press, practitioner`}},
		{"another channel", UpdateInput{Channel: "local", Evidence: []Evidence{page(8), {Title: "t", URL: page(9).URL, Source: "arxiv"}}},
			Rejected{"evidence[1]", `its source is "arxiv", but the channel of the call is "local"`}},
		{"an unsourced claim", UpdateInput{Evidence: []Evidence{page(8)}, Claims: []Claim{{Claim: "I think so."}}},
			Rejected{"claims[0]", "it cites no source: a sentence without a source is an opinion; remove it, or find the source"}},
		{"a contradiction that nobody resolved", UpdateInput{Evidence: []Evidence{page(8)},
			Contradictions: []Contradiction{{Topic: "size", Resolution: " "}}},
			Rejected{"contradictions[0]", "it has neither a resolution nor a reason: resolve it, or state why it stays unresolved"}},
		{"a gap in words that nobody asked", UpdateInput{Evidence: []Evidence{page(8)}, AnsweredGaps: []string{"who cares"}},
			Rejected{"who cares", "no gap of this loop has this text; use the gap's id"}},
		{"a gap that was answered before", UpdateInput{Evidence: []Evidence{page(8)}, AnsweredGaps: []string{"G2"}},
			Rejected{"G2", "it was closed in round 1 as answered"}},
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

func TestUpdateRecords(t *testing.T) {
	h := studied(t)
	p, err := h.state.Update(UpdateInput{
		Query: " cost ", Channel: "arxiv",
		Evidence: []Evidence{
			{ID: "E77", Round: 7, Title: " A ", URL: " https://example.com/a?utm_source=x ",
				Snippet: strings.Repeat("s", MaxSnippetChars+1), PublishedAt: "2026-03",
				Authors: []string{"A. Author"}, DOI: "https://doi.org/10.1000/A"},
			{Title: "B", URL: "doi:10.1000/b", PublishedAt: "2026"},
			{Title: "C", URL: "file:///notes/my notes.md", PublishedAt: "2026-03-31", SourceType: "primary"},
		},
		VisitedURLs: []string{" https://example.com/v "}, BadURLs: []BadURL{{URL: "https://example.com/b"},
			{URL: "https://example.com/c", Reason: "404", Round: 9}},
		AnsweredGaps: []string{"g1", "G1", "No benchmarks FOUND!"},
		Claims: []Claim{{Claim: " It is fast. ", SourceIDs: []string{"S1"}, Confidence: "high"},
			{Claim: "it is fast", SourceIDs: []string{"S1"}}, {Claim: "It works!", SourceIDs: []string{"S1"}}},
		Contradictions: []Contradiction{{Topic: "size", Resolution: "the newer one is right", SourceIDs: []string{"S1"}},
			{Topic: "cost", Why: "no data"}},
		Failures: []string{" one-sided "}, Usage: Usage{CostUSD: 0.1, Tokens: 5}, ConfirmRounds: 9,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := Updated{
		Query: "cost", Channel: "arxiv",
		Evidence: []Evidence{
			{ID: "E3", Title: "A", URL: "https://example.com/a?utm_source=x", Snippet: strings.Repeat("s", MaxSnippetChars) + "…",
				Source: "arxiv", PublishedAt: "2026-03", Authors: []string{"A. Author"}, DOI: "10.1000/a", Round: 1},
			{ID: "E4", Title: "B", URL: "doi:10.1000/b", Source: "arxiv", PublishedAt: "2026", Round: 1},
			{ID: "E5", Title: "C", URL: "file:///notes/my notes.md", Source: "arxiv", PublishedAt: "2026-03-31", SourceType: "primary",
				Round: 1},
		},
		Visited: []string{"https://example.com/v"}, Bad: []BadURL{{URL: "https://example.com/b", Reason: "reported by the host"},
			{URL: "https://example.com/c", Reason: "404"}},
		Answered: []string{"G1"},
		Claims:   []Claim{{ID: "C2", Claim: "It is fast.", SourceIDs: []string{"S1"}, Confidence: "high", Round: 1}},
		Contradictions: []Contradiction{{ID: "X1", Topic: "size", Resolution: "the newer one is right", SourceIDs: []string{"S1"},
			Round: 1}, {ID: "X2", Topic: "cost", Why: "no data", SourceIDs: []string{}, Round: 1}},
		Failures: []string{"one-sided"}, Usage: Usage{CostUSD: 0.1, Tokens: 5}, ConfirmRounds: 9, KnownClaims: []string{"C2", "C1"},
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
		{"a DOI in the address and one in the field", at("https://www.nature.com/10.1038/x/full", ""),
			at("https://b.example/2", "doi:10.1038/X"), true},
		{"a DOI in the address of any host", at("https://evil.example/10.1038/x/full", ""), at("https://b.example/2", "doi:10.1038/X"),
			false},
		{"one address, once with its DOI", at("https://a.example/1", "10.1000/x"), at("https://a.example/1", ""), true},
		{"one address, then with its DOI", at("https://a.example/1", ""), at("https://a.example/1", "10.1000/x"), true},
		{"two DOIs", at("https://a.example/1", "10.1000/x"), at("https://a.example/2", "10.1000/y"), false},
		{"a preprint's versions", at("https://arxiv.org/abs/1706.03762v1", ""), at("https://doi.org/10.48550/arXiv.1706.03762", ""), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := Updated{Evidence: []Evidence{{ID: "E2", Title: "t", URL: tt.then.URL, DOI: docid.NormalizeDOI(tt.then.DOI), Round: 1}}}
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
	refusal(t, update, Error{Code: CodeAborted, Subject: "loop", Value: "changed my mind"})
	_, _, gap := h.state.AddGap(GapInput{Gap: "a"})
	_, closed := h.state.Close(CloseInput{})
	_, search := h.state.Search(Search{Query: "q"}, nil)
	_, read := h.state.Read(nil, nil)
	for _, err := range []error{gap, closed, search, read} {
		refusal(t, err, Error{Code: CodeAborted, Subject: "loop", Value: "changed my mind"})
	}
}

func TestEmptyUpdate(t *testing.T) {
	p, err := begin(t, StartInput{}).state.Update(UpdateInput{Query: "  ", Channel: "\t", Abort: " "})
	if err != nil || !p.Empty() {
		t.Errorf("white space is %s, %v; want an empty update", compact(p), err)
	}
	for _, in := range []UpdateInput{{Query: "q"}, {Channel: "c"}, {Evidence: []Evidence{page(1)}}, {VisitedURLs: []string{page(1).URL}},
		{BadURLs: []BadURL{{URL: page(1).URL}}},
		{Failures: []string{"f"}}, {Usage: Usage{Tokens: 1}}, {Usage: Usage{CostUSD: 1}}, {Abort: "a"}, {ConfirmRounds: 1},
		{Contradictions: []Contradiction{{Topic: "t", Why: "w"}}}} {
		p, err := begin(t, StartInput{}).state.Update(in)
		if err != nil || p.Empty() {
			t.Errorf("%s is taken for nothing, %v", compact(in), err)
		}
	}
}

// Reporting the hits of a logged search does not count as a second search.
func TestUpdateAfterSearchIsOneSearch(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	h.search("No benchmarks found", page(1), page(2))
	h.update(UpdateInput{Query: "no benchmarks found", Evidence: []Evidence{page(1), page(2)}})
	if n := len(h.state.Searches); n != 1 {
		t.Errorf("one search is %d in the log", n)
	}
	h.close(CloseInput{})
	h.update(UpdateInput{Query: "no benchmarks found", Evidence: []Evidence{page(3), page(1)}})
	want := Search{Round: 2, At: h.now, Query: "no benchmarks found", New: 1,
		Channels: []SearchOutcome{{Channel: "local", Status: "reported", Count: 2}}}
	if diff := cmp.Diff(want, h.state.Searches[len(h.state.Searches)-1]); diff != "" {
		t.Errorf("a search of the next round (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"No benchmarks found"}, h.state.Questions); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
}

// A hit with an invalid date is kept without it.
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

// What says that nobody aborts does not abort, in any words. What says anything else is the user's reason.
func TestDeclines(t *testing.T) {
	for _, reason := range []string{"no", "No.", "n/a", "false", "do not", "", "  ", "-", "keep going", "Keep going!", "continue",
		"please continue the research", "go on", "don't abort", "don’t stop", "Do not stop the loop before it is done",
		"the user does not want to stop", "should not be aborted", "There is no reason to abort", "never abort this", "without aborting",
		"No, the user wants to continue with the second part", "not requested by the user", "the user has not asked to stop",
		"not applicable at this time", "not yet, there are open gaps", "carry on until the end", "Continue until the budget ends",
		"user said no", "nicht abbrechen", "bitte weiter machen", "不要停止", "请继续", "继续", "нет", "N", "NaN",
		`[""]`, "nein", "否", "false (default)", "None given"} {
		if !declines(reason) {
			t.Errorf("%q aborts", reason)
		}
	}
	for _, reason := range []string{"enough", "by the user", "changed my mind", "stop", "The user wants to stop", "stop, do not continue",
		"the user lost interest", "out of budget", "Cancelled by the user; he will continue in another tool", "stopped by the user",
		"停止", "用户离开了", "der Nutzer möchte abbrechen"} {
		if declines(reason) {
			t.Errorf("%q does not abort", reason)
		}
	}
}
