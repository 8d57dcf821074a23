package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/loopstate"
)

// reviewed returns a document with sentences that a subagent found supported.
func reviewed(supported int, others ...Sentence) Document {
	d := Document{StateID: "x", Query: "How long is it?", Groundedness: 0.9, Threshold: 0.8, GeneratedAt: written, Verdict: "pass"}
	for i := range supported {
		d.Sentences = append(d.Sentences, read(Sentence{Text: fmt.Sprintf("Reading %d holds", i)}, fmt.Sprintf("R1-%d", i+1), loopstate.AnswerSupported, "the words"))
	}
	d.Sentences = append(d.Sentences, others...)
	return d
}

// batch returns a closed batch with a reader's answer to one planted error.
func batch(id, status, name string, caught, planted int) loopstate.Review {
	return loopstate.Review{Batch: id, Status: status, OpenedAt: written, ClosedAt: written.Add(time.Hour), Readers: []loopstate.Reader{{Kind: "endpoint", Name: name}},
		Items:   []loopstate.ReviewItem{{Item: id + "-1", Role: loopstate.ReviewPlanted, Kind: "number", Claim: "It is 9 km long.", Passages: []loopstate.ReviewWindow{{SourceID: "S1", End: 20}}}},
		Answers: map[string]loopstate.ReviewAnswer{id + "-1": {Item: id + "-1", Answer: loopstate.AnswerContradicted, Quote: " It is  5 km\nlong", Found: true}},
		Planted: loopstate.Tally{N: planted, Good: caught}, Controls: loopstate.Tally{N: 4, Good: 4}}
}

// The summary says how many were read, with what result, by whom, and what that tells about the rest.
func TestSummary(t *testing.T) {
	unread := Sentence{Status: loopstate.Inferred, Pending: true}
	partly := Sentence{Status: loopstate.Inferred, Reading: &loopstate.Reading{Answer: loopstate.AnswerPartly, Reader: loopstate.Reader{Kind: "person"}}}
	own := Sentence{Status: "own", Own: "inference"}
	for _, tc := range []struct {
		name    string
		doc     Document
		batches []loopstate.Review
		want    string
	}{
		{"nothing", Document{}, nil, "No sentence makes a claim, so nothing was checked."},
		{"read and not read", reviewed(22, unread, unread), []loopstate.Review{batch("R1", "counted", "", 11, 11)},
			"22 of 24 sentences read: 22 supported; 2 not read yet. Read by: a model at an endpoint (11 of 11 planted errors caught)."},
		{"two readers", reviewed(2), []loopstate.Review{batch("R1", "counted", "a", 5, 5), batch("R2", "counted", "b", 4, 5), batch("R3", "counted", "b", 5, 5)},
			"2 of 2 sentences read: 2 supported. Read by: a model at an endpoint (a) (5 of 5 planted errors caught); a model at an endpoint (b) (9 of 10 planted errors caught)."},
		{"a reading of another loop", reviewed(1), nil, "1 of 1 sentence read: 1 supported. Read by: a subagent."},
		{"a void batch", reviewed(0, unread), []loopstate.Review{batch("R1", "void", "", 0, 4)},
			"0 of 1 sentence read: 1 not read yet. Review R1 is void and changed nothing: its reader caught 0 of 4 planted errors and passed 4 of 4 controls."},
		{"every state", reviewed(1, partly, own, Sentence{Status: loopstate.Unsupported}, Sentence{Status: loopstate.Unsupported, Flags: []string{"unknown_source"}}, Sentence{Status: "uncited"}, Sentence{},
			Sentence{Status: loopstate.Grounded, Basis: "wording"}), nil,
			"2 of 7 sentences read: 1 supported, 1 partly supported, 1 not in the source; 1 not read yet, 1 cites nothing that was read, 1 uncited, 1 not checked; 1 the author's own. Read by: a subagent; a person."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.doc.Reviews = ReviewsOf(tc.batches)
			if got := factsOf(tc.doc).checked(); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
			for _, format := range []string{HTML, Markdown, JSON} {
				if out := plainText(render(t, format, tc.doc)); len(tc.doc.Sentences) > 0 && !strings.Contains(out, factsOf(tc.doc).summary()) {
					t.Errorf("%s lacks the summary", format)
				}
			}
		})
	}
}

// plainText undoes escapes.
func plainText(out []byte) string {
	return strings.NewReplacer("\\", "", "&#39;", "'", "&#34;", `"`, "\u00a0", " ").Replace(string(out))
}

