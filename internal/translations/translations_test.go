package translations

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	verb     = regexp.MustCompile(`%(?:\[\d+\])?[dsqv%]`)
	position = regexp.MustCompile(`\[\d+\]`)
)

func verbsOf(s string) []string {
	var out []string
	for _, v := range verb.FindAllString(s, -1) {
		out = append(out, position.ReplaceAllString(v, ""))
	}
	slices.Sort(out)
	return slices.DeleteFunc(out, func(v string) bool { return v == "%%" })
}

// Every text has a translation into every language, with the same arguments.
func TestFilesAreComplete(t *testing.T) {
	for path, texts := range map[string]int{"../report/messages/messages.txt": 200, "../report/messages/page.txt": 200} {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		tables := Parse(string(file))
		keys := tables["de"].texts
		if len(keys) < texts {
			t.Fatalf("%s has %d texts, want at least %d", path, len(keys), texts)
		}
		for _, lang := range []string{"de", "fr", "es", "zh", "ja"} {
			if n := len(tables[lang].texts); n != len(keys) {
				t.Errorf("%s has %d texts in %s, %d in de", path, n, lang, len(keys))
			}
		}
		for lang, table := range tables {
			for key, text := range table.texts {
				if _, ok := keys[key]; !ok || strings.TrimSpace(text) == "" || !slices.Equal(verbsOf(key), verbsOf(text)) {
					t.Errorf("%s: %s: %q is %q", path, lang, key, text)
				}
			}
		}
	}
}

func TestTable(t *testing.T) {
	tables := Parse("# a comment\n\none hit\nde\tein Treffer\n\n%s hits\nde\t%s Treffer\n\n%d of %d\nde\tvon %[2]d %[1]d\n")
	de, en := tables["de"], tables["en"]
	if got := de.Lang() + en.Lang() + (Table{}).Lang(); got != "deenen" {
		t.Errorf("languages: %q", got)
	}
	for got, want := range map[string]string{
		de.Count(1, "1", "one hit", "%s hits"): "ein Treffer",
		de.Count(2, "2", "one hit", "%s hits"): "2 Treffer",
		en.Count(2, "2", "one hit", "%s hits"): "2 hits",
		de.T("%d of %d", 1, 7):                 "von 7 1",
		de.T("unknown text"):                   "unknown text",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if de.Has("a comment") || !de.Has("one hit") || en.Has("one hit") {
		t.Error("Has is wrong")
	}
}
