package loops_test

import (
	"testing"

	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/internal/loops"
)

// Two sources that contradict each other are reported as a conflict with both passages.
func TestOppositeStatements(t *testing.T) {
	tests := []struct {
		name, one, other string
		want             int
	}{
		{"a negation", "Skipping breakfast helps adults lose weight.", "Skipping breakfast does not help adults lose weight.", 1},
		{"a direction", "Rents in the old town rose after the reform.", "Rents in the old town fell after the reform.", 1},
		{"another subject", "Skipping breakfast helps adults lose weight.", "Skipping dinner does not help adults lose weight.", 0},
		{"another place", "Rents in the old town rose after the reform.", "Rents in the new harbour fell after the reform.", 0},
		{"the same", "Rents in the old town rose after the reform.", "Rents in the old town rose after the reform.", 0},
		{"nothing about it", "Rents in the old town rose after the reform.", "The reform was debated for eleven years.", 0},
	}
	filler := " The report was written by a committee of nine members over two winters. It has four chapters and a long appendix with tables. Nobody else has published on the matter, as far as the committee knows. A second edition was announced."
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHarness(t)
			loop := h.start("What happened?")
			h.web.put("https://one.example/a", "One", tt.one+filler)
			h.web.put("https://other.example/b", "Other", "This is the view of the other side, and it was printed in a paper of its own last year."+filler+" "+tt.other)
			h.read(loop, "https://one.example/a", "https://other.example/b")
			v, err := h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Claims: []citing.Claim{citing.New(tt.one, "S1")}})
			if err != nil {
				t.Fatal(err)
			}
			if len(v.Conflicts) != tt.want {
				t.Fatalf("%d conflicts, want %d: %+v", len(v.Conflicts), tt.want, v.Conflicts)
			}
			if tt.want > 0 {
				if x := v.Conflicts[0]; x.A.SourceID != "S1" || x.B.SourceID != "S2" || x.A.Text == "" || x.B.Text == "" || x.ValueA == x.ValueB {
					t.Errorf("the conflict is %+v", x)
				}
			}
		})
	}
}
