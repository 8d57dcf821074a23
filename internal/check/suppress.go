package check

import (
	"fmt"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// Suppression accepts findings of a kind that a person has looked at. They are shown and counted as suppressed and do not make
// a draft fail; what was found about the sentences, and the share that is supported, stay as they are.
type Suppression struct {
	File   string    `json:"file"` // that has it, and its line there
	Line   int       `json:"line"`
	Kind   Kind      `json:"finding"`
	Reason string    `json:"reason"`
	Until  time.Time `json:"-"`     // last day, UTC; zero: no end
	State  string    `json:"state"` // used, unused or expired
	Ends   string    `json:"until,omitempty"`

	Text     string          `json:"-"` // the sentence or the mark; … at its end stands for the rest; empty: every one
	Drafts   map[string]bool `json:"-"` // names of the drafts that it is about
	Expected bool            `json:"-"` // it is reported if it is not used, because all its texts are checked
}

// The states of a suppression.
const (
	suppressionUsed    = "used"
	suppressionUnused  = "unused"
	suppressionExpired = "expired"
)

// begin sets the states at a time.
func begin(all []Suppression, now time.Time) []*Suppression {
	out := make([]*Suppression, len(all))
	for i, s := range all {
		s.State, s.Text = suppressionUnused, sanitize.Line(s.Text)
		if !s.Until.IsZero() {
			s.Ends = s.Until.Format(time.DateOnly)
			if !now.UTC().Before(s.Until.AddDate(0, 0, 1)) {
				s.State = suppressionExpired
			}
		}
		out[i] = &s
	}
	return out
}

func (s *Suppression) names(text string) bool {
	if begun, cut := strings.CutSuffix(s.Text, "…"); cut {
		return strings.HasPrefix(text, strings.TrimSpace(begun))
	}
	return text == s.Text
}

// String says who accepts a finding, and why.
func (s *Suppression) String() string {
	until := ""
	if s.Ends != "" {
		until = ", until " + s.Ends
	}
	return fmt.Sprintf("%s (%s:%d%s)", sanitize.Short(s.Reason, sentenceChars), sanitize.Line(s.File), s.Line, until)
}

// problem says why a suppression does not hold, or "".
func (s *Suppression) problem() string {
	switch {
	case s.State == suppressionExpired:
		return fmt.Sprintf("the suppression of %s ended on %s: mend the text, or look again and set another date", s.Kind, s.Ends)
	case s.State == suppressionUnused && s.Expected:
		return fmt.Sprintf("the suppression of %s accepts nothing: remove it", s.Kind)
	}
	return ""
}

// accepted returns the suppression of a finding in a draft, or nil.
func (r *Result) accepted(draft string, f Finding) *Suppression {
	text, claim := sanitize.Line(f.Text), sanitize.Line(f.claim)
	for _, s := range r.Suppressions {
		if s.State != suppressionExpired && s.Kind == f.Kind && s.Drafts[draft] && (s.Text == "" || s.names(text) || s.names(claim)) {
			s.State = suppressionUsed
			return s
		}
	}
	return nil
}
