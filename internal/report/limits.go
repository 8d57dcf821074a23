package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// The section on limits is computed from the log. If the host's text has its own section, the report has
// both under different titles.

const (
	limitsTitle = "Limitations and Uncertainties"
	recordTitle = "Limits on record" // if the text has its own section
)

// shownItems is how many items of a long list are visible. The page folds the others, Markdown counts them.
const shownItems = 5

// folded splits a long list. It never folds a single item, which needs no more space than the note.
func folded[T any](list []T) (shown, rest []T) {
	if len(list) <= shownItems+1 {
		return list, nil
	}
	return list[:shownItems], list[shownItems:]
}

// counted returns the heading of a list, with the length of a long one.
func counted(title string, n int) string {
	if n <= shownItems {
		return title
	}
	return fmt.Sprintf("%s (%d)", title, n)
}

// limitsSection is the section on the limits of a report, for Markdown and HTML.
type limitsSection struct {
	Title string
	Lists []limitList
}

type limitList struct {
	Title       string
	Shown, Rest []limit
	After       string // a sentence after the list
	Where       string // where a reader of the Markdown report finds Rest; "" if Markdown shows it too
}

// limit is one item of a list. Its fields are plain text, from untrusted sources in part.
type limit struct {
	Kind             string // how the item is written; "" for Text alone
	Lead, Text, Note string
	Sentence         int    // its number, from 1
	Anchor           string // of the page
	Verdict          style.Verdict
}

// The kinds of limits, besides plain text.
const (
	limitQuestion  = "question"  // Lead is the question, Text why it is open, Note how it was searched for
	limitTopic     = "topic"     // Lead is the topic of the disagreement, Anchor the place of both sides
	limitSentence  = "sentence"  // Text is the sentence, Note why it is not supported
	limitCitation  = "citation"  // Lead is the citation as written
	limitSearching = "searching" // Lead is the channel
)

// limits returns the section, or nil if there is nothing to report. An estimate of unseen sources is not a limit by
// itself. told reports whether the text has a section of that title.
func (f facts) limits(told bool) *limitsSection {
	section := &limitsSection{Title: f.words.T(limitsTitle)}
	if told {
		section.Title = f.words.T(recordTitle)
	}
	add := func(title, where string, items []limit) {
		if len(items) > 0 {
			shown, rest := folded(items)
			section.Lists = append(section.Lists, limitList{Title: counted(f.words.T(title), len(items)), Shown: shown, Rest: rest, Where: where})
		}
	}
	add("What the sources do not cover", "", plainLimits(f.CoverageGaps))
	var questions []limit
	for _, q := range f.OpenQuestions {
		questions = append(questions, limit{Kind: limitQuestion, Lead: topicOf(q.Question, f.words.T("A question without words")), Text: f.whyOpen(q.Why), Note: plainStop(capital(sanitize.Line(q.Tried)))})
	}
	add("Open questions", "", questions)
	add("Still open", "", plainLimits(f.OpenGaps))
	add("Where the sources disagree", "", f.disagreements())
	var weak, unread []limit
	for i, s := range f.Sentences {
		x := limit{Kind: limitSentence, Text: sanitize.Line(s.Text), Note: plainStop(s.Because), Sentence: i + 1, Verdict: s.Verdict()}
		switch {
		case s.state() == waiting:
			unread = append(unread, x)
		case s.Status != loopstate.Grounded && s.Status != style.Own:
			weak = append(weak, x)
		}
	}
	add("Sentences that are not supported", "“Receipts” has the verdict on each sentence", weak)
	add("Sentences that nobody has read", "“Receipts” has the verdict on each sentence", unread)
	add("Citations that cannot be verified", "the text marks each of them", f.unresolved())
	add("Claims that rest on one weak source", "the HTML report has them all", plainLimits(f.OneSource))
	add("Not tried, or not found", "the HTML report has them all", plainLimits(f.NotTried))
	var blind []limit
	for _, l := range f.failedSearches() {
		blind = append(blind, limit{Kind: limitSearching, Lead: l.Channel, Text: f.missed(l)})
	}
	if add("Searches that failed", "", blind); len(blind) > 0 {
		section.Lists[len(section.Lists)-1].After = f.foundNothing()
	}
	if len(section.Lists) == 0 {
		return nil
	}
	return section
}

func plainLimits(list []string) (items []limit) {
	for _, s := range list {
		items = append(items, limit{Text: sanitize.Line(s)})
	}
	return items
}

// unresolved lists the citations of sources that were not read.
func (f facts) unresolved() (out []limit) {
	var text []rune
	for i, s := range f.Sentences {
		for _, m := range s.Markers {
			if _, _, ok := f.source(m.SourceID); ok {
				continue
			}
			if text == nil {
				text = []rune(f.Text)
			}
			written := ""
			if m.Start >= 0 && m.Start < m.End && m.End <= len(text) && m.End-m.Start <= maxCitationChars {
				written = sanitize.Line(string(text[m.Start:m.End]))
			}
			out = append(out, limit{Kind: limitCitation, Lead: cmp.Or(written, f.words.T("a citation")), Sentence: i + 1})
		}
	}
	return out
}

// disagreements lists the unresolved contradictions, and the quantities with two values.
func (f facts) disagreements() (out []limit) {
	for i, x := range f.Contradictions {
		if !resolved(x) {
			out = append(out, limit{Kind: limitTopic, Lead: topicOf(x.Topic, x.ID), Text: f.words.T("unresolved contradiction"), Anchor: contradictionAnchor(i)})
		}
	}
	for i, x := range f.Conflicts {
		says := f.words.T("two values in two sources")
		if a, b := sanitize.Line(x.ValueA), sanitize.Line(x.ValueB); a != "" && b != "" {
			says = f.words.T("%s in one source, %s in another", a, b)
		}
		out = append(out, limit{Kind: limitTopic, Lead: topicOf(x.Topic, f.words.T("A quantity")), Text: says, Anchor: conflictAnchor(i)})
	}
	return out
}

func contradictionAnchor(i int) string { return fmt.Sprintf("contradiction-%d", i+1) }
func conflictAnchor(i int) string      { return fmt.Sprintf("conflict-%d", i+1) }

func resolved(x loopstate.Contradiction) bool { return strings.TrimSpace(x.Resolution) != "" }

// topicOf returns the topic of a disagreement.
func topicOf(topic, otherwise string) string {
	return cmp.Or(sanitize.Line(topic), sanitize.Line(otherwise), "Unnamed")
}

// whyOpen returns why something is open.
func (f facts) whyOpen(why string) string {
	if why = plainStop(why); why != "" {
		return why
	}
	return f.words.T("No reason was recorded.")
}
