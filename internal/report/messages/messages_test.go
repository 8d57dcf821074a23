package messages

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The table has every text of the templates, and every one that the page and its errors translate.
func TestTextsAreTranslated(t *testing.T) {
	text := regexp.MustCompile(`(?:[{(]t |said\(|\.T\(|loopstate\.Code\w+: +)"((?:[^"\\]|\\.)*)"`)
	counted := regexp.MustCompile(`(?:[{(]count [^"]*|\.Count\([^"]*)"([^"]*)",? "([^"]*)"`)
	for pattern, least := range map[string]int{"../page.gohtml": 80, "../report.gomd": 60, "../*.go": 60, "../../web/templates/*.gohtml": 300, "../../web/*.go": 80, "../../wording/*.go": 45} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, m := range slices.Concat(text.FindAllStringSubmatch(string(source), -1), counted.FindAllStringSubmatch(string(source), -1)) {
				for _, key := range m[1:] {
					if found++; !For("de").Has(strings.ReplaceAll(key, `\"`, `"`)) {
						t.Errorf("%s: no translation of %q", file, key)
					}
				}
			}
		}
		if found < least {
			t.Errorf("%s has %d texts, want at least %d", pattern, found, least)
		}
	}
}

// Templates have no text of their own: what a visitor reads is translated.
func TestTemplatesHaveOnlyTranslatedText(t *testing.T) {
	outside := regexp.MustCompile(`(?s){{.*?}}|<!--.*?-->|<[a-zA-Z/!](?:[^>"']|"[^"]*"|'[^']*')*>`)
	label := regexp.MustCompile(`(?:aria-label|title|placeholder|alt)="[^"{]*\pL[^"]*"`)
	word := regexp.MustCompile(`\pL{2,}`)
	files, err := filepath.Glob("../../web/templates/*.gohtml")
	files = append(files, "../page.gohtml")
	if err != nil || len(files) < 9 {
		t.Fatalf("%d templates, %v", len(files), err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, attribute := range label.FindAllString(string(source), -1) {
			t.Errorf("%s: %s is not translated", file, attribute)
		}
		for line := range strings.Lines(outside.ReplaceAllString(string(source), " ")) {
			if rest := strings.NewReplacer("citeloop", "", "SHA-256", "", "doi:", "", "&amp;", "").Replace(line); word.MatchString(rest) {
				t.Errorf("%s: %q is not translated", file, strings.TrimSpace(rest))
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
	if got := For("").Lang() + For("ko").Lang() + For("de").Lang(); got != "enende" {
		t.Errorf("languages: %q", got)
	}
	if got := For("ja").T("Passage %d for sentence %d", 1, 7); got != "文 7 の箇所 1" {
		t.Errorf("the translation is %q", got)
	}
}
