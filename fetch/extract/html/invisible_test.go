package html

import (
	"strings"
	"testing"
)

// Words that no reader sees are counted wherever they are in a page's text, and are in no text that is kept.
func TestInvisibleWordsAreCounted(t *testing.T) {
	t.Parallel()
	spelled := func(s string) string {
		var b strings.Builder
		for _, r := range s {
			b.WriteRune(0xe0000 + r)
		}
		return b.String()
	}
	tests := []struct {
		name, in string
		want     int
	}{
		{"an ordinary page", "soft\u00adhyphens, a zero-width\u200bbreak", 0},
		{"in the text", "word" + spelled("obey") + ".", 4},
		{"as entities", "word&#xE006F;&#917602;", 2},
		{"in what the page hides", `<span style="display:none">` + spelled("obey") + `</span>`, 4},
		{"in a script", "<script>" + spelled("obey") + "</script>", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			page := "<article><p>" + strings.Repeat("The lighthouse keeper wrote the log every night. ", 8) + "</p><p>" + tt.in +
				"</p></article>"
			x, err := written(t.Context(), page, nil)
			if err != nil {
				t.Fatal(err)
			}
			if x.Invisible != tt.want {
				t.Errorf("%d are counted, want %d", x.Invisible, tt.want)
			}
			if strings.ContainsFunc(x.Text, func(r rune) bool { return r >= 0xe0000 && r <= 0xe007f }) {
				t.Errorf("some of it is in the text: %q", x.Text)
			}
		})
	}
}
