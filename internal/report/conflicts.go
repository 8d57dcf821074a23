package report

import (
	"cmp"
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

// liveLink returns the address of a passage on the live page, or of its page in a PDF. It is "" if a browser cannot find the
// passage: for pasted text, and for a PDF without pages.
func (f facts) liveLink(r Receipt) string {
	address, pdf := f.addressOf(r)
	if pdf {
		return atPage(address, r.Page)
	}
	return passageLink(address, r.Passage)
}

// archivedLink returns the same address in the Wayback Machine's snapshot closest to the time of reading; "" without a snapshot.
func (f facts) archivedLink(r Receipt) string {
	address, pdf := f.addressOf(r)
	snapshot := snapshot(address, r.FetchedAt)
	if snapshot == "" || pdf {
		return snapshot
	}
	return passageLink(snapshot, r.Passage)
}

// addressOf returns the address of the text of a receipt, "" for pasted text, and reports whether it is a PDF.
func (f facts) addressOf(r Receipt) (address string, pdf bool) {
	source, _, known := f.source(r.SourceID)
	if known && source.Pasted {
		return "", false
	}
	return cmp.Or(r.URL, source.address()), known && strings.Contains(source.ContentType, "pdf")
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
