package report

import (
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// side is the stored passages of one source about a contradiction.
type side struct {
	SourceID string
	Passages []Receipt
}

// sides returns the sources of a contradiction with their passages, including passages of sources that it does not name.
// quoted reports whether any side has a passage.
func (f facts) sides(x loopstate.Contradiction) (sides []side, quoted bool) {
	at := make(map[string]int)
	of := func(id string) *side {
		i, ok := at[id]
		if !ok {
			i = len(sides)
			at[id] = i
			sides = append(sides, side{SourceID: id})
		}
		return &sides[i]
	}
	for _, id := range x.SourceIDs {
		of(id)
	}
	for _, q := range x.Passages {
		if strings.TrimSpace(q.Text) == "" {
			continue
		}
		quoted = true
		s := of(q.SourceID)
		source, _, _ := f.source(q.SourceID)
		// The list of sources has the hash.
		s.Passages = append(s.Passages, Receipt{SourceID: q.SourceID, URL: source.address(), FetchedAt: source.FetchedAt, Start: q.Start, End: q.End, Page: q.Page, LastPage: q.Page, Passage: q.Text})
	}
	return sides, quoted
}

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
