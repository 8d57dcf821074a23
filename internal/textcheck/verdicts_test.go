package textcheck

import (
	"testing"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
)

// A sentence that waits for review fails a check only if the caller requests it. A contradicted sentence always does.
func TestFailConditions(t *testing.T) {
	const text = "The tower was built in 1874 [1]."
	differs := []citing.Difference{{Kind: "number", Claim: "1874", Source: "1974"}}
	for _, tt := range []struct {
		name   string
		claim  Claim
		failOn []Kind
		want   string
	}{
		{"grounded", Claim{Status: grounding.Grounded}, DefaultFailOn(), Pass},
		{"waiting", Claim{Status: grounding.Inferred}, DefaultFailOn(), Pass},
		{"waiting, strict", Claim{Status: grounding.Inferred}, append(DefaultFailOn(), Inferred), Fail},
		{"contradicted", Claim{Status: grounding.Unsupported, Differences: differs}, []Kind{Contradicted}, Fail},
		{"contradicted is unsupported", Claim{Status: grounding.Unsupported, Differences: differs}, []Kind{Unsupported}, Fail},
		{"not found is not contradicted", Claim{Status: grounding.Unsupported}, []Kind{Contradicted}, Pass},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := sampleOf(t)
			s.r.FailOn, s.r.Sources = tt.failOn, s.r.Sources[:1]
			if tt.claim.Status == grounding.Unsupported {
				s.r.Threshold = 0
			}
			s.draft("a.md", text)
			s.claim(text, text, tt.claim, Citation{Marker: "[1]", URL: "https://arden.example/tower"})
			if r := s.done(); r.Verdict != tt.want {
				t.Errorf("verdict %s, want %s", r.Verdict, tt.want)
			}
		})
	}
}
