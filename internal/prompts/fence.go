package prompts

import (
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
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
	return marks + "text\n" + sanitize.Visible(text) + "\n" + marks
}
