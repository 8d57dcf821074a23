package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/loopstate"
)

// reviewed returns a document with sentences grounded by wording and by a second reader, and its batches.
func reviewed(wording, read int, others ...Sentence) Document {
	d := Document{StateID: "x", Query: "How long is it?", Groundedness: 0.9, Threshold: 0.8, GeneratedAt: written, Verdict: "pass"}
	for i := range wording {
		d.Sentences = append(d.Sentences, Sentence{Text: fmt.Sprintf("Wording %d holds", i), Status: loopstate.Grounded, Basis: loopstate.BasisWording})
	}
	for i := range read {
		d.Sentences = append(d.Sentences, Sentence{Text: fmt.Sprintf("Reading %d holds", i), Status: loopstate.Grounded, Basis: loopstate.BasisReview,
			Reading: &loopstate.Reading{Batch: "R1", Item: fmt.Sprintf("R1-%d", i+1), Answer: loopstate.AnswerSupported, Quote: "the words"}})
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

func TestSummaryCountsWordingAndReaders(t *testing.T) {
	partly := Sentence{Status: loopstate.Inferred, Reading: &loopstate.Reading{Answer: loopstate.AnswerPartly}}
	for _, tc := range []struct {
		name    string
		doc     Document
		batches []loopstate.Review
		want    string
	}{
		{"nothing", Document{}, nil, "No sentence makes a claim, so nothing was checked."},
		{"both keys", reviewed(17, 22, Sentence{Status: loopstate.Inferred}, Sentence{Status: loopstate.Inferred}), []loopstate.Review{batch("R1", "counted", "", 11, 11)},
			"41 sentences: 17 by wording, 22 by a second reader who caught 11 of 11 planted errors, 2 open (2 wait for a reader)."},
		{"two readers", reviewed(0, 2), []loopstate.Review{batch("R1", "counted", "a", 5, 5), batch("R2", "counted", "b", 4, 5)},
			"2 sentences: 2 by second readers who caught 9 of 10 planted errors."},
		{"a reading of another loop", reviewed(0, 1), nil, "1 sentence: 1 by a second reader."},
		{"a void batch", reviewed(1, 0), []loopstate.Review{batch("R1", "void", "", 0, 4)},
			"1 sentence: 1 by wording. Review R1 is void and changed nothing: its reader caught 0 of 4 planted errors and passed 4 of 4 controls."},
		{"an open batch", reviewed(1, 0), []loopstate.Review{batch("R1", "open", "", 0, 4)}, "1 sentence: 1 by wording."},
		{"what is open", reviewed(0, 0, partly, Sentence{Status: loopstate.Unsupported}, Sentence{Status: loopstate.Unsupported, Differences: []citing.Difference{{Kind: "number"}}}, Sentence{Status: "uncited"}, Sentence{}), nil,
			"5 sentences: 5 open (1 supported in part, 1 contradicted, 1 not found, 1 uncited, 1 not checked)."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.doc.Reviews = ReviewsOf(tc.batches)
			if got := factsOf(tc.doc).checked(); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
			for _, format := range []string{HTML, Markdown, JSON} {
				if out := string(render(t, format, tc.doc)); len(tc.doc.Sentences) > 0 && !strings.Contains(strings.ReplaceAll(out, "\\", ""), factsOf(tc.doc).summary()) {
					t.Errorf("%s lacks the summary", format)
				}
			}
		})
	}
}

// Header, evidence, reasons, flags and JSON agree on who read a sentence: the host itself, or another reader.
func TestReportNamesTheHostAsReader(t *testing.T) {
	d := reviewed(0, 2)
	d.Sentences[1].Reading.Batch = "R2"
	for i := range d.Sentences {
		d.Sentences[i].Because = "A second reader found it supported: “the words” (R1-1)."
		d.Sentences[i].Flags = []string{loopstate.FlagOverruled + ": the wording differs, a second reader found it supported"}
	}
	host := batch("R1", "counted", "", 5, 5)
	host.Readers = []loopstate.Reader{{Kind: "host"}}
	d.Reviews = ReviewsOf([]loopstate.Review{host, batch("R2", "counted", "", 4, 5)})
	const want = "2 sentences: 1 by a second reader who caught 4 of 5 planted errors, 1 by a second reader (the host) who caught 5 of 5 planted errors."
	if got := factsOf(d).checked(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, format := range []string{HTML, Markdown, FullMarkdown, JSON} {
		out := strings.ReplaceAll(strings.ReplaceAll(string(render(t, format, d)), "\\", ""), "&#39;", "'")
		words := []string{"grounded by a second reader (the host)", "grounded by a second reader", "a second reader (the host) who caught 5 of 5"}
		if format != Markdown { // Markdown has no reasons of grounded sentences
			words = append(words, "A second reader (the host) found it supported: “the words”", "A second reader found it supported: “the words”", "the wording differs, a second reader (the host) found it supported")
		}
		for _, want := range words {
			if !strings.Contains(out, want) {
				t.Errorf("%s lacks %q", format, want)
			}
		}
	}
	if d.Sentences[0].Flags[0] != loopstate.FlagOverruled+": the wording differs, a second reader found it supported" {
		t.Error("rendering changed the document")
	}
}

// Each share names its total.
func TestSharesNameTheirTotal(t *testing.T) {
	d := reviewed(3, 0, Sentence{Text: "So it is long.", Status: "own", Own: "inference"}, Sentence{Text: "So it is old.", Status: "own", Own: "inference"})
	d.Groundedness = 1
	if got, want := Shares(d), "3 of 5 sentences are checked, all grounded; 2 are the author's own"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for format, want := range map[string]string{HTML: "100\u00a0% of the 3 checked sentences grounded, 80\u00a0% needed.", Markdown: "100\u00a0% of the 3 checked sentences grounded, 80\u00a0% needed.", JSON: `"confidence_of": "3 of 5 sentences are checked, all grounded; 2 are the author's own"`} {
		if out := string(render(t, format, d)); !strings.Contains(out, want) {
			t.Errorf("%s lacks %q", format, want)
		}
	}
}

func TestStateOfASentence(t *testing.T) {
	reading := func(answer string) *loopstate.Reading { return &loopstate.Reading{Answer: answer} }
	number := []citing.Difference{{Kind: "number", Claim: "9", Source: "5"}}
	for _, tc := range []struct {
		name string
		s    Sentence
		want string
	}{
		{"wording", Sentence{Status: loopstate.Grounded, Basis: loopstate.BasisWording}, "grounded by wording"},
		{"an old document", Sentence{Status: loopstate.Grounded}, "grounded by wording"},
		{"read", Sentence{Status: loopstate.Grounded, Basis: loopstate.BasisReview}, "grounded by a second reader"},
		{"undecided", Sentence{Status: loopstate.Inferred, Pending: true}, "waits for a reader"},
		{"in part", Sentence{Status: loopstate.Inferred, Reading: reading(loopstate.AnswerPartly)}, "supported in part"},
		{"a difference", Sentence{Status: loopstate.Unsupported, Differences: number}, "contradicted"},
		{"a reader contradicts", Sentence{Status: loopstate.Unsupported, Reading: reading(loopstate.AnswerContradicted)}, "contradicted"},
		{"a difference, and a reader finds nothing", Sentence{Status: loopstate.Unsupported, Differences: number, Reading: reading(loopstate.AnswerNotStated)}, "not found"},
		{"nothing near it", Sentence{Status: loopstate.Unsupported}, "not found"},
		{"uncited", Sentence{Status: "uncited"}, "uncited"},
		{"an unknown status", Sentence{Status: "<b>"}, "not checked"},
	} {
		if got := tc.s.verdict().Word; got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestFlagsOfReaders(t *testing.T) {
	d := reviewed(0, 0, Sentence{Text: "It is 9 km long", Status: loopstate.Unsupported, Pending: true},
		Sentence{Text: "It is blue", Status: loopstate.Grounded, Basis: loopstate.BasisReview, Flags: []string{loopstate.FlagOverruled + ": the wording differs, a second reader found it supported"}},
		Sentence{Text: "It is old", Status: loopstate.Unsupported, Flags: []string{loopstate.FlagDisputed + ": the wording matches, a second reader answered contradicted"}})
	for _, format := range []string{HTML, Markdown} {
		out := strings.ReplaceAll(string(render(t, format, d)), "\\", "")
		for _, want := range []string{"no second reader has read it yet", "overruled: the wording differs, a second reader found", "disputed: the wording matches, a second reader answered"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s lacks %q", format, want)
			}
		}
	}
}

// A report has the unchanged answers of readers, but no items of an open batch.
func TestReviewsInTheReport(t *testing.T) {
	d := reviewed(0, 1)
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
	if f := got.Findings[0]; f.State != "grounded by a second reader" || f.Basis != "review" || f.Reading == nil || f.Reading.Item != "R1-1" || f.Reading.Quote != "the words" {
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
		for _, want := range []string{"Second readers", "5 of 5", "4 of 4", "a model at an endpoint (m", "not known yet"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s lacks %q", format, want)
			}
		}
		if strings.Contains(out, "<script>") {
			t.Errorf("%s has markup from a reader's name", format)
		}
	}
}

// The report of an imported loop says so beside the result, and names who signed the archive.
func TestImportInTheReport(t *testing.T) {
	for _, tt := range []struct {
		name string
		from loopstate.Imported
		want string
	}{
		{"not signed", loopstate.Imported{}, "Not signed: its author is unknown."},
		{"unknown key", loopstate.Imported{Signer: "SHA256:abc"}, "Signed with a key that the import did not know: SHA256:abc."},
		{"allowed signer", loopstate.Imported{Signer: "SHA256:abc", Known: "anna <script>"}, "Signed by anna "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := reviewed(0, 1)
			for _, format := range []string{HTML, Markdown} {
				if out := string(render(t, format, d)); strings.Contains(out, "Imported on") {
					t.Errorf("%s of a loop of this installation mentions an import", format)
				}
			}
			d.Import = &loopstate.Import{At: written, Imported: tt.from}
			for _, format := range []string{HTML, Markdown} {
				out := string(render(t, format, d))
				if !strings.Contains(out, "Imported on "+minute(written)+" from an archive.") || !strings.Contains(out, tt.want) {
					t.Errorf("%s lacks the import or %q", format, tt.want)
				}
				if strings.Contains(out, "<script>") {
					t.Errorf("%s has markup from the name of a signer", format)
				}
			}
			if wrong := checkPage(d, render(t, HTML, d)); len(wrong) > 0 {
				t.Error(wrong)
			}
		})
	}
}
