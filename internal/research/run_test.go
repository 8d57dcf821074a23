package research_test

import (
	"os"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/research"
)

// An honest model with a local corpus ends with two sign-offs and a valid report.
func TestHonestRunEndsWithAReport(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	model := &honest{}
	e := &endpoint{t: t, key: "sk-test", model: model.answer}
	var out strings.Builder
	got, err := research.Run(t.Context(), h.config(e.start().URL, &out))
	if err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	if got.Rounds != 3 || got.Sources != 4 || got.Claims != 4 || got.Sentences != 4 || got.Invented+got.Dropped+got.Failures != 0 {
		t.Errorf("%+v\n%s", got, &out)
	}
	if !strings.Contains(got.StopReason, "two sign-offs") {
		t.Errorf("it stopped because of %q", got.StopReason)
	}
	for _, path := range got.Files {
		report, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(report), "at high water only") || strings.Contains(string(report), "DRAFT") {
			t.Errorf("%s:\n%s", path, report)
		}
	}
	v := h.state(got.StateID, "rounds")
	if v.Status != "finished" || len(v.Rounds) != 3 || v.Rounds[0].Usage.Tokens == 0 {
		t.Errorf("the loop: %s, %+v", v.Status, v.Rounds)
	}
}
