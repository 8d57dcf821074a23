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
	l, comprehensive := englishLoop(), englishLoop()
	comprehensive.Complexity = "complex"
	cut, whole := "THE FIRST WORD. "+strings.Repeat("x", 3000)+" 末尾はこれと", strings.Repeat("It rose. ", 200)
	got := render(t, "continue_report", l, ArgText, cut)
	if strings.Contains(got, "THE FIRST WORD") || !strings.Contains(got, "末尾はこれと") || strings.Count(got, "x") < 1900 ||
		len([]rune(Excerpt(strings.Repeat("水", 5000)))) != 2000 {
		t.Error("the excerpt is not the end of the text")
	}
	const isCut, isWhole = "cut off before its end", "ends like a finished one"
	if !strings.Contains(got, isCut) || !strings.Contains(render(t, "continue_report", l, ArgText, whole), isWhole) ||
		!strings.Contains(render(t, "continue_report", comprehensive, ArgText, whole), isCut) {
		t.Error("a cut text counts as complete, a whole one as cut, or 1,800 characters as a comprehensive report")
	}
}
