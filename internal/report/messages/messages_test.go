package messages

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var verb = regexp.MustCompile(`%(?:\[\d+\])?[ds%]`)

func verbsOf(s string) []string {
	var out []string
	for _, v := range verb.FindAllString(s, -1) {
		out = append(out, regexp.MustCompile(`\[\d+\]`).ReplaceAllString(v, ""))
	}
	slices.Sort(out)
	return slices.DeleteFunc(out, func(v string) bool { return v == "%%" })
}

// Every text has a translation into every language, with the same arguments.
func TestTranslationsAreComplete(t *testing.T) {
	if len(For("de").words) < 200 {
		t.Fatalf("the table has %d texts", len(For("de").words))
	}
	for _, lang := range Languages()[1:] {
		table := For(lang)
		if len(table.words) != len(For("de").words) {
			t.Errorf("%s has %d texts, de has %d", lang, len(table.words), len(For("de").words))
		}
		for key, text := range table.words {
			if strings.TrimSpace(text) == "" || !slices.Equal(verbsOf(key), verbsOf(text)) {
				t.Errorf("%s: %q is %q", lang, key, text)
			}
		}
	}
}

// The table has every text of the report's template and of the loop's page.
func TestTemplatesAreTranslated(t *testing.T) {
	text := regexp.MustCompile(`[{(]t "([^"]*)"`)
	for _, file := range []string{"../page.gohtml", "../../web/templates/loop.gohtml", "../../web/templates/frame.gohtml"} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := text.FindAllSubmatch(source, -1)
		if len(found) == 0 {
			t.Errorf("%s has no text", file)
		}
		for _, m := range found {
			if _, ok := For("de").words[string(m[1])]; !ok {
				t.Errorf("%s: no translation of %q", file, m[1])
			}
		}
	}
}

func TestLanguageOf(t *testing.T) {
	for text, want := range map[string]string{
		"Wann wurde der Leuchtturm auf der Insel gebaut, und wer hat den Bau bezahlt, als das Geld nicht mehr da war?":     "de",
		"Quand le phare a-t-il été construit sur le cap, et par qui, pour que les bateaux ne se perdent pas dans la nuit?": "fr",
		"灯塔是什么时候建成的？": "zh", "灯台はいつ建てられましたか。": "ja", "등대는 언제 지어졌습니까?": "", "xyz": "",
	} {
		if got := LanguageOf(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if got := For("").Lang() + For("ko").Lang() + (Table{}).Lang(); got != "enenen" {
		t.Errorf("the default is %q", got)
	}
	if got := For("ja").T("Passage %d for sentence %d", 1, 7); got != "文 7 の箇所 1" {
		t.Errorf("%q", got)
	}
}
