package drawing

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

// elements counts the elements of an SVG by name and class. It fails for invalid XML.
func elements(t *testing.T, svg string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return counts
		}
		if err != nil {
			t.Fatalf("%v: %s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok {
			name := e.Name.Local
			for _, a := range e.Attr {
				if a.Name.Local == "class" {
					name += "." + a.Value
				}
			}
			counts[name]++
		}
	}
}

func TestConvergenceFile(t *testing.T) {
	many := make([]loopstate.Round, MaxRounds+7)
	for i := range many {
		many[i] = loopstate.Round{Round: i + 1, Sources: i * 1000, NewSources: i, OpenGaps: 7 - i}
	}
	tests := []struct {
		name   string
		rounds []loopstate.Round
		drawn  int
		says   []string
	}{
		{"no round", nil, 0, []string{"No closed rounds yet."}},
		{"one round", []loopstate.Round{{Round: 1}}, 1, []string{"Round 1: 0 sources, 0 of them new, 0 open material gaps."}},
		{"signed off", []loopstate.Round{{Round: 1, Sources: 4, NewSources: 4, OpenGaps: 2}, {Round: 2, Sources: 6, NewSources: 2, SignOff: true}}, 2,
			[]string{"2 ✓", "+2", "Round 2: 6 sources, 2 of them new, 0 open material gaps, signed off."}},
		{"more than are drawn", many, MaxRounds, []string{"the 7 rounds before are not drawn", ">47<"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			svg := ConvergenceFile(tt.rounds)
			got := elements(t, svg)
			if dots := got["circle.dot"]; dots != tt.drawn {
				t.Errorf("%d rounds drawn, want %d", dots, tt.drawn)
			}
			for _, want := range tt.says {
				if !strings.Contains(svg, want) {
					t.Errorf("%q is not in %s", want, svg)
				}
			}
			for _, never := range []string{"<script", "href", "url(", "NaN", "Inf"} {
				if strings.Contains(svg, never) {
					t.Errorf("unexpected %q in the drawing", never)
				}
			}
		})
	}
}
