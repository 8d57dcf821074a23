package pdf

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch/extract/pdf/pdftest"
)

// rows shows lines of cells at the given positions, from y down. An empty cell shows nothing.
func rows(y, lead int, at []int, lines ...[]string) []string {
	var ops []string
	for i, cells := range lines {
		for j, cell := range cells {
			if cell != "" {
				ops = append(ops, pdftest.Show(at[j], y-lead*i, 10, cell))
			}
		}
	}
	return ops
}

// Cells are told by the white space that all rows share, however narrow it is.
func TestPDFTables(t *testing.T) {
	t.Parallel()
	prose := pdftest.Show(72, 740, 10, pdfProse)
	tests := []struct {
		name string
		ops  []string
		text string
	}{
		{"narrow gaps and an empty cell", rows(700, 14, []int{72, 120, 150},
			[]string{"Place", "Low", "High"}, []string{"Harbour", "0.4", "3.1"}, []string{"Mole", "", "3.0"},
			[]string{"Cape", "0.6", "3.9"}),
			"Place | Low | High\nHarbour | 0.4 | 3.1\nMole |  | 3.0\nCape | 0.6 | 3.9"},
		{"no first cell in the head", rows(700, 14, []int{72, 120, 150},
			[]string{"", "Low", "High"}, []string{"Harbour", "0.4", "3.1"}, []string{"Mole", "0.3", "3.0"}, []string{"Cape", "0.6", "3.9"}),
			" | Low | High\nHarbour | 0.4 | 3.1\nMole | 0.3 | 3.0\nCape | 0.6 | 3.9"},
		{"a cell of two lines", append(rows(700, 11, []int{72, 120, 250},
			[]string{"Gauge", "a pole with marks and", "low"}, []string{"", "somebody to read it", ""}),
			rows(672, 17, []int{72, 120, 250}, []string{"Radar", "a mast", "high"}, []string{"Buoy", "a battery", "low"})...),
			"Gauge | a pole with marks and somebody to read it | low\nRadar | a mast | high\nBuoy | a battery | low"},
		{"a first cell of two lines", append(rows(700, 11, []int{72, 180}, []string{"A gauge that is read", "low"},
			[]string{"by a person", ""}),
			rows(672, 17, []int{72, 180}, []string{"A radar", "high"}, []string{"A buoy", "low"})...),
			"A gauge that is read by a person | low\nA radar | high\nA buoy | low"},
		{"a cell that goes on behind a hyphen", append(rows(700, 11, []int{72, 180}, []string{"Gauge", "a pole of the har-"},
			[]string{"", "bour with marks"}),
			rows(672, 17, []int{72, 180}, []string{"Radar", "a mast, well-"}, []string{"Buoy", "a buoy"})...),
			"Gauge | a pole of the harbour with marks\nRadar | a mast, well-\nBuoy | a buoy"},
		{"a first cell that goes on behind a hyphen", append(rows(700, 11, []int{72, 180}, []string{"A gauge in a har-", "low"},
			[]string{"bour of a town", ""}),
			rows(672, 17, []int{72, 180}, []string{"A radar", "high"}, []string{"A buoy", "low"})...),
			"A gauge in a harbour of a town | low\nA radar | high\nA buoy | low"},
		{"items beside their marks", rows(700, 14, []int{72, 90}, []string{"1.", "Look at the gauge."}, []string{"2.", "Write it down."},
			[]string{"3.", "Tell the town."}),
			"1. Look at the gauge.\n2. Write it down.\n3. Tell the town."},
		{"lines of a program beside their numbers", rows(700, 14, []int{72, 100}, []string{"7", "for tide in tides:"},
			[]string{"8", "print(tide)"}, []string{"9", "stop()"}),
			"7 for tide in tides:\n8 print(tide)\n9 stop()"},
		{"words that only two lines have one above the other", rows(700, 12, []int{72, 130, 190}, []string{"the tide", "comes in", "twice"},
			[]string{"each day", "and goes", "out"}),
			"the tide comes in twice\neach day and goes out"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := pdfDocument(t, &pdftest.Doc{Pages: []string{strings.Join(append([]string{prose}, tt.ops...), "\n")}})
			if d := cmp.Diff(pdfProse+"\n\n"+tt.text, got.Text); d != "" {
				t.Errorf("text (-want +got):\n%s", d)
			}
		})
	}
}
