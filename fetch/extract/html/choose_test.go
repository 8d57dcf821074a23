package html

import (
	"strings"
	"testing"
)

// The rows of a table are kept or left out together, and a table between two paragraphs of the text is kept.
func TestTablesAreWhole(t *testing.T) {
	t.Parallel()
	page := `<p>One.</p><table><tr><th>Day</th><th>Height</th></tr><tr><td>Monday</td><td>4.1 m</td></tr></table><p>Two.</p>
		<div><table><tr><td>Home</td></tr><tr><td>Search</td></tr></table></div>`
	o := outlineOf(parseTree(page))
	tests := []struct {
		name    string
		chances []float32 // of: One., Day, Monday, Two., Home, Search
		want    string
	}{
		{"a table in the text", []float32{0.9, 0.1, 0.1, 0.9, 0.1, 0.1}, "One. Day Height Monday 4.1 m Two."},
		{"a header row with little chance", []float32{0.1, 0.5, 0.9, 0.1, 0.1, 0.1}, "Day Height Monday 4.1 m"},
		{"a table with one likely row", []float32{0.9, 0.1, 0.1, 0.1, 0.1, 0.7}, "One."},
		{"nothing", []float32{0, 0, 0, 0, 0, 0}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			oneArticle := make(pageFeatures, atDeclared+1)
			oneArticle[atDeclared] = 1
			var kept []string
			for i, keep := range o.keep(tt.chances, oneArticle) {
				if keep {
					kept = append(kept, o.blocks[i].text)
				}
			}
			if got := strings.Join(kept, " "); got != tt.want {
				t.Errorf("kept %q, want %q", got, tt.want)
			}
		})
	}
}
