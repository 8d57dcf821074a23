package draft_test

import (
	"fmt"

	"github.com/citeloop/citeloop/internal/text/draft"
)

func ExampleParse() {
	d := draft.Parse("Otters swim at 12 km/h [S1:120-128]. So they outrun pike [inference].\n\n[^1]: https://example.org")
	for _, s := range d.Sentences {
		fmt.Printf("%d:%d claim=%v own=%q %s\n", s.Line, s.Column, s.IsClaim, s.Own, s.Text)
		for _, m := range s.Markers {
			fmt.Println("  cites", m.Target, "lines", m.Lines)
		}
	}
	// Output:
	// 1:1 claim=true own="" Otters swim at 12 km/h.
	//   cites S1 lines 120-128
	// 1:38 claim=false own="inference" So they outrun pike.
}
