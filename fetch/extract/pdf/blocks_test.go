package pdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch/extract/pdf/pdftest"
)

const pdfProse = "The tide tables of the harbour were printed every year until the printing house closed."

// Headings, lists, tables, code and notes are recognised by their layout.
func TestPDFBlocks(t *testing.T) {
	t.Parallel()
	table := []string{}
	for i, row := range [][3]string{{"Place", "Low", "High"}, {"Harbour", "0.4", "3.1"}, {"Mole", "0.3", "3.0"}, {"Cape|N", "0.6", "3.9"}} {
		for j, cell := range row {
			table = append(table, pdftest.Show(72+150*j, 400-14*i, 10, cell))
		}
	}
	tests := []struct {
		name string
		ops  []string
		want string
	}{
		{"headings", []string{pdftest.Show(72, 720, 18, "Tides of a harbour"), pdftest.Show(72, 690, 14, "1 Ebb"),
			pdftest.Show(72, 670, 10, pdfProse)},
			"# Tides of a harbour\n\n## 1 Ebb\n\n" + pdfProse},
		{"a list", []string{pdftest.Show(72, 720, 10, pdfProse), pdftest.Show(72, 700, 10, "\x95 the first of them is short."),
			pdftest.Show(72, 686, 10, "\x95 the second is short, too."), pdftest.Show(72, 660, 10, "1. one item."),
			pdftest.Show(72, 646, 10, "2. another item.")},
			pdfProse + "\n\n- the first of them is short.\n- the second is short, too.\n1. one item.\n2. another item."},
		{"a table", append([]string{pdftest.Show(72, 440, 10, pdfProse)}, table...),
			pdfProse + "\n\nPlace | Low | High\nHarbour | 0.4 | 3.1\nMole | 0.3 | 3.0\nCape|N | 0.6 | 3.9"},
		{"a note", []string{"BT /F1 10 Tf 72 720 Td (The tables were printed) Tj /F1 7 Tf 4 Ts (1) Tj /F1 10 Tf 0 Ts ( until the " +
			"house closed.) Tj ET", pdftest.Show(72, 700, 10, pdfProse),
			"BT /F1 6 Tf 72 103 Td (1) Tj ET", pdftest.Show(75, 100, 8, "In the archive of the town.")},
			"The tables were printed¹ until the house closed.\n\n" + pdfProse + "\n\n1 In the archive of the town."},
		{"an exponent", []string{"BT /F1 10 Tf 72 720 Td (The height x) Tj /F1 7 Tf 4 Ts (2) Tj /F1 10 Tf 0 Ts ( is * a [square].) Tj ET"},
			"The height x² is * a [square]."},
		{"marks of notes", []string{"BT /F1 10 Tf 72 720 Td (built in 1974.) Tj /F1 7 Tf 4 Ts (3,5) Tj /F1 10 Tf 0 Ts ( Then) Tj ET"},
			"built in 1974.^3,5 Then"},
		{"numbers of lines", []string{pdftest.Lines(50, 720, 12, 8, "9", "10", "11", "12", "13"), pdftest.Lines(72, 720, 12, 10,
			"The tide tables were printed every", "year until the printing house of the", "town was closed, and nobody in that",
			"town, or in the next, would print a", "table from then on.")},
			"9 10 11 12 13\n\nThe tide tables were printed every year until the printing house of the town was closed, and nobody in " +
				"that town, or in the next, would print a table from then on."},
		{"a head in the size of the text", []string{pdftest.Lines(72, 720, 12, 10, "Methods", pdfProse)}, "Methods\n\n" + pdfProse},
		{"the wrapped last cell of a table", []string{pdftest.Show(72, 720, 10, "Gate"), pdftest.Show(200, 720, 10, "Work"),
			pdftest.Show(72, 700, 10, "North"), pdftest.Show(200, 700, 10, "Oiled"), pdftest.Show(72, 680, 10, "East"),
			pdftest.Show(200, 680, 10, "Nothing was to be done"), pdftest.Show(200, 668, 10, "but the chain was oiled.")},
			"Gate | Work\nNorth | Oiled\nEast | Nothing was to be done but the chain was oiled."},
		{"lines that break before their end", []string{pdftest.Lines(72, 720, 12, 10, "one float", "two lamps", "three chains of brass")},
			"one float\ntwo lamps\nthree chains of brass"},
		{"a ragged paragraph", []string{pdftest.Lines(72, 720, 12, 10, "The tide tables were printed every year",
			"until the printing house of the small town on the river was closed,", "and nobody in that town or in the next",
			"would print a table of the river and its tides for many years from then")},
			"The tide tables were printed every year until the printing house of the small town on the river was closed, and nobody " +
				"in that town or in the next would print a table of the river and its tides for many years from then"},
		{"a power of a number", []string{"BT /F1 10 Tf 72 720 Td (It holds 10) Tj /F1 7 Tf 4 Ts (6) Tj /F1 10 Tf 0 Ts ( litres.) Tj ET"},
			"It holds 10⁶ litres."},
		{"an address of two lines", []string{pdftest.Lines(72, 720, 12, 10, "It stands at https://example.org/a/long/path/that/is/bro",
			"ken/over/two/lines.html in the net.")},
			"It stands at https://example.org/a/long/path/that/is/broken/over/two/lines.html in the net."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := pdfDocument(t, &pdftest.Doc{Pages: []string{strings.Join(tt.ops, "\n")}})
			if d := cmp.Diff(tt.want, got.Text); d != "" {
				t.Errorf("text (-want +got):\n%s", d)
			}
		})
	}
}

// What one page shows, however it is turned, spaced or written.
func TestPDFGlyphs(t *testing.T) {
	t.Parallel()
	const lines = "BT /F1 10 Tf %s Tm (The first line of the page is here, and) Tj 0 -12 Td (the second goes on with it to the end.) Tj ET"
	const read = "The first line of the page is here, and the second goes on with it to the end."
	for _, tt := range []struct{ name, ops, want string }{
		{"upright", fmt.Sprintf(lines, "1 0 0 1 72 700"), read},
		{"upwards", fmt.Sprintf(lines, "0 1 -1 0 300 72"), read},
		{"downwards", fmt.Sprintf(lines, "0 -1 1 0 300 700"), read},
		{"upside down", fmt.Sprintf(lines, "-1 0 0 -1 500 300"), read},
		{"a logo, whose raised letter does not split it", "BT /F1 10 Tf 72 700 Td (L) Tj 3.6 2 Td /F1 7 Tf (A) Tj 3.5 -2 Td /F1 10 Tf " +
			"(T) Tj 5 -2 Td (E) Tj 5 2 Td (X is old) Tj ET", "LATEX is old"},
		{"letters apart", "BT /F1 10 Tf 4 Tc 72 700 Td (NOTE) Tj ET", "NOTE"},
		{"a narrow space", "BT /F1 10 Tf 72 700 Td (a) Tj 7.1 0 Td (document) Tj ET", "a document"},
	} {
		if got := pdfDocument(t, &pdftest.Doc{Pages: []string{tt.ops}}).Text; got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