// What a sample tells about the rest is stated with its bound, rounded up, once the plan is carried out.
func TestBound(t *testing.T) {
	d := reviewed(42, Sentence{Status: loopstate.Inferred, Pending: true})
	d.ToRead = 3
	if got, want := factsOf(d).bound(), "Still to be read: 3."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	d.ToRead, d.Sample = 0, &Sample{Unread: 112, Drawn: 42, Supported: 42, AtMost: 0.0601}
	const want = "Of the 112 not read, at most 7 % are unsupported (95 % confidence, from 42 of 42 in a sample)."
	for _, format := range []string{HTML, Markdown, JSON} {
		if out := plainText(render(t, format, d)); !strings.Contains(out, want) {
			t.Errorf("%s lacks the bound", format)
		}
	}
	var got Document
	if err := json.Unmarshal(render(t, JSON, d), &got); err != nil || got.Read != 42 || got.Of != 43 || got.Statement != want {
		t.Errorf("JSON: %v, %d of %d, %q", err, got.Read, got.Of, got.Statement)
	}
}

func TestStateOfASentence(t *testing.T) {
	reading := func(answer string) *loopstate.Reading { return &loopstate.Reading{Answer: answer} }
	for _, tc := range []struct {
		name string
		s    Sentence
		want string
	}{
		{"another basis", Sentence{Status: loopstate.Grounded, Basis: "wording"}, "not read yet"},
		{"no basis", Sentence{Status: loopstate.Grounded}, "not read yet"},
		{"read", Sentence{Status: loopstate.Grounded, Basis: loopstate.BasisReview}, "supported"},
		{"read by the host", Sentence{Status: loopstate.Grounded, Basis: loopstate.BasisReview, ByHost: true}, "supported, read by the author's own assistant"},
		{"not read", Sentence{Status: loopstate.Inferred, Pending: true}, "not read yet"},
		{"in part", Sentence{Status: loopstate.Inferred, Reading: reading(loopstate.AnswerPartly)}, "partly supported"},
		{"contradicted", Sentence{Status: loopstate.Unsupported, Reading: reading(loopstate.AnswerContradicted)}, "contradicted"},
		{"not stated", Sentence{Status: loopstate.Unsupported, Reading: reading(loopstate.AnswerNotStated)}, "not in the source"},
		{"a quotation that is nowhere", Sentence{Status: loopstate.Unsupported, Flags: []string{`quote_absent: "x"`}}, "not in the source"},
		{"dead", Sentence{Status: loopstate.Unsupported, Flags: []string{"unknown_source"}}, "cites nothing that was read"},
		{"uncited", Sentence{Status: "uncited"}, "uncited"},
		{"own", Sentence{Status: "own"}, "the author's own"},
		{"an unknown status", Sentence{Status: "<b>"}, "not checked"},
	} {
		if got := tc.s.Verdict().Word; got != tc.want || !messages.For("de").Has(got) {
			t.Errorf("%s: %q, want %q, translated", tc.name, got, tc.want)
		}
	}
}

// A report has the unchanged answers of readers, but no items of an open batch.
func TestReviewsInTheReport(t *testing.T) {
	d := reviewed(1)
	d.Reviews = ReviewsOf([]loopstate.Review{batch("R1", "counted", `m" | <script>`, 5, 5), batch("R2", "open", "", 0, 5)})
	var got struct {
		Summary  string `json:"summary"`
		Findings []struct {
			State   string             `json:"state"`
			Basis   string             `json:"basis"`
			Reading *loopstate.Reading `json:"reading"`
		} `json:"findings"`
		Reviews []Review `json:"reviews"`
	}
	if err := json.Unmarshal(render(t, JSON, d), &got); err != nil {
		t.Fatal(err)
	}
	if f := got.Findings[0]; f.State != "supported" || f.Basis != "review" || f.Reading == nil || f.Reading.Item != "R1-1" || f.Reading.Quote != "the words" {
		t.Errorf("the sentence: %+v", f)
	}
	closed := got.Reviews[0]
	if closed.Planted != (Planted{5, 5}) || closed.Controls != (Controls{4, 4}) || closed.Readers[0].Kind != "endpoint" || !closed.ClosedAt.Equal(written.Add(time.Hour)) {
		t.Errorf("the closed batch: %+v", closed)
	}
	if it := closed.Items[0]; it.Answer != "contradicted" || it.Quote != " It is  5 km\nlong" || it.Role != "planted" || it.Claim != "It is 9 km long." || !it.Found {
		t.Errorf("its item: %+v", it)
	}
	if open := got.Reviews[1]; len(open.Items) != 0 || open.Planted.N != 0 {
		t.Errorf("an open batch has items: %+v", open)
	}
	page := render(t, HTML, d)
	if wrong := checkPage(d, page); len(wrong) > 0 {
		t.Error(wrong)
	}
	for _, format := range []string{HTML, Markdown} {
		out := string(render(t, format, d))
		for _, want := range []string{"Readers", "5 of 5", "4 of 4", "a model at an endpoint (m", "not known yet"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s lacks %q", format, want)
			}
		}
		if strings.Contains(out, "<script>") {
			t.Errorf("%s has markup from a reader's name", format)
		}
	}
}
