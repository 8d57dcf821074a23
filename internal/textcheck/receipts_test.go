package textcheck

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/loopstate"
)

func receiptOf(id, url, text, passage string) report.Receipt {
	start := len([]rune(text[:strings.Index(text, passage)]))
	return report.Receipt{SourceID: id, URL: url, SHA256: loopstate.HashText([]byte(text)).String(), FetchedAt: noon, Start: start, End: start + len([]rune(passage)), Passage: passage}
}

// islandReport returns a report in the form of loop_report.
func islandReport(t *testing.T, receipts ...report.Receipt) *bytes.Buffer {
	t.Helper()
	d := report.Document{StateID: "L", Sentences: []report.Sentence{{Text: "What the report says.", Receipts: receipts}, {Text: "Said again.", Receipts: receipts[:1]}},
		Conflicts: []report.Conflict{{Topic: "a topic", A: receipts[0], B: receipts[len(receipts)-1]}}}
	var b bytes.Buffer
	if err := report.Write(&b, report.JSON, d); err != nil {
		t.Fatal(err)
	}
	return &b
}

func readIsland(t *testing.T, receipts ...report.Receipt) []Receipt {
	t.Helper()
	state, out, err := ReadReceipts(islandReport(t, receipts...))
	if err != nil || state != "L" {
		t.Fatal(state, err)
	}
	if len(out) != len(receipts) {
		t.Fatalf("%d receipts, want each of the %d once", len(out), len(receipts))
	}
	return out
}

func resultsOf(c *ReceiptCheck) []string {
	var out []string
	for _, r := range c.Receipts {
		s := r.Result
		if r.PassageStands != nil && *r.PassageStands {
			s += ", stands"
		}
		out = append(out, s)
	}
	return out
}

const builtBy = "built in 1874 by two brothers"

func TestReceiptsOnline(t *testing.T) {
	t.Parallel()
	w := island()
	w.pages["https://arden.example/moved"] = read("Moved", "New words before it. The tower of Arden was “built in 1874 by two\nbrothers” named Holt.")
	w.pages["https://arden.example/rewritten"] = read("Rewritten", "The tower of Arden was built in 1875 by two sisters. "+costText)
	tower := func(url string) report.Receipt { return receiptOf("S1", url, towerText, builtBy) }
	tampered, shifted, hashless := tower("https://arden.example/tower"), tower("https://arden.example/tower"), tower("https://arden.example/tower")
	tampered.Passage = strings.Replace(tampered.Passage, "1874", "1774", 1)
	shifted.End++
	hashless.SHA256 = "5e8a"
	lined, elsewhere := tower("https://arden.example/tower"), tower("https://arden.example/tower")
	lined.Lines, elsewhere.Lines = "1", "2-3"
	tests := []struct {
		name    string
		receipt report.Receipt
		want    string
		verdict string
	}{
		{"the same text", tower("https://arden.example/tower"), Same, outcome.Pass},
		{"another text that still has the words", tower("https://arden.example/moved"), Changed + ", stands", outcome.Pass},
		{"a text without them", tower("https://arden.example/rewritten"), Changed, outcome.Fail},
		{"no page any more", tower("https://arden.example/lost"), Gone, outcome.Fail},
		{"a wall", tower("https://shut.example/paper"), Unreachable, outcome.Undecided},
		{"a pasted text", tower("urn:sha256:5e8a"), Unreachable, outcome.Undecided},
		{"a passage that was tampered with", tampered, Damaged, outcome.Fail},
		{"offsets that do not fit", shifted, Damaged, outcome.Fail},
		{"a hash that is none", hashless, Damaged, outcome.Fail},
		{"with its line", lined, Same, outcome.Pass},
		{"with other lines", elsewhere, Damaged, outcome.Fail},
	}
	var all []report.Receipt
	var want []string
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := Online(t.Context(), readIsland(t, tt.receipt), w, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{tt.want}, resultsOf(c)); diff != "" || c.Verdict != tt.verdict {
				t.Errorf("verdict %s, want %s; %s (-want +got):\n%s", c.Verdict, tt.verdict, c.Receipts[0].Reason, diff)
			}
		})
		all, want = append(all, tt.receipt), append(want, tt.want)
	}
	w.asked = nil
	c, err := Online(t.Context(), readIsland(t, all...), w, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, resultsOf(c)); diff != "" {
		t.Errorf("together (-want +got):\n%s", diff)
	}
	if len(w.asked) != 5 {
		t.Errorf("%d addresses were read, want each of 5 once: %q", len(w.asked), w.asked)
	}
	for _, format := range RowFormats() {
		var out bytes.Buffer
		c.StateID, c.GeneratedAt, c.Generator = "L", noon, "citeloop test"
		if err := WriteReceipts(&out, format, c); err != nil {
			t.Fatal(err)
		}
		if format == Text {
			golden(t, "receipts.text", out.Bytes())
		}
	}
}

func TestReceiptProblems(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "[]", `{"claims": []}`, `{"findings": [{"receipts": [{"start": "x"}]}]}`} {
		_, _, err := ReadReceipts(strings.NewReader(body))
		var report *ReportError
		if !errors.As(err, &report) {
			t.Errorf("%q: error %v, want a ReportError", body, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Online(ctx, readIsland(t, receiptOf("S1", "https://arden.example/tower", towerText, builtBy)), &web{pages: map[string]fetch.Page{}}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was cancelled", err)
	}
}
