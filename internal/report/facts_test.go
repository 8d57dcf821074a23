package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/grounding/citing"
)

func TestReasonsUseTheNumbersOfTheText(t *testing.T) {
	d := Document{Sources: []Source{source(5, 1, 1, "A", "https://a.example/"), source(3, 0, 0, "B", "https://b.example/")},
		Sentences: []Sentence{{Because: `Wording alone does not decide: the closest passage, in S5, lacks "the S5 line"; S3 and S55 are not cited.`,
			Flags: []string{"quote_elsewhere: in S5"}, Differences: []citing.Difference{{SourceID: "S5"}}}}}
	got := factsOf(d).Sentences[0]
	want := Sentence{Because: `Wording alone does not decide: the closest passage, in [1], lacks "the S5 line"; S3 and S55 are not cited.`,
		Flags: []string{"quote_elsewhere: in [1]"}, Differences: []citing.Difference{{SourceID: "[1]"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if d.Sentences[0].Flags[0] != "quote_elsewhere: in S5" || d.Sentences[0].Differences[0].SourceID != "S5" {
		t.Error("the document was changed")
	}
}
