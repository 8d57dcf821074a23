package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// UnverifiedError is the error of a report whose text fails the verification. Its message names the blocking sentences.
type UnverifiedError struct{ Result Result }

// maxBlockingNamed bounds the sentences or claims in the message, and maxBlockingChars the length of each.
const (
	maxBlockingNamed = 8
	maxBlockingChars = 60
)

func (e *UnverifiedError) Error() string {
	v := e.Result
	message := "the text did not pass: " + strings.TrimPrefix(v.Cause(), v.Verdict+": ")
	blocking := v.blocking()
	for i, b := range blocking[:min(len(blocking), maxBlockingNamed)] {
		message += "; "
		if i == 0 {
			message += "what blocks it: "
		}
		message += b.String()
	}
	if more := len(blocking) - maxBlockingNamed; more > 0 {
		message += fmt.Sprintf("; and %d more", more)
	}
	return message
}

// Blocked is a sentence or a claim that keeps a text from passing.
type Blocked struct {
	Place string // "C4" or "line 12"; empty if unknown
	Text  string
	Why   string
}

func (b Blocked) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %q (%s)", b.Place, sanitize.Short(b.Text, maxBlockingChars), b.Why))
}

// Errors returns what keeps the text from passing whatever a reader says: citations that lead to nothing, quotations that no
// cited text has, and sentences that cite nothing.
func (v Result) Errors() []Blocked {
	var out []Blocked
	for _, h := range v.Hallucinated {
		at := slices.IndexFunc(v.Claims, func(c Claim) bool { return c.Text == h.Claim || sanitize.Short(c.Text, DeadChars) == h.Claim })
		place := ""
		if at >= 0 {
			place = placeOf(v.Claims[at])
		}
		out = append(out, Blocked{place, h.Claim, h.Citation + ": " + h.Why})
	}
	for _, c := range v.Claims {
		for _, q := range c.Quoted {
			if q.SourceID == "" && c.Has(FlagQuoteAbsent) {
				out = append(out, Blocked{placeOf(c), c.Text, strings.TrimSuffix(c.Because, ".") + fmt.Sprintf(": %q", sanitize.Short(q.Quote, maxBlockingChars))})
			}
		}
	}
	for _, c := range v.Uncited {
		out = append(out, Blocked{placeOf(c), c.Text, "cites nothing"})
	}
	return out
}

// blocking returns what keeps the text from passing: first what always does, then, if too few claims are grounded, those
// that are not.
func (v Result) blocking() []Blocked {
	out := v.Errors()
	var weak []Blocked
	for _, c := range v.Claims {
		switch {
		case c.Contradicted():
			out = append(out, Blocked{placeOf(c), c.Text, "contradicted"})
		case c.Pending():
			weak = append(weak, Blocked{placeOf(c), c.Text, "not read yet"})
		case c.Status != loopstate.Grounded && len(c.SourceIDs()) > 0: // without a source it is among the errors
			weak = append(weak, Blocked{placeOf(c), c.Text, c.Status})
		}
	}
	if v.Groundedness < v.Threshold {
		out = append(out, weak...)
	}
	return out
}

// placeOf returns the id of a claim, or the line of a sentence.
func placeOf(c Claim) string {
	line, _ := c.Place()
	switch {
	case c.ID != "":
		return c.ID
	case line > 0:
		return fmt.Sprintf("line %d", line)
	}
	return ""
}
