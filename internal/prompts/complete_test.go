package prompts

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLooksComplete(t *testing.T) {
	long := strings.Repeat("One sentence follows another. ", 40)
	for _, tt := range []struct {
		name, text string
		min        int
		want       bool
	}{
		{"full stop", "It rose.", 0, true},
		{"exclamation mark", "It rose!", 0, true},
		{"question mark", "Did it rise?", 0, true},
		{"Chinese full stop", "它上涨了。", 0, true},
		{"Chinese exclamation mark", "它上涨了！", 0, true},
		{"Chinese question mark", "它上涨了吗？", 0, true},
		{"white space after the end", "It rose. \n\n", 0, true},
		{"empty", "", 0, false},
		{"blank", " \n ", 0, false},
		{"no end", "It rose", 0, false},
		{"comma", "It rose,", 0, false},
		{"and", "It rose and", 0, false},
		{"and with an ellipsis", "It rose and...", 0, false},
		{"OR with an ellipsis", "It rose OR ...", 0, false},
		{"with", "It goes with", 0, false},
		{"to", "It goes to", 0, false},
		{"to, as a question", "What is it up to?", 0, true},
		{"an ellipsis that ends", "It rose, it fell...", 0, true},
		{"Chinese list comma", "石头、", 0, false},
		{"Chinese list comma with an ellipsis", "石头、。。。", 0, false},
		{"Japanese と", "石と", 0, false},
		{"Japanese や", "石や", 0, false},
		{"too short", "It rose.", 1000, false},
		{"long enough", long, 1000, true},
		{"not long enough for a comprehensive one", long, MinComprehensiveChars, false},
		{"just long enough", strings.Repeat("水", 999) + "。", 1000, true},
		{"one short", strings.Repeat("水", 998) + "。", 1000, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := LooksComplete(tt.text, tt.min); got != tt.want {
				t.Errorf("LooksComplete = %v, want %v", got, tt.want)
			}
		})
	}
}

func FuzzLooksComplete(f *testing.F) {
	for _, seed := range []string{"It rose.", "It rose and...", "石头、。。。", "...", "。", "\xff.", ""} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, text string, minChars int) {
		got := LooksComplete(text, minChars)
		trimmed := strings.TrimSpace(text)
		last, _ := utf8.DecodeLastRuneInString(trimmed)
		if got && (!strings.ContainsRune(".!?。！？", last) || utf8.RuneCountInString(trimmed) < minChars) {
			t.Errorf("%q counts as complete", text)
		}
		if got && LooksComplete(text+" and", minChars) {
			t.Errorf("%q and", text)
		}
		if n := utf8.RuneCountInString(Excerpt(text)); n > 2000 {
			t.Errorf("an excerpt of %d characters", n)
		}
	})
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
