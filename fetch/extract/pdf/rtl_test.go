package pdf

import (
	"strings"
	"testing"
)

// glyphsAt returns glyphs of a width of 8 points at these places.
func glyphsAt(text string, x ...float64) (out []glyph) {
	for i, r := range []rune(text) {
		b := box{x[i], 0, x[i] + 8, 10}
		out = append(out, glyph{text: string(r), box: b})
	}
	return out
}

func TestWordOf(t *testing.T) {
	for _, tt := range []struct {
		name   string
		glyphs []glyph
		want   string
	}{
		{"to the right", glyphsAt("mill", 0, 8, 16, 24), "mill"},
		{"to the left, in its order", glyphsAt("מנזר", 24, 16, 8, 0), "מנזר"},
		{"to the left, in the order of the page", glyphsAt("ريد", 0, 8, 16), "دير"},
		{"with a full stop on its left", glyphsAt("ريد.", 8, 16, 24, 0), "دير."},
	} {
		if got := wordOf(tt.glyphs).text; got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Words of another script run to the right in a line that runs to the left, and brackets open towards their content.
func TestToLeftLine(t *testing.T) {
	at := func(text string, x0, x1 float64) segment {
		b := box{x0, 0, x1, 10}
		return segment{words: []word{{text: text, box: b}}, box: b, size: 10}
	}
	for _, tt := range []struct {
		name string
		row  []segment
		want string
	}{
		{"words of another script", []segment{at("המנזר", 170, 200), at(")", 164, 167), at("Mill", 143, 163),
			at("Harbour", 100, 140), at(")", 96, 99), at("נבנה", 70, 92), at("בחוף", 40, 60)},
			"המנזר (Harbour Mill) נבנה בחוף"},
		{"a bracket", []segment{at("המנזר", 170, 200), at(")", 164, 167), at("בחוף", 140, 163), at("(", 136, 139)},
			"המנזר (בחוף)"},
		{"brackets in a segment", []segment{{words: []word{{text: "קדים", box: box{170, 0, 200, 10}},
			{text: "[", box: box{150, 0, 154, 10}}, {text: "«", box: box{164, 0, 168, 10}},
			{text: "3", box: box{145, 0, 149, 10}}, {text: "[", box: box{140, 0, 144, 10}}},
			box: box{140, 0, 200, 10}, size: 10}}, "קדים» [3]"},
		{"a comma behind a number", []segment{at("בשנת", 170, 200), at(",1204", 140, 166)}, "בשנת 1204,"},
	} {
		if got := lineOf(tt.row); got.text != tt.want || got.parts != 1 {
			t.Errorf("%s: %q in %d cells, want %q in one", tt.name, got.text, got.parts, tt.want)
		}
	}
	// A further line of a cell begins on the left of its end.
	cell := []segment{at("key", 0, 20), at("reads the", 30, 90), at("gauges", 30, 60)}
	if got := lineOf(cell).text; got != "key reads the gauges" {
		t.Errorf("a cell of two lines: %q", got)
	}
}

// What is written into the fields of a form is text of its page.
func TestPDFFields(t *testing.T) {
	t.Parallel()
	const text = "BT /F1 11 Tf 2 4 Td (Filled in by the keeper) Tj ET"
	file := strings.Join([]string{"%PDF-1.7", "1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj",
		"2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj",
		"3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Annots [4 0 R] >> endobj",
		"4 0 obj << /Type /Annot /Subtype /Widget /FT /Tx /Rect [72 500 300 520] /AP << /N 5 0 R >> >> endobj",
		"5 0 obj << /Type /XObject /Subtype /Form /BBox [0 0 228 20] /Resources << /Font << /F1 6 0 R >> >> /Length 51 >> stream",
		text, "endstream endobj", "6 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >> endobj",
		"trailer << /Root 1 0 R >>", "%%EOF"}, "\n")
	if x, err := testPDF().Extract(t.Context(), []byte(file)); err != nil || x.Text != "Filled in by the keeper" {
		t.Errorf("%q, %v", x.Text, err)
	}
}
