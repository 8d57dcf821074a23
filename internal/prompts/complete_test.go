package prompts

import (
	"strings"
	"testing"
)

func TestLooksComplete(t *testing.T) {
	long := strings.Repeat("One sentence follows another. ", 40)
	for _, text := range []string{"It rose.", "It rose!", "Did it rise?", "它上涨了。", "它上涨了！", "它上涨了吗？",
		"It rose. \n\n", "What is it up to?", "It rose, it fell..."} {
		if !LooksComplete(text, 0) {
			t.Errorf("%q is not complete", text)
		}
	}
	for _, text := range []string{"", " \n ", "It rose", "It rose,", "It rose and", "It rose and...", "It rose OR ...", "It goes with",
		"It goes to", "石头、", "石头、。。。", "石と", "石や"} {
		if LooksComplete(text, 0) {
			t.Errorf("%q is complete", text)
		}
	}
	for text, least := range map[string][2]int{"It rose.": {0, 1000}, long: {1000, MinComprehensiveChars},
		strings.Repeat("水", 999) + "。": {1000, 1001}} {
		if !LooksComplete(text, least[0]) || LooksComplete(text, least[1]) {
			t.Errorf("%.20q… is incomplete from %d characters, or complete at %d", text, least[0], least[1])
		}
	}
}

func TestContinuation(t *testing.T) {
	l := englishLoop()
	text := "THE FIRST WORD. " + strings.Repeat("x", 3000) + " 末尾はこれと"
	got := render(t, "continue_report", l, ArgText, text)
	if strings.Contains(got, "THE FIRST WORD") || !strings.Contains(got, "末尾はこれと") || strings.Count(got, "x") < 1900 {
		t.Error("the excerpt is not the end of the text")
	}
	if !strings.Contains(got, "cut off before its end") {
		t.Error("a cut text counts as complete")
	}
	whole := strings.Repeat("It rose. ", 200)
	if got := render(t, "continue_report", l, ArgText, whole); !strings.Contains(got, "ends like a finished one") {
		t.Error("a whole text counts as cut")
	}
	l.Complexity = "complex" // a comprehensive report is longer
	if got := render(t, "continue_report", l, ArgText, whole); !strings.Contains(got, "cut off before its end") {
		t.Error("1,800 characters count as a comprehensive report")
	}
	if n := len([]rune(Excerpt(strings.Repeat("水", 5000)))); n != 2000 {
		t.Errorf("excerpt of %d characters, want 2,000", n)
	}
}
