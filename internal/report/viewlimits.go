package report

import (
	"fmt"
	"html/template"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// limitsView is the section on the limits of the report.
type limitsView struct {
	Title        string
	CoverageGaps listView[template.HTML]
	Questions    listView[questionView]
	OpenGaps     listView[template.HTML]
	Disagree     listView[disagreementView]
	Weak         listView[weakView]
	Nowhere      listView[nowhereView]
	OneSource    listView[template.HTML]
	NotTried     listView[template.HTML]
	Blind        listView[looked]
	EmptyHanded  string
}

// listView is a list of which the end is folded away when it is long.
type listView[T any] struct {
	Title       string // "" when the list is empty
	Shown, Rest []T
	More        string // what stands in place of Rest: "7 more"
}

func listOf[T any](title string, items []T) listView[T] {
	if len(items) == 0 {
		return listView[T]{}
	}
	v := listView[T]{Title: counted(title, len(items))}
	v.Shown, v.Rest = folded(items)
	v.More = fmt.Sprintf("%d more", len(v.Rest))
	return v
}

type questionView struct{ Question, Why, How template.HTML }

type disagreementView struct {
	Topic, Says template.HTML
	Anchor      string
}

type weakView struct {
	N       int
	Said    template.HTML
	Verdict drawing.Verdict
	Because string
}

type nowhereView struct {
	N       int
	Written template.HTML
}

func limitsOf(f facts, told bool) *limitsView {
	v := &limitsView{Title: limitsTitle, EmptyHanded: f.emptyHanded(),
		CoverageGaps: listOf("What the sources do not cover", foreignList(f.CoverageGaps)),
		OpenGaps:     listOf("Still open", foreignList(f.OpenGaps)),
		OneSource:    listOf("Claims that rest on one weak source", foreignList(f.OneSource)),
		NotTried:     listOf("Not tried, or not found", foreignList(f.NotTried)),
		Blind:        listOf("Searches that failed", f.blind()),
	}
	if told {
		v.Title = recordTitle
	}
	var questions []questionView
	for _, q := range f.OpenQuestions {
		questions = append(questions, questionView{foreignHTML(q.question()), foreignHTML(q.why()), foreignHTML(q.how())})
	}
	v.Questions = listOf("Open questions", questions)
	var disagree []disagreementView
	for _, x := range f.disagreements() {
		disagree = append(disagree, disagreementView{foreignHTML(x.Topic), foreignHTML(x.Says), x.Anchor})
	}
	v.Disagree = listOf("Where the sources disagree", disagree)
	var weak []weakView
	for _, i := range f.weak() {
		s := f.Sentences[i]
		weak = append(weak, weakView{N: i + 1, Said: foreignHTML(sanitize.Line(s.Text)), Verdict: s.verdict(), Because: plainStop(s.Because)})
	}
	v.Weak = listOf("Sentences that are not grounded", weak)
	var none []nowhereView
	for _, n := range f.nowhere() {
		none = append(none, nowhereView{n.Sentence, foreignHTML(n.Written)})
	}
	v.Nowhere = listOf("Citations that cannot be verified", none)
	return v
}

func foreignList(list []string) []template.HTML {
	var out []template.HTML
	for _, s := range list {
		out = append(out, foreignHTML(sanitize.Line(s)))
	}
	return out
}

type conflictView struct {
	Anchor         string
	Topic          template.HTML
	A, B           receiptView
	ValueA, ValueB template.HTML
	Because        template.HTML
}

func conflictOf(f facts, x Conflict, i int) conflictView {
	return conflictView{Anchor: conflictAnchor(i),
		Topic: foreignHTML(topicOf(x.Topic, "A quantity")), A: receiptOf(f, x.A, 0), B: receiptOf(f, x.B, 0),
		ValueA: foreignHTML(sanitize.Line(x.ValueA)), ValueB: foreignHTML(sanitize.Line(x.ValueB)), Because: foreignHTML(sanitize.Line(x.Because)),
	}
}

type contradictionView struct {
	Anchor                 string
	Topic, Resolution, Why template.HTML
	Sides                  []sideView
	Quoted                 bool // some side has a passage
}

type sideView struct {
	Source   sourceRef
	Passages []receiptView
}

func contradictionOf(f facts, x loopstate.Contradiction, i int) contradictionView {
	v := contradictionView{Anchor: contradictionAnchor(i), Topic: foreignHTML(topicOf(x.Topic, x.ID))}
	if resolved(x) {
		v.Resolution = foreignHTML(plainStop(x.Resolution))
	} else {
		v.Why = foreignHTML(whyOpen(x.Why))
	}
	var sides []side
	sides, v.Quoted = f.sides(x)
	for _, s := range sides {
		w := sideView{Source: refOf(f, s.SourceID, s.SourceID)}
		for j, r := range s.Passages {
			w.Passages = append(w.Passages, receiptOf(f, r, j))
		}
		v.Sides = append(v.Sides, w)
	}
	return v
}
