package report

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// shards are parts of Markdown that nest and overlap when combined at random.
var shards = []string{
	"word ", "word. ", "[S1]", "[S1, S2]", "**", "*", "_", "__", "~~", "`", "``", "[", "](https://example.org)", "](javascript:x)", "![", "]", "\n", "\n\n", "  \n", "> ", "- ", "1. ", "    ", "\t",
	"# ", "### ", "\n===\n", "\n---\n", "```", "~~~", "| a | b |\n|---|---|\n| c | d |\n", "|", "<b>", "</b>", "<script>", "<!--", "-->", "<div>\n", "<br>", "&amp;", "&lt;", "&#0;", "\\", "\\*",
	"https://example.org/x ", "www.example.org", "<https://example.org>", "<javascript:x>", "[r]: javascript:x\n", "[r]", "[1]: https://example.org\n", "\u202E", "\u2066", "⟦", "⟧", "\uE000", "\uE0001\uE001", "句子。", "שלום", "\x00", "\r", "\r\n", "\xff", "a@example.org", "!", "?”",
}

func TestRandomTextsAndOffsets(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 50
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		var b strings.Builder
		for range 1 + r.IntN(40) {
			b.WriteString(shards[r.IntN(len(shards))])
		}
		places := make([]byte, 4*r.IntN(8))
		for j := range places {
			places[j] = byte(r.IntN(120))
		}
		d := strewn(b.String(), shards[r.IntN(len(shards))]+shards[r.IntN(len(shards))], places)
		wrong := append(checkPage(d, render(t, HTML, d)), checkMarkdown(d, render(t, Markdown, d))...)
		if len(wrong) > 0 {
			t.Fatalf("document %d, text %q, places %v:\n%s", i, d.Text, places, strings.Join(wrong, "\n"))
		}
	}
}
