package textcheck

import (
	"os"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/grounding"
)

// SARIF links each rule to a heading, and every status, basis and kind of difference is documented.
func TestVerdictsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/verdicts.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, kind := range AllKinds() {
		want = append(want, "\n### "+string(kind)+"\n")
	}
	for _, word := range []string{string(grounding.Grounded), string(grounding.Inferred), string(grounding.Unsupported), "uncited", string(NotChecked), string(grounding.BasisWording), string(grounding.BasisReview)} {
		want = append(want, "| `"+word+"` |")
	}
	for _, kind := range []grounding.DifferenceKind{grounding.DifferentNumber, grounding.DifferentUnit, grounding.DifferentRate, grounding.DifferentNegation, grounding.DifferentDirection,
		grounding.DifferentQuantifier, grounding.DifferentCertainty, grounding.DifferentOrdinal, grounding.DifferentName, grounding.DifferentRole, grounding.DifferentBinding,
		grounding.DifferentSpeaker, grounding.DifferentTime, grounding.DifferentCondition, grounding.DifferentMyth} {
		want = append(want, "| `"+string(kind)+"` |")
	}
	for _, words := range want {
		if !strings.Contains(string(page), words) {
			t.Errorf("docs/verdicts.md lacks %q", words)
		}
	}
}
