package loops

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// UnverifiedError is the error of a report whose text fails the verification. Its message names the blocking sentences.
type UnverifiedError struct{ Verification Verification }

// maxBlockingNamed bounds the sentences or claims in the message, and maxBlockingChars the length of each.
const (
	maxBlockingNamed = 8
	maxBlockingChars = 60
)

func (e *UnverifiedError) Error() string {
	v := e.Verification
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

// blocked is a sentence or a claim that keeps a text from passing.
type blocked struct {
	place string // "C4" or "line 12"; empty if unknown
	text  string
	why   string
}

func (b blocked) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %q (%s)", b.place, shorten(b.text, maxBlockingChars), b.why))
}

// blocking returns what keeps the text from passing: first what always does, then, if too few claims are grounded, those
// that are not.
func (v Verification) blocking() []blocked {
	var out, weak []blocked
	for _, h := range v.Hallucinated {
		out = append(out, blocked{place: v.placeOf(h.Claim), text: h.Claim, why: fmt.Sprintf("%s: %s", h.Citation, h.Why)})
	}
	for _, c := range v.Uncited {
		out = append(out, blocked{lineOf(c), c.Text, "cites nothing"})
	}
	for _, c := range v.Claims {
		place := c.ID
		if place == "" {
			place = lineOf(c)
		}
		switch {
		case c.Contradicted():
			out = append(out, blocked{place, c.Text, "contradicted"})
		case c.Pending():
			weak = append(weak, blocked{place, c.Text, "not read yet"})
		case c.Status != loopstate.Grounded && len(c.SourceIDs()) > 0: // without a source it is among the hallucinated
			weak = append(weak, blocked{place, c.Text, c.Status})
		}
	}
	if v.Groundedness < v.Threshold {
		out = append(out, weak...)
	}
	return out
}

// placeOf returns the place of the claim with a text.
func (v Verification) placeOf(text string) string {
	for _, c := range v.Claims {
		if c.Text == text || shorten(c.Text, deadChars) == text {
			if c.ID != "" {
				return c.ID
			}
			return lineOf(c)
		}
	}
	return ""
}

func lineOf(c verify.Claim) string {
	if line, _ := c.Place(); line > 0 {
		return fmt.Sprintf("line %d", line)
	}
	return ""
}
