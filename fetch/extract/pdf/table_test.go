package pdf

import (
	"fmt"
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
		name     string
		ops      []string
		markdown string
	}{
		{"narrow gaps and an empty cell", rows(700, 14, []int{72, 120, 150},
			[]string{"Place", "Low", "High"}, []string{"Harbour", "0.4", "3.1"}, []string{"Mole", "", "3.0"}, []string{"Cape", "0.6", "3.9"}),
			"| Place | Low | High |\n| --- | --- | --- |\n| Harbour | 0.4 | 3.1 |\n| Mole | | 3.0 |\n| Cape | 0.6 | 3.9 |"},
		{"no first cell in the head", rows(700, 14, []int{72, 120, 150},
			[]string{"", "Low", "High"}, []string{"Harbour", "0.4", "3.1"}, []string{"Mole", "0.3", "3.0"}, []string{"Cape", "0.6", "3.9"}),
			"| | Low | High |\n| --- | --- | --- |\n| Harbour | 0.4 | 3.1 |\n| Mole | 0.3 | 3.0 |\n| Cape | 0.6 | 3.9 |"},
		{"a cell of two lines", append(rows(700, 11, []int{72, 120, 250},
			[]string{"Gauge", "a pole with marks and", "low"}, []string{"", "somebody to read it", ""}),
			rows(672, 17, []int{72, 120, 250}, []string{"Radar", "a mast", "high"}, []string{"Buoy", "a battery", "low"})...),
			"| Gauge | a pole with marks and somebody to read it | low |\n| --- | --- | --- |\n| Radar | a mast | high |\n| Buoy | a battery | low |"},
		{"a first cell of two lines", append(rows(700, 11, []int{72, 180}, []string{"A gauge that is read", "low"}, []string{"by a person", ""}),
			rows(672, 17, []int{72, 180}, []string{"A radar", "high"}, []string{"A buoy", "low"})...),
			"| A gauge that is read by a person | low |\n| --- | --- |\n| A radar | high |\n| A buoy | low |"},
		{"items beside their marks", rows(700, 14, []int{72, 90}, []string{"1.", "Look at the gauge."}, []string{"2.", "Write it down."}, []string{"3.", "Tell the town."}),
			"1. Look at the gauge.\n\n2. Write it down.\n\n3. Tell the town."},
		{"lines of a program beside their numbers", rows(700, 14, []int{72, 100}, []string{"7", "for tide in tides:"}, []string{"8", "print(tide)"}, []string{"9", "stop()"}),
			"7 for tide in tides:  \n8 print(tide)  \n9 stop()"},
		{"words that only two lines have one above the other", rows(700, 12, []int{72, 130, 190}, []string{"the tide", "comes in", "twice"}, []string{"each day", "and goes", "out"}),
			"the tide comes in twice  \neach day and goes out"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := pdfDocument(t, &pdftest.Doc{Pages: []string{strings.Join(append([]string{prose}, tt.ops...), "\n")}})
			if d := cmp.Diff(pdfProse+"\n\n"+tt.markdown, got.Markdown); d != "" {
				t.Errorf("Markdown (-want +got):\n%s", d)
			}
		})
	}
}

// A table goes on over the pages. Its repeated head and the running head between its parts are left out.
func TestPDFTableAcrossPages(t *testing.T) {
	t.Parallel()
	at := []int{72, 150, 200}
	head := []string{"Place", "Low", "High"}
	var pages, want []string
	for p := range 3 {
		lines := [][]string{head}
		for i := range 30 {
			lines = append(lines, []string{fmt.Sprintf("Gauge %d", 30*p+i), fmt.Sprint(i), fmt.Sprint(3 * i)})
			want = append(want, fmt.Sprintf("| Gauge %d | %d | %d |", 30*p+i, i, 3*i))
		}
		ops := append([]string{pdftest.Show(72, 780, 8, "Tides of a harbour"), pdftest.Show(300, 20, 8, fmt.Sprint(p+1))}, rows(740, 14, at, lines...)...)
		pages = append(pages, strings.Join(ops, "\n"))
	}
	got := pdfDocument(t, &pdftest.Doc{Pages: pages})
	if d := cmp.Diff("| Place | Low | High |\n| --- | --- | --- |\n"+strings.Join(want, "\n"), got.Markdown); d != "" {
		t.Errorf("Markdown (-want +got):\n%s", d)
	}
	if n := strings.Count(got.Text, "Place Low High"); n != 1 {
		t.Errorf("the text has %d heads, want 1:\n%s", n, got.Text)
	}
}

// A title of two lines above two columns is one heading, although its second line does not cross the gap between them.
func TestPDFTitleAboveColumns(t *testing.T) {
	t.Parallel()
	ops := []string{pdftest.Set("F3", 72, 760, 20, "The tides of a harbour and what is known"), pdftest.Set("F3", 72, 736, 20, "of them today")}
	for i := range 20 {
		ops = append(ops, pdftest.Show(72, 700-12*i, 10, fmt.Sprintf("left line %d of a column of many words", i)),
			pdftest.Show(320, 700-12*i, 10, fmt.Sprintf("right line %d of a column of many words", i)))
	}
	got := pdfDocument(t, &pdftest.Doc{Pages: []string{strings.Join(ops, "\n")}})
	if want := "# The tides of a harbour and what is known of them today\n\nleft line 0"; !strings.HasPrefix(got.Markdown, want) {
		t.Errorf("Markdown is %.120q…, want %q…", got.Markdown, want)
	}
}

// A formula may have pieces that stand in an earlier column than the piece before.
func TestRowWithColumnsInAnyOrder(t *testing.T) {
	t.Parallel()
	var f pdfFlow
	f.writeLine(pdfLine{kind: rowLine, pieces: []pdfPiece{{pdfWord: pdfWord{text: "b"}, column: 2}, {pdfWord: pdfWord{text: "a"}, column: 0}}})
	if _, got, _ := f.out.Result(); !strings.Contains(got, "b") || !strings.Contains(got, "a") {
		t.Errorf("%q", got)
	}
}
