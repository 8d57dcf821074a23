package grounding

import (
	_ "embed"
	"strings"
	"testing"
)

//go:embed testdata/embedded.tsv
var embeddedClaims string

// What a text says only below another word ("ruled out raising", "feared that it fails") grounds no claim.
func TestEmbedded(t *testing.T) {
	const apart = " The office published the report in the same week, with maps and tables of the region."
	for line := range strings.Lines(embeddedClaims) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		text, claim, ok := strings.Cut(rest, "\t")
		if !ok {
			t.Fatalf("no claim: %q", line)
		}
		if text[len(text)-1] == '.' && claimLanguage(text, "") == "en" {
			text += apart
		}
		v := NewChecker([]Source{{ID: "S1", Text: text}}).Check(Claim{Text: claim, Citations: []Citation{{SourceID: "S1"}}})
		if kind == "false" && v.Status == Grounded || kind == "true" && v.Status == Unsupported {
			t.Errorf("%s: %q in %q: %s %s", kind, claim, text, v.Status, v.Because)
		}
	}
}
