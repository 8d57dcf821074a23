package verify_test

import (
	"context"
	"fmt"

	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// A draft is checked: its citations lead to lines, nobody has read them yet, and a remark says what to look at. Then a reader
// answers.
func Example() {
	source := loopstate.Source{ID: "S1", Key: "url:example.org/a", Title: "Arden"}
	library := verify.Library{InLoop: true, Sources: []loopstate.Source{source}}.Indexed()
	claims := library.Read(draft.Parse("The lamp of the harbour burned 70 litres of oil in a week [S1:1].")).Claims

	texts := map[string]verify.Source{"S1": {Source: source,
		Text: verify.NewText("The lamp of the harbour burned 40 litres of oil in a week.")}}
	if err := verify.Check(context.Background(), claims, texts); err != nil {
		fmt.Println(err)
	}
	c := &claims[0]
	fmt.Println(c.Status, c.Lines(), c.Remarks[0])

	c.Apply(loopstate.Reading{Item: "R1-1", Answer: loopstate.AnswerContradicted, Quote: "40 litres",
		Reader: loopstate.Reader{Kind: "person"}})
	fmt.Println(c.Status, c.Because)
	// Output:
	// inferred S1:1 70 litres is not in the cited lines; S1:1 has 40 litres
	// unsupported Read by a person, the source says otherwise: “40 litres” (R1-1).
}
