package cli

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// explanation describes how the text of a page was extracted.
type explanation struct {
	Kept     int          `json:"kept_chars"`
	LeftOut  []leftOutRow `json:"left_out"`
	Repaired int          `json:"repaired,omitempty"` // characters that were encoded twice
	Facts    []factRow    `json:"facts,omitempty"`
	Partial  string       `json:"partial,omitempty"`
}

// leftOutRow counts the parts omitted for one reason.
type leftOutRow struct {
	Reason string `json:"reason"`
	Blocks int    `json:"blocks,omitempty"`
	Chars  int    `json:"chars"`
}

// factRow is a value from structured data.
type factRow struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source"`
}

// explain describes how the text of a document was extracted.
func (x *extracted) explain(d *document.Document) {
	e := &explanation{Kept: d.Chars, Repaired: d.Repaired, Partial: d.Partial, LeftOut: []leftOutRow{}}
	for _, l := range d.LeftOut {
		e.LeftOut = append(e.LeftOut, leftOutRow(l))
	}
	for _, f := range d.Facts {
		e.Facts = append(e.Facts, factRow(f))
	}
	x.explanation = e
}

// String describes the explanation in lines.
func (e *explanation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "kept: %d characters\n", e.Kept)
	if e.Partial != "" {
		fmt.Fprintf(&b, "partial: %s\n", e.Partial)
	}
	if e.Repaired > 0 {
		fmt.Fprintf(&b, "repaired: %d characters that were encoded twice\n", e.Repaired)
	}
	for _, f := range e.Facts {
		fmt.Fprintf(&b, "from structured data (%s): %s: %s\n", f.Source, f.Name, f.Value)
	}
	if len(e.LeftOut) == 0 {
		b.WriteString("left out: nothing\n")
		return strings.TrimSuffix(b.String(), "\n")
	}
	b.WriteString("left out:\n")
	for _, l := range e.LeftOut {
		fmt.Fprintf(&b, "  %-13s %7d characters", l.Reason, l.Chars)
		switch {
		case l.Blocks == 1:
			b.WriteString(" in 1 block")
		case l.Blocks > 1:
			fmt.Fprintf(&b, " in %d blocks", l.Blocks)
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}
