package local

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPlaceOfAPassage(t *testing.T) {
	text := "---\ntitle: Lamps\n---\n# Harbour\n\nThe lamp burns whale oil.\n\n## Cöst\n\n- oil: 40\n- gas: 30\n\nOver.\n"
	for _, tt := range []struct{ of, lines, section string }{
		{"title: Lamps", "2", ""},
		{"The lamp burns whale oil.", "6", "Harbour"},
		{"## Cöst\n\n- oil: 40", "8-10", "Harbour > Cöst"},
		{"gas: 30", "11", "Harbour > Cöst"},
		{"gas: 30\n\nOver.", "11-13", "Harbour > Cöst"},
		{"", "", ""},
	} {
		for _, before := range []string{"", strings.Repeat("An ö in it.\n", 60_000)} {
			whole := before + text
			start := utf8.RuneCountInString(whole[:strings.Index(whole, tt.of)])
			in, section := linesOf(whole, start, start+utf8.RuneCountInString(tt.of))
			if before == "" && (in != tt.lines || section != tt.section) {
				t.Errorf("%q: lines %s of %q, want %s of %q", tt.of, in, section, tt.lines, tt.section)
			}
			if before != "" && tt.section != section {
				t.Errorf("%q, far down: %q, want %q", tt.of, section, tt.section)
			}
		}
	}
}
