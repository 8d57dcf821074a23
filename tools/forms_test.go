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
