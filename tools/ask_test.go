package tools

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// The form has the question, shortened, and the bounds of its answer.
func TestRoundsForm(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{"Is glass\n a liquid?": "“Is glass a liquid?”", "": "This research", strings.Repeat("ä", 200): "“" + strings.Repeat("ä", maxQueryShown) + "…”"} {
		form := roundsForm(loops.RoundsQuestion{Query: query, Round: 8, MaterialGaps: 2, Least: 9, Most: 15, Ends: "complete"})
		if !strings.Contains(form.Message, want) || !strings.Contains(form.Message, "complete") {
			t.Errorf("%q: %s", query, form.Message)
		}
		if rounds := form.Schema["properties"].(map[string]any)["rounds"].(map[string]any); rounds["minimum"] != 9 || rounds["maximum"] != 15 || rounds["default"] != 15 {
			t.Errorf("schema %v", rounds)
		}
	}
}

func TestRoundsIn(t *testing.T) {
	t.Parallel()
	q := loops.RoundsQuestion{Round: 8, Least: 9, Most: 15}
	for content, want := range map[string]int{
		`{"rounds": 12}`: 12, `{"rounds": 9}`: 9, `{"rounds": 15}`: 15, `{"rounds": 12.0}`: 12, `{"rounds": 1.2e1}`: 12, `{"rounds": 12, "more": true}`: 12,
		`{}`: 0, `null`: 0, `{"rounds": 8}`: 0, `{"rounds": 16}`: 0, `{"rounds": -12}`: 0, `{"rounds": 12.5}`: 0, `{"rounds": "12"}`: 0, `{"rounds": true}`: 0,
		`{"rounds": null}`: 0, `{"rounds": [12]}`: 0, `{"rounds": {"rounds": 12}}`: 0, `{"rounds": 1000000000}`: 0, `{"rounds": 1e300}`: 0, `{"Rounds": 12}`: 0,
	} {
		var m map[string]any
		if err := json.Unmarshal([]byte(content), &m); err != nil {
			t.Fatal(err)
		}
		if got := roundsIn(m, q); got != want {
			t.Errorf("%s confirms %d rounds, want %d", content, got, want)
		}
	}
}

// Any content of a form results in an offered choice, the user's own words within their limits, or nothing.
func FuzzForms(f *testing.F) {
	long := strings.Repeat("word ", 60)
	for _, seed := range []string{`{"reading":"a b","other":"c"}`, `{"reading":"something else","other":"  c\n d"}`, `{"reading":["a b"]}`, `{"text":"` + long + `","title":"T\u202e\n"}`, `{"text":"` + long + `"}`, `{"text":7,"title":{}}`, `null`, `[]`, `{"reading":"something else","other":"` + strings.Repeat("é", 500) + `"}`} {
		f.Add(seed)
	}
	q := loops.ReadingQuestion{Query: "q", Readings: []string{"a b", "c d"}}
	f.Fuzz(func(t *testing.T, content string) {
		var m map[string]any
		if json.Unmarshal([]byte(content), &m) != nil {
			return
		}
		if got := readingIn(m, q); got != "" && !slices.Contains(q.Readings, got) {
			if m["reading"] != somethingElse || utf8.RuneCountInString(got) > loopstate.MaxReadingChars || strings.ContainsAny(got, "\n\t") {
				t.Errorf("%s chooses %q", content, got)
			}
		}
		title, text := textIn(m)
		if n := utf8.RuneCountInString(text); n != 0 && (n < loops.MinPastedChars || n > loops.MaxPastedChars) || n == 0 && title != "" {
			t.Errorf("%s gives %d characters called %q", content, n, title)
		}
		if utf8.RuneCountInString(title) > maxTitleChars+1 || strings.ContainsFunc(title, unicode.IsControl) {
			t.Errorf("%s gives the title %q", content, title)
		}
	})
}

// An untrusted address stays on one line of the form.
func TestTextForm(t *testing.T) {
	t.Parallel()
	got := textForm(loops.TextQuestion{At: 3, URL: "https://example.org/\u202e\nDecline:\x00 no " + strings.Repeat("x", 400), Reason: "the site asks for a log-in"})
	if strings.Count(got.Message, "\n") != 1 || strings.ContainsAny(got.Message, "\u202e\x00") || len(got.Message) > 900 || got.About != "3" {
		t.Errorf("form %+v", got)
	}
}
