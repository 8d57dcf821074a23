package prompts

import (
	"strings"
	"unicode"
)

// fence returns data in a code fence that it cannot close: one more backtick than its longest run.
func fence(text string) string {
	longest, run := 0, 0
	for _, r := range text {
		if r == '`' {
			run++
			longest = max(longest, run)
			continue
		}
		run = 0
	}
	marks := strings.Repeat("`", max(3, longest+1))
	return marks + "text\n" + strings.Map(visible, text) + "\n" + marks
}

// visible replaces characters that people cannot see: control characters, direction overrides and tag characters. Each
// is replaced by one character, so that offsets stay valid.
func visible(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case unicode.IsControl(r), r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r >= 0xE0000 && r <= 0xE007F:
		return unicode.ReplacementChar
	}
	return r
}

// oneLine returns a text on one line of at most so many characters.
func oneLine(text string, chars int) string {
	r := []rune(strings.Map(visible, strings.Join(strings.Fields(text), " ")))
	if len(r) > chars {
		return strings.TrimSpace(string(r[:chars])) + "…"
	}
	return string(r)
}
