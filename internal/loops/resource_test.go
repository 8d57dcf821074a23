package loops_test

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

func TestReadSpan(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("q")
	text := strings.TrimSpace(strings.Repeat("Ein Größer über 灯塔 𝄞. ", 30_000)) // 21 code points each
	chars := len([]rune(text))
	h.web.put("https://example.org/a", "A", text)
	h.read(loop, "https://example.org/a")
	tests := []struct {
		name             string
		start, end       int
		wantFrom, wantTo int
		cut              bool
	}{
		{"all of it", 0, 0, 0, chars, false},
		{"a stretch", 16, 18, 16, 18, true},
		{"the last character", chars - 1, chars, chars - 1, chars, false},
		{"beyond the end", chars - 5, chars + 5, chars - 5, chars, false},
		{"to the end", chars - 5, 0, chars - 5, chars, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := must(h.ReadSpan(t.Context(), loop, "S1", tt.start, tt.end))(t)
			if got.Start != tt.wantFrom || got.End != tt.wantTo || got.Cut() != tt.cut || got.Chars != chars ||
				got.Text != string([]rune(text)[tt.wantFrom:tt.wantTo]) {
				t.Errorf("%d to %d of %d, cut %v, %d bytes", got.Start, got.End, got.Chars, got.Cut(), len(got.Text))
			}
		})
	}
	for _, span := range [][2]int{{-1, 5}, {0, -1}, {5, 5}, {chars, 0}} {
		_, err := h.ReadSpan(t.Context(), loop, "S1", span[0], span[1])
		refusal(t, err, "span", loopstate.CodeBadSpan)
	}
	_, err := h.ReadSpan(t.Context(), loop, "S2", 0, 0)
	refusal(t, err, "source", loopstate.CodeUnreadSource)
}
