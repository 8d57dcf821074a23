package passage

import (
	"strings"
	"testing"
)

// What is only for editors, or only lists what the text has, is in no passage; offsets stay those of the whole text.
func TestRemarksAndContentsAreNotOffered(t *testing.T) {
	const body = "# Harbour\n\nThe ferry leaves at noon.\n\n"
	tests := []struct {
		name, text string
		keeps      string // in a passage, besides body's sentence
	}{
		{"a comment", "<!-- ferry: say when\n\nit leaves -->\n\n" + body, ""},
		{"a comment within a paragraph", body + "Boats wait <!-- ferry? --> at the quay.", "at the quay."},
		{"a comment that does not end", body + "<!-- Boats wait.", "<!-- Boats wait."},
		{"an empty comment", body + "<!--> Boats wait at the quay. -->", "Boats wait at the quay."},
		{"links within the page", "- [Ferry](#ferry)\n- [1. Boats and ferry](#boats)\n- [Ferry dues](#dues)\n\n" + body, ""},
		{"numbers of pages", "Contents\n\n1 Ferry ............ 3\n2 The ferry in winter . . . . . . 14\n3 Ferry dues …… 20\n\n" + body,
			""},
		{"a bar of links", "[Ferry](/a) | [Ferry times](/b)\n[Ferry prices](/c)\n[Ferry news](/d)\n\n" + body, ""},
		{"titles of the sections", "Ferry times\nFerry prices\nFerry news\n\n" + body +
			"## Ferry times\n\nNoon.\n\n## Ferry prices\n\nNone.\n\n## Ferry news\n\nMany.", "Noon."},
		{"one link", body + "[The guide](https://example.org/guide)", "[The guide]"},
		{"a list with links", body + "- [Gulls](#gulls) are loud.\n- [Otters](#otters) are not.", "are loud."},
		{"an ellipsis", body + "He waited ... 3 hours.", "He waited"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all, runes := "", []rune(tt.text)
			for _, p := range Split(tt.text, 200) {
				if string(runes[p.Start:p.End]) != p.Text {
					t.Errorf("%d-%d is not %q", p.Start, p.End, p.Text)
				}
				all += p.Text + "\n"
			}
			if strings.Count(strings.ToLower(all), "ferry") != strings.Count(tt.keeps, "ferry")+1+3*strings.Count(tt.name, "titles") ||
				!strings.Contains(all, tt.keeps) {
				t.Errorf("the passages are:\n%s", all)
			}
		})
	}
}
