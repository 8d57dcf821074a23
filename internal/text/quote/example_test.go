package quote_test

import (
	"fmt"

	"github.com/citeloop/citeloop/internal/text/quote"
)

func Example() {
	text := quote.New("The crew was “greeted” by the mayor, at −5 °C.")
	for _, q := range []string{"was \"greeted\" by the mayor", "the mayor, at 5 °C"} {
		grade, at := text.Find(q)
		fmt.Println(grade, at.Text)
	}
	// Output:
	// normalised was “greeted” by the mayor
	// absent
}
