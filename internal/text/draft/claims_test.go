package draft

import (
	"slices"
	"strings"
	"testing"
)

// A heading of the list makes what is below it the author's own, up to the next heading of its level.
func TestOwnSections(t *testing.T) {
	t.Parallel()
	const text = "\n\nThe pump is the better choice."
	for draft, want := range map[string][]string{
		"## Open questions" + text + "\n\n### Prices" + text + " It costs 40 crowns [S1].\n\n## Facts" + text: {"open", "open", "", ""},
		"## Limits of this report" + text + "\n\n## Limitations" + text:                                       {"absence", ""},
		"## 9. What I could not find" + text:                                                                  {"absence"},
		"## Was die Quellen nicht sagen" + text:                                                               {"absence"},
		"## Documents that you should not trust" + text:                                                       {""},
		"## What the pump does not do" + text:                                                                 {""},
	} {
		var got []string
		for _, s := range Parse(draft).Sentences {
			if got = append(got, s.Own); s.IsClaim != (s.Own == "") {
				t.Errorf("%q: claim %v, own %q", draft, s.IsClaim, s.Own)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q", draft, got)
		}
	}
}

func TestSentenceEndsBehindAMark(t *testing.T) {
	t.Parallel()
	draft := "So it is the cheaper one [inference]. [inference] marks what I conclude myself from the prices."
	for _, s := range Parse(draft).Sentences {
		if end := string([]rune(draft)[:s.End]); strings.Count(end, "[") != strings.Count(end, "]") {
			t.Errorf("%q ends within a mark: %q", s.Text, end)
		}
	}
}

func TestBreaksEscapedTwice(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{`Otters swim all day.\n\n## Age\n\nHerons wait [S1].`: 2,
		`{"text": "Otters swim.\n\nHerons wait."}`: 1} {
		if got := Parse(text).Sentences; len(got) != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
}
