package report

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// What a report says of its own limits. The list is the server's, taken from the log; a host may have
// written a section of its own, and then both stand in the report under different headings.

const (
	limitsTitle = "Limitations and Uncertainties"
	recordTitle = "Limits on record" // where the text has a section of that kind already
)

// shownItems of a long list are in sight: the page folds the others away, Markdown counts them (chosen).
const shownItems = 5

// folded cuts a long list. One item is never folded away by itself: it would take no more room than the
// words that stand for it.
func folded[T any](list []T) (shown, rest []T) {
	if len(list) <= shownItems+1 {
		return list, nil
	}
	return list[:shownItems], list[shownItems:]
}

// counted is the heading of a list; a long one says how long it is.
func counted(title string, n int) string {
	if n <= shownItems {
		return title
	}
	return fmt.Sprintf("%s (%d)", title, n)
}

// limited reports whether there is anything to say under "Limitations and Uncertainties". An estimate of what
// is unseen is no gap by itself: without one it stands beside the rounds.
func (f facts) limited() bool {
	return len(f.CoverageGaps) > 0 || len(f.OpenGaps) > 0 || len(f.OpenQuestions) > 0 || len(f.NotTried) > 0 || len(f.OneSource) > 0 ||
		len(f.weak()) > 0 || len(f.nowhere()) > 0 || len(f.disagreements()) > 0 || len(f.blind()) > 0
}

// weak are the sentences, by index, that are not grounded.
func (f facts) weak() []int {
	var out []int
	for i, s := range f.Sentences {
		if s.Status != loopstate.Grounded {
			out = append(out, i)
		}
	}
	return out
}

// nowhere is a citation that cannot be verified: it leads to no source that was read.
type nowhere struct {
	Sentence int    // from 1
	Written  string // as it stands in the text
}

func (f facts) nowhere() []nowhere {
	var out []nowhere
	var text []rune
	for i, s := range f.Sentences {
		for _, m := range s.Markers {
			if _, _, ok := f.source(m.SourceID); ok {
				continue
			}
			if text == nil {
				text = []rune(f.Text)
			}
			n := nowhere{Sentence: i + 1}
			if m.Start >= 0 && m.Start < m.End && m.End <= len(text) && m.End-m.Start <= maxCitationChars {
				n.Written = sanitize.Line(string(text[m.Start:m.End]))
			}
			if n.Written == "" {
				n.Written = "a citation"
			}
			out = append(out, n)
		}
	}
	return out
}

// disagreement is a contradiction that stays open, or a quantity with two values.
type disagreement struct {
	Topic  string
	Says   string // what is open about it
	Anchor string // of the page: where both sides stand
}

func (f facts) disagreements() []disagreement {
	var out []disagreement
	for i, x := range f.Contradictions {
		if !resolved(x) {
			out = append(out, disagreement{topicOf(x.Topic, x.ID), "unresolved contradiction", contradictionAnchor(i)})
		}
	}
	for i, x := range f.Conflicts {
		says := "two values in two sources"
		if a, b := sanitize.Line(x.ValueA), sanitize.Line(x.ValueB); a != "" && b != "" {
			says = a + " in one source, " + b + " in another"
		}
		out = append(out, disagreement{topicOf(x.Topic, "A quantity"), says, conflictAnchor(i)})
	}
	return out
}

func contradictionAnchor(i int) string { return fmt.Sprintf("contradiction-%d", i+1) }
func conflictAnchor(i int) string      { return fmt.Sprintf("conflict-%d", i+1) }

func resolved(x loopstate.Contradiction) bool { return strings.TrimSpace(x.Resolution) != "" }

// topicOf names what sources disagree on.
func topicOf(topic, otherwise string) string {
	for _, s := range []string{topic, otherwise} {
		if s = sanitize.Line(s); s != "" {
			return s
		}
	}
	return "Unnamed"
}

// unseenNote says what kind of number the estimate is (loopstate.Unseen).
const unseenNote = "An estimate from how often the searches found the same things again (Chao1). It is a lower bound and cannot include what no search could find."

// how says how an open question was searched for: "Searched 4 channels 7 times: 5 empty, 2 blocked."
func (q OpenQuestion) how() string { return plainStop(capital(sanitize.Line(q.Tried))) }

func (q OpenQuestion) why() string { return whyOpen(q.Why) }

// whyOpen says why something stays open.
func whyOpen(why string) string {
	if why = plainStop(why); why != "" {
		return why
	}
	return "No reason was recorded."
}

func (q OpenQuestion) question() string { return topicOf(q.Question, "A question without words") }
