package drawing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/translations"
)

// sized returns a matrix in which each source supports every seventh sentence.
func sized(rows, columns int) Matrix {
	var m Matrix
	for i := range rows {
		m.Rows = append(m.Rows, Row{Label: fmt.Sprint(i + 1), Name: fmt.Sprintf("Source %d of many & <more>", i+1), Href: fmt.Sprintf("#source-%d", i+1), Origin: fmt.Sprintf("S%d", i-i%5)})
	}
	for j := range columns {
		m.Columns = append(m.Columns, Column{Status: []string{"grounded", "inferred", "unsupported", "uncited", ""}[j%5], Says: "said", Href: fmt.Sprintf("#p%d", j+1)})
		for i := range rows {
			if (i+j)%7 == 0 {
				m.Cells = append(m.Cells, Cell{Row: i, Column: j, Passage: j%2 == 0, Says: fmt.Sprintf("%d carries %d", i+1, j+1), Href: fmt.Sprintf("#r%d-1", j+1)})
			}
		}
	}
	return m
}

func TestMatrix(t *testing.T) {
	for _, tt := range []struct {
		name          string
		rows, columns int
		brackets      int
		numbers       []string // above the columns
		note          string
	}{
		{"one of each", 1, 1, 0, []string{">1<"}, ""},
		{"a page", 12, 20, 3, []string{">1<", ">2<", ">20<"}, ""},
		{"60 × 120", 60, 120, 12, []string{">1<", ">5<", ">115<", ">120<"}, ""},
		{"more than is drawn", maxSources + 3, maxClaims + 1, maxSources / 5, []string{">400<"}, "Not drawn: 3 sources, 1 sentence. See the table."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := sized(tt.rows, tt.columns)
			svg := m.SVG(translations.Table{})
			got := elements(t, svg)
			drawn := 0
			for _, c := range m.Cells {
				if c.Row < maxSources && c.Column < maxClaims {
					drawn++
				}
			}
			if n := strings.Count(svg, `href="#r`); n != drawn {
				t.Errorf("%d marks, want %d", n, drawn)
			}
			if n := got["path.rule"]; n != tt.brackets {
				t.Errorf("%d origins in a bracket, want %d", n, tt.brackets)
			}
			if n := got["text.name"]; n != min(tt.rows, maxSources) {
				t.Errorf("%d sources have a name", n)
			}
			for _, want := range append(tt.numbers, tt.note, "&amp; &lt;more&gt;") {
				if !strings.Contains(svg, want) {
					t.Errorf("%q is not in the drawing", want)
				}
			}
			for _, never := range []string{"<script", "url(", "NaN", "Inf"} {
				if strings.Contains(svg, never) {
					t.Errorf("unexpected %q in the drawing", never)
				}
			}
		})
	}
	if got := (Matrix{Rows: []Row{{}}}).SVG(translations.Table{}); got != "" {
		t.Errorf("a matrix without sentences is drawn: %s", got)
	}
}

// Untrusted text and invalid cells give a valid drawing without markup from the text.
func FuzzMatrix(f *testing.F) {
	f.Add("A title", "1", "grounded", 0, 0)
	f.Add("</text><script>alert(1)</script>", `"><a href="javascript:x">`, "</svg>", 7, -1)
	f.Add("\u202Etxt\x00\ufffe 通道 \U0001F1E6", "\xff", "unsupported", -3, 1<<40)
	f.Fuzz(func(t *testing.T, name, label, status string, row, column int) {
		m := Matrix{Rows: []Row{{Label: label, Name: name, Origin: status}, {Label: name, Origin: status}}, Columns: []Column{{Status: status, Says: name}, {Status: "grounded"}},
			Cells: []Cell{{Row: row, Column: column, Says: name}, {Row: 1, Column: 1, Says: label, Href: "#" + label}}}
		svg := m.SVG(translations.Table{})
		elements(t, svg)
		if strings.Contains(svg, "<script") || strings.ContainsAny(svg, "\u202E\u2066\x00") {
			t.Error(svg)
		}
	})
}
