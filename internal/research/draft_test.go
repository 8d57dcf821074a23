package research

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestReplaced(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, draft, sentence string
		line                  int
		with, want            string
	}{
		{"cut with its marks", "One is one [S1]. Two is two [S2]. Three is three [S3].\n", "Two is two.", 1, "", "One is one [S1].  Three is three [S3].\n"},
		{"marks behind the full stop", "One is one. [S1] Two is two. [S2][S3] Three is three. [S3]\n", "Two is two.", 1, "", "One is one. [S1]  Three is three. [S3]\n"},
		{"replaced", "One is one [S1]. Two is two [S2].\n", "Two is two.", 1, "Two is nearly two [S1].", "One is one [S1]. Two is nearly two [S1].\n"},
		{"with emphasis and quotation marks", "**He said: “It is so.”** [S1] Then he went [S2].\n", "He said: “It is so.”", 1, "", " Then he went [S2].\n"},
		{"a link", "See [the study](https://a.example/b) of 1990 [S1]. More [S2].\n", "See the study of 1990.", 1, "", " More [S2].\n"},
		{"the second of two that are the same", "It is so [S1].\n\nIt is so [S2].\n", "It is so.", 3, "", "It is so [S1].\n\n\n"},
		{"not found: its line is removed", "One [S1].\n\nOther words here [S2].\n", "Something else entirely.", 3, "", "One [S1].\n\n\n"},
		{"Chinese", "潮汐每天两次[S1]。港口在冬天关闭[S2]。\n", "港口在冬天关闭。", 1, "", "潮汐每天两次[S1]。\n"},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, replaced(test.draft, test.sentence, test.line, test.with)); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestTidied(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"a fence around the whole", "```markdown\n# A\n\nB [S1].\n```", "# A\n\nB [S1].\n"},
		{"wrapped lines", "# A\nB is a long\nsentence [S1].\n- item\n  goes on [S2].\n", "# A\nB is a long sentence [S1].\n- item goes on [S2].\n"},
		{"a list of sources", "# A\n\nB [S1].\n\n## Sources\n\n[S1] A book\n\n## Limitations\n\nC [S2].\n", "# A\n\nB [S1].\n\n## Limitations\n\nC [S2].\n"},
		{"a table", "| a | b |\n|---|---|\n| 1 [S1] | 2 |\n", "| a | b |\n|---|---|\n| 1 [S1] | 2 |\n"},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, tidied(test.text)); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestPruned(t *testing.T) {
	t.Parallel()
	got := pruned("# Title\n\n## Empty\n\n### Also empty\n\n## Full\n\nA [S1].\n\n- \n- B [S2].\n\n1. \n\n\n[S3].\n\n## At the end\n")
	want := "# Title\n\n## Full\n\nA [S1].\n\n- B [S2].\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWholeSentences(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"cut in a sentence", "One is one [S1]. Two is tw", "One is one [S1]."},
		{"cut behind a mark", "One is one. [S1] Two is tw", "One is one. [S1]"},
		{"cut in a line", "# A\n\nB", "# A"},
		{"a decimal point", "It is 3.5 and then", ""},
		{"whole", "One.", "One."},
		{"Chinese", "潮汐。港口", "潮汐。"},
	}
	for _, test := range tests {
		if got := wholeSentences(test.text); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestWithoutUnknown(t *testing.T) {
	t.Parallel()
	got := withoutUnknown("A [S1][S9]. B [S9:4]. C [S9, S2]. D [S1:120-128, 140; S9:3; S2:7].", map[string]string{"S1": "", "S2": ""})
	if want := "A [S1]. B . C [S2]. D [S1:120-128, 140; S2:7]."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func FuzzReplaced(f *testing.F) {
	f.Add("One is one [S1]. Two is two [S2].\n", "Two is two.", 1)
	f.Add("**a** [b](c) [S1, S2]\n|x|\n", "a b", 2)
	f.Add("潮汐每天两次[S1]。", "潮汐每天两次", 0)
	f.Add("İstanbul [S1]. ſ", "istanbul", 1)
	f.Fuzz(func(t *testing.T, draft, sentence string, line int) {
		if !utf8.ValidString(draft) || !utf8.ValidString(sentence) {
			t.Skip()
		}
		if got := replaced(draft, sentence, line, ""); len(got) > len(draft) {
			t.Errorf("cutting made %q of %q", got, draft)
		}
		if got := pruned(tidied(draft)); !strings.HasSuffix(got, "\n") {
			t.Errorf("%q", got)
		}
		wholeSentences(draft)
	})
}
