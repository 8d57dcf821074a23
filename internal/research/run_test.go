package research_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/research"
)

// An honest model with a local corpus ends with two sign-offs and a valid report.
func TestHonestRunEndsWithAReport(t *testing.T) {
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
	checkGolden(t, "testdata/honest.txt", out.String())
}

var changing = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\d|\S*/report\.|[\d,]+ (tokens|characters)`)

var update = flag.Bool("update", false, "rewrite the golden files")

// checkGolden compares a transcript with the committed one.
func checkGolden(t *testing.T, path, got string) {
	t.Helper()
	got = changing.ReplaceAllStringFunc(got, func(s string) string {
		switch {
		case strings.HasSuffix(s, "tokens"), strings.HasSuffix(s, "characters"):
			return "N " + s[strings.LastIndex(s, " ")+1:]
		case strings.Contains(s, "report."):
			return "OUT/report."
		case len(s) == 10:
			return "DATE"
		}
		return "ID"
	})
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
