package lines_test

import (
	"fmt"

	"github.com/citeloop/citeloop/internal/text/lines"
)

func Example() {
	text := lines.New("# Harbour\n\nThe lamp burns:\n\n- oil\n- gas\n")
	cited, _ := lines.ParseRanges("6")
	for _, block := range text.Blocks(cited) {
		_, _, words := text.Span(lines.Range{First: block.First, Last: block.Last})
		headings, lead := text.Context(block)
		fmt.Printf("%s | %s | %s\n", headings, lead, words)
	}
	// Output: Harbour | The lamp burns: | - gas
}
