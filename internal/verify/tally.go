package verify

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// Tally counts the sentences of a text, or the claims of a list, by what was found about them.
type Tally struct {
	Supported    int `json:"supported"`           // read, and the source says it
	Partly       int `json:"partly"`              // read, and the source says a part of it
	Contradicted int `json:"contradicted"`        // read, and the source says otherwise
	NotStated    int `json:"not_in_source"`       // read, and the source does not say it
	Unread       int `json:"not_read_yet"`        // nobody has read them yet
	NotChecked   int `json:"not_checked"`         // a cited text could not be read
	BadQuotes    int `json:"bad_quotes"`          // they quote words that are nowhere: an error
	Dead         int `json:"citing_nothing_read"` // none of their citations leads to a text: an error
	Uncited      int `json:"uncited"`             // they claim something and cite nothing: an error
	Own          int `json:"own"`                 // the author's own statements, which are not checked
}

// Add counts a checked claim.
func (t *Tally) Add(c Claim) {
	switch {
	case c.Reading != nil:
		*map[string]*int{loopstate.AnswerSupported: &t.Supported, loopstate.AnswerPartly: &t.Partly, loopstate.AnswerContradicted: &t.Contradicted,
			loopstate.AnswerNotStated: &t.NotStated}[c.Reading.Answer]++
	case c.Has(FlagUncited):
		t.Uncited++
	case c.Has(FlagUnknownSource):
		t.Dead++
	case c.Has(FlagQuoteAbsent):
		t.BadQuotes++
	case c.Key == "":
		t.NotChecked++
	default:
		t.Unread++
	}
}

// Read returns how many were read.
func (t Tally) Read() int { return t.Supported + t.Partly + t.Contradicted + t.NotStated }

// Total returns how many were counted, without the author's own.
func (t Tally) Total() int {
	return t.Read() + t.Unread + t.BadQuotes + t.Dead + t.Uncited + t.NotChecked
}

// Counts are counts in words: "1 citation leads to nothing", "3 sentences to look at".
type Counts []string

// Add adds a count unless it is 0. Without words for several, those for one hold for all.
func (c *Counts) Add(n int, one, several string) {
	switch {
	case n == 1:
		*c = append(*c, "1 "+one)
	case n > 1:
		*c = append(*c, fmt.Sprintf("%d %s", n, cmp.Or(several, one)))
	}
}

// String returns the tally on one line, without a full stop: "3 sentences: 2 supported, 1 not read yet".
func (t Tally) String() string {
	if t.Total() == 0 {
		return "no sentence makes a claim, so nothing was checked"
	}
	var all, each Counts
	all.Add(t.Total(), "sentence", "sentences")
	each.Add(t.Supported, "supported", "")
	each.Add(t.Partly, "partly supported", "")
	each.Add(t.Contradicted, "contradicted by the source", "")
	each.Add(t.NotStated, "not in the source", "")
	each.Add(t.Unread, "not read yet", "")
	each.Add(t.BadQuotes, "with words that no source has", "")
	each.Add(t.Dead, "citing nothing that was read", "")
	each.Add(t.Uncited, "uncited", "")
	each.Add(t.NotChecked, "not checked", "")
	return all[0] + ": " + strings.Join(each, ", ")
}

// Groundedness returns the share of what was read that is supported, and 0 if nothing was read.
func (t Tally) Groundedness() float64 {
	return float64(t.Supported) / float64(max(1, t.Read()))
}

// DefaultThreshold is the least share of supported sentences, of those that were read, in a text that passes.
const DefaultThreshold = 0.8

// Verdicts of a text.
const (
	Pass   = "pass"
	Review = "review" // no errors, but what a reader has to read is not read yet, or there is nothing to read
	Fail   = "fail"
)

// Reaches reports whether the supported share of what is read reaches the threshold once further ones are read and supported.
func (t Tally) Reaches(threshold float64, further int) bool {
	return float64(t.Supported+further) >= threshold*float64(t.Read()+further)-1e-9
}

// Verdict returns the verdict of a text. It fails for an error, a sentence that its source contradicts, or too few supported
// ones among those read. planned is how many the plan still wants read. dead are citations that lead to nothing.
func (t Tally) Verdict(threshold float64, planned, dead int) string {
	switch {
	case dead > 0 || t.BadQuotes+t.Dead+t.Uncited > 0 || t.Contradicted > 0 || !t.Reaches(threshold, planned):
		return Fail
	case planned > 0 || t.Read() == 0:
		return Review
	}
	return Pass
}
