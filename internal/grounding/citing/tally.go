package citing

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
)

// Difference is one thing in which a claim and its source differ, as answers and reports write it. Start and End count
// code points in the text of the source, half open.
type Difference struct {
	Kind     string `json:"kind"`
	Claim    string `json:"claim"`
	Source   string `json:"source"`
	SourceID string `json:"source_id"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
}

// Differences lists the differences of a verdict; the list is never nil.
func Differences(v grounding.Verdict) []Difference {
	out := make([]Difference, 0, len(v.Differences))
	for _, d := range v.Differences {
		out = append(out, Difference{string(d.Kind), d.Claim, d.Source, d.SourceID, d.Start, d.End})
	}
	return out
}

// String shows the words of both sides.
func (d Difference) String() string {
	at := fmt.Sprintf("(%s, %d-%d)", d.SourceID, d.Start, d.End)
	switch {
	case d.Source == "":
		return fmt.Sprintf("%s: the claim says %q, the source does not %s", d.Kind, d.Claim, at)
	case d.Claim == "":
		return fmt.Sprintf("%s: the source says %q, the claim does not %s", d.Kind, d.Source, at)
	}
	return fmt.Sprintf("%s: the source says %q where the claim says %q %s", d.Kind, d.Source, d.Claim, at)
}

// Tally counts sentences by the result of their check.
type Tally struct {
	Wording      int // grounded by wording
	Review       int // grounded by a review
	Waiting      int // inferred: wording cannot decide, a review can
	Contradicted int // unsupported: the source says otherwise
	Unsupported  int // the source does not say it
	Uncited      int
	NotChecked   int
}

// Add counts a sentence. A grounded one without a basis was grounded by wording.
func (t *Tally) Add(status, basis string, differences int) {
	switch {
	case status == string(grounding.Grounded) && basis == string(grounding.BasisReview):
		t.Review++
	case status == string(grounding.Grounded):
		t.Wording++
	case status == string(grounding.Inferred):
		t.Waiting++
	case status == string(grounding.Unsupported) && differences > 0:
		t.Contradicted++
	case status == string(grounding.Unsupported):
		t.Unsupported++
	case status == "uncited":
		t.Uncited++
	default:
		t.NotChecked++
	}
}

// Total returns the number of sentences.
func (t Tally) Total() int {
	return t.Wording + t.Review + t.Waiting + t.Contradicted + t.Unsupported + t.Uncited + t.NotChecked
}

// String returns the summary line of a check, without a full stop.
func (t Tally) String() string {
	if t.Total() == 0 {
		return "no sentence makes a claim, so nothing was checked"
	}
	var parts []string
	for _, part := range []struct {
		n     int
		words string
	}{
		{t.Wording, "grounded by wording"}, {t.Review, "grounded by review"}, {t.Waiting, "waiting for review"}, {t.Contradicted, "contradicted by the source"},
		{t.Unsupported, "not supported by the source"}, {t.Uncited, "uncited"}, {t.NotChecked, "not checked"},
	} {
		if part.n > 0 {
			parts = append(parts, strconv.Itoa(part.n)+" "+part.words)
		}
	}
	sentences := " sentences: "
	if t.Total() == 1 {
		sentences = " sentence: "
	}
	return strconv.Itoa(t.Total()) + sentences + strings.Join(parts, ", ")
}
