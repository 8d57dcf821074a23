package report

import (
	"html/template"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

func escapedList(list []string) []template.HTML {
	var out []template.HTML
	for _, s := range list {
		out = append(out, escaped(sanitize.Line(s)))
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
		Topic: escaped(topicOf(x.Topic, f.words.T("A quantity"))), A: receiptOf(f, x.A, 0, nil), B: receiptOf(f, x.B, 0, nil),
		ValueA: escaped(sanitize.Line(x.ValueA)), ValueB: escaped(sanitize.Line(x.ValueB)), Because: escaped(sanitize.Line(x.Because)),
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
	v := contradictionView{Anchor: contradictionAnchor(i), Topic: escaped(topicOf(x.Topic, x.ID))}
	if resolved(x) {
		v.Resolution = escaped(plainStop(x.Resolution))
	} else {
		v.Why = escaped(f.whyOpen(x.Why))
	}
	var sides []side
	sides, v.Quoted = f.sides(x)
	for _, s := range sides {
		w := sideView{Source: refOf(f, s.SourceID, s.SourceID)}
		for j, r := range s.Passages {
			w.Passages = append(w.Passages, receiptOf(f, r, j, nil))
		}
		v.Sides = append(v.Sides, w)
	}
	return v
}
