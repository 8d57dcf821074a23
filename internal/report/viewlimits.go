package report

import (
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

type conflictView struct {
	Anchor, Topic, Because string
	Sides                  [2]valueView
}

type valueView struct {
	receiptView
	Value string
}

func conflictOf(f facts, x Conflict, i int) conflictView {
	return conflictView{conflictAnchor(i), topicOf(x.Topic, f.words.T("A quantity")), sanitize.Line(x.Because),
		[2]valueView{{receiptOf(f, x.A, 0, nil), sanitize.Line(x.ValueA)}, {receiptOf(f, x.B, 0, nil), sanitize.Line(x.ValueB)}}}
}

type contradictionView struct {
	Anchor, Topic, Resolution, Why string
	Sides                          []sideView
	Quoted                         bool // some side has a passage
}

type sideView struct {
	Source   sourceRef
	Passages []receiptView
}

func contradictionOf(f facts, x loopstate.Contradiction, i int) contradictionView {
	v := contradictionView{Anchor: contradictionAnchor(i), Topic: topicOf(x.Topic, x.ID)}
	if resolved(x) {
		v.Resolution = plainStop(x.Resolution)
	} else {
		v.Why = f.whyOpen(x.Why)
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
