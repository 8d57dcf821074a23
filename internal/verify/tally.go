package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
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
		*map[string]*int{loopstate.AnswerSupported: &t.Supported, loopstate.AnswerPartly: &t.Partly,
			loopstate.AnswerContradicted: &t.Contradicted, loopstate.AnswerNotStated: &t.NotStated}[c.Reading.Answer]++
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
	if n == 1 {
		several = one
	}
	if n > 0 {
		*c = append(*c, fmt.Sprintf("%d %s", n, cmp.Or(several, one)))
	}
}

// of returns the tally of sentences or claims on one line, without a full stop: "3 sentences: 2 supported, 1 not read yet".
func (t Tally) of(item string) string {
	if t.Total() == 0 {
		return "no " + item + " makes a claim, so nothing was checked"
	}
	var all, each Counts
	all.Add(t.Total(), item, item+"s")
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
func (t Tally) Groundedness() float64 { return float64(t.Supported) / float64(max(1, t.Read())) }

// DefaultThreshold is the least share of supported sentences, of those that were read, in a text that passes.
const DefaultThreshold = 0.8

// Verdicts of a text.
const (
	Pass   = "pass"
	Review = "review" // no errors, but what a reader has to read is not read yet, or there is nothing to read
	Fail   = "fail"
)

// reaches reports whether the supported share of what is read reaches the threshold once further ones are read and supported.
func (t Tally) reaches(threshold float64, further int) bool {
	return float64(t.Supported+further) >= threshold*float64(t.Read()+further)-1e-9
}

// Verdict returns the verdict of a text. It fails for an error, a sentence that its source contradicts, or too few supported
// ones among those read. open is how many may still be read. dead are citations that lead to nothing.
func (t Tally) Verdict(threshold float64, open, dead int) string {
	switch {
	case dead > 0 || t.BadQuotes+t.Dead+t.Uncited > 0 || t.Contradicted > 0 || !t.reaches(threshold, open):
		return Fail
	case open > 0 || t.Read() == 0:
		return Review
	}
	return Pass
}

// Cause says in one line why the verdict is what it is: "fail: 60 sentences: 15 supported, 36 not read yet, 9 uncited; 100 % of those
// read supported, 80 % needed".
func (v Result) Cause() string {
	item := "claim"
	if v.OfDraft {
		item = "sentence"
	}
	counts := v.Counts(item)
	counts.Add(v.Tally.Own, "is the author's own", "are the author's own")
	return v.Verdict + ": " + strings.Join(counts, "; ")
}

// Counts returns what was found about the sentences, the citations and the sources, in words.
func (v Result) Counts(item string) Counts {
	out := Counts{v.Tally.of(item)}
	out.Add(v.Dead, "citation leads to nothing", "citations lead to nothing")
	out.Add(v.Unread(), "cited source could not be read", "cited sources could not be read")
	if v.Tally.Read() > 0 {
		out = append(out, fmt.Sprintf("%.0f %% of those read supported, %.0f %% needed", 100*v.Groundedness, 100*v.Threshold))
	}
	return out
}

// Tolerated returns how many claims are partly supported or not in their sources although the text may pass with them.
func (v Result) Tolerated() int {
	if v.Tally.reaches(v.Threshold, v.open()) {
		return v.Tally.Partly + v.Tally.NotStated
	}
	return 0
}

// Edits names what must be edited before the text can pass, in the order of Cause. What nobody has read yet is not among it.
func (v Result) Edits() (out []string) {
	for _, e := range []struct {
		n    int
		what string
	}{
		{v.Dead, "citations that lead to nothing"},
		{v.Tally.BadQuotes, "quotations that no cited text has"},
		{v.Tally.Contradicted, "sentences that are contradicted"},
		{len(v.Uncited), "sentences that cite nothing"},
		{v.Tally.Partly + v.Tally.NotStated - v.Tolerated(), "sentences that their sources do not say"},
	} {
		if e.n > 0 {
			out = append(out, e.what)
		}
	}
	return out
}

// Blocked is a sentence or a claim that keeps a text from passing.
type Blocked struct {
	Place string // "C4" or "line 12"; empty if unknown
	Text  string
	Why   string
}

// maxBlockedChars bounds a sentence or a quotation in a message about what blocks a text.
const maxBlockedChars = 60

func (b Blocked) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %q (%s)", b.Place, sanitize.Short(b.Text, maxBlockedChars), b.Why))
}

// Errors returns what keeps the text from passing whatever a reader says: citations that lead to nothing, quotations that no
// cited text has, and sentences that cite nothing.
func (v Result) Errors() (out []Blocked) {
	for _, h := range v.Hallucinated {
		place := ""
		if at := slices.IndexFunc(v.Claims, func(c Claim) bool { return sanitize.Short(c.Text, DeadChars) == h.Claim }); at >= 0 {
			place = placeOf(v.Claims[at])
		}
		out = append(out, Blocked{place, h.Claim, h.Citation + ": " + h.Why})
	}
	for _, c := range v.Claims {
		for _, q := range c.Quoted {
			if q.SourceID == "" && c.Has(FlagQuoteAbsent) {
				why := fmt.Sprintf("%s: %q", strings.TrimSuffix(c.Because, "."), sanitize.Short(q.Quote, maxBlockedChars))
				out = append(out, Blocked{placeOf(c), c.Text, why})
			}
		}
	}
	for _, c := range v.Uncited {
		out = append(out, Blocked{placeOf(c), c.Text, "cites nothing"})
	}
	return out
}

// placeOf returns the id of a claim, or the line of a sentence.
func placeOf(c Claim) string {
	if line, _ := c.Place(); c.ID == "" && line > 0 {
		return fmt.Sprintf("line %d", line)
	}
	return c.ID
}

// UnverifiedError is the error of a report whose text fails the verification. Its message names the blocking sentences: first what always
// blocks, then, if too few claims are grounded, those that are not.
type UnverifiedError struct{ Result Result }

func (e *UnverifiedError) Error() string {
	const most = 8
	v := e.Result
	blocking, weak := v.Errors(), []Blocked(nil)
	for _, c := range v.Claims {
		switch few := v.Groundedness < v.Threshold && len(c.SourceIDs()) > 0; { // without a source it is among the errors
		case c.Contradicted():
			blocking = append(blocking, Blocked{placeOf(c), c.Text, "contradicted"})
		case few && c.Pending():
			weak = append(weak, Blocked{placeOf(c), c.Text, "not read yet"})
		case few && c.Status != loopstate.Grounded:
			weak = append(weak, Blocked{placeOf(c), c.Text, c.Status})
		}
	}
	blocking = append(blocking, weak...)
	message, between := "the text did not pass: "+strings.TrimPrefix(v.Cause(), v.Verdict+": "), "; what blocks it: "
	for _, b := range blocking[:min(len(blocking), most)] {
		message, between = message+between+b.String(), "; "
	}
	if more := len(blocking) - most; more > 0 {
		message += fmt.Sprintf("; and %d more", more)
	}
	return message
}
