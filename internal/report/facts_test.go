package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/verify/remark"
)

func TestReasonsUseTheNumbersOfTheText(t *testing.T) {
	d := Document{Parts: []Part{}, Sources: []Source{source(5, 1, 1, "A", "https://a.example/"), source(3, 0, 0, "B", "https://b.example/")},
		Sentences: []Sentence{{Because: `Wording alone does not decide: the closest passage, in S5, lacks "the S5 line"; S3 and S55 are not cited.`,
			Flags: []string{"quote_elsewhere: in S5"}, Remarks: []remark.Remark{{Kind: remark.Word, Claim: "9", SourceID: "S5", Line: 4}}}}}
	got := factsOf(d).Sentences[0]
	want := []string{`Wording alone does not decide: the closest passage, in [1], lacks "the S5 line"; S3 and S55 are not cited.`, "quote_elsewhere: in [1]", `the claim has "9", which [1]:4 does not have`}
	if diff := cmp.Diff(want, append([]string{got.Because, got.Flags[0]}, got.remarks()...)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if d.Sentences[0].Flags[0] != "quote_elsewhere: in S5" || d.Sentences[0].Remarks[0].SourceID != "S5" {
		t.Error("the document was changed")
	}
}
