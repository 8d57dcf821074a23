package verify

import (
	"strings"
	"testing"
)

func TestSurroundings(t *testing.T) {
	filler := strings.Repeat("This sentence stands far away from it. ", 30)
	long := strings.Repeat("x", 2*contextChars)
	for _, tt := range []struct {
		name                  string
		left, passage, right  string
		wantBefore, wantAfter string
	}{
		{"a short text", "One is here. Two is here. ", "The passage.", " Three is here.", "One is here. Two is here. ", " Three is here."},
		{"the ends of a text", "", "The passage.", "", "", ""},
		{"three sentences on each side", filler + "First before. Second before. Third before. ", "The passage.",
			" First after. Second after. Third after. " + filler,
			"First before. Second before. Third before. ", " First after. Second after. Third after."},
		{"no sentence that was cut", strings.Repeat("y ", contextChars) + "is long. Near. ", "The passage.",
			" Near. It " + strings.Repeat("z ", contextChars) + "is long.", "Near. ", " Near."},
		{"nothing but one word", long, "word", long, long[:contextChars], long[:contextChars]},
		{"Chinese", strings.Repeat("远处的句子。", 200) + "第一句。第二句。第三句。", "这是引文。",
			"后一句。后二句。后三句。" + strings.Repeat("远处的句子。", 200), "第一句。第二句。第三句。",
			"后一句。后二句。后三句。"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := NewText(tt.left + tt.passage + tt.right)
			start := len([]rune(tt.left))
			before, after := Surroundings(text, start, start+len([]rune(tt.passage)))
			if before != tt.wantBefore || after != tt.wantAfter {
				t.Errorf("got %q and %q, want %q and %q", before, after, tt.wantBefore, tt.wantAfter)
			}
			if !strings.HasSuffix(tt.left, before) || !strings.HasPrefix(tt.right, after) {
				t.Error("they do not touch the passage")
			}
		})
	}
}
