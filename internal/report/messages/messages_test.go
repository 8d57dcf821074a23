package messages

import (
	"os"
	"regexp"
	"testing"
)

// The table has every text of the templates of the report and of the loop's page.
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
			if !For("de").Has(string(m[1])) {
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
	if got := For("").Lang() + For("ko").Lang() + For("de").Lang(); got != "enende" {
		t.Errorf("languages: %q", got)
	}
	if got := For("ja").T("Passage %d for sentence %d", 1, 7); got != "文 7 の箇所 1" {
		t.Errorf("the translation is %q", got)
	}
}
