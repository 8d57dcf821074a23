package passage_test

import (
	"fmt"

	"github.com/citeloop/citeloop/internal/text/passage"
)

func Example() {
	text := "## Ferries\n\nThe ferry leaves at noon. It carries no cars.\n\n## Dues\n\nBoats pay five marks a day."
	ix := passage.NewIndex()
	ix.Add("harbour", passage.Split(text, passage.DefaultChars))
	for _, hit := range ix.Search("what do boats pay", 1, nil) {
		fmt.Printf("%s %d-%d %q\n", hit.Doc, hit.Passage.Start, hit.Passage.End, hit.Passage.Text)
	}
	fmt.Println(ix.Absent("boats and submarines", nil))
	fmt.Println(passage.Excerpt(text, "cars", 24).Text)
	// Output:
	// harbour 59-95 "## Dues\n\nBoats pay five marks a day."
	// [submarines]
	// It carries no cars.
}
