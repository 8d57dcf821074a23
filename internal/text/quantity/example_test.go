package quantity_test

import (
	"fmt"

	"github.com/citeloop/citeloop/internal/text/quantity"
)

func Example() {
	text := quantity.Read("en", "The canal is 1,200 m long and lost a third of its water.")
	for _, claim := range quantity.Read("en", "It is 1.2 km long and lost 35 % of its water.") {
		fmt.Println(claim.Text, quantity.In(claim, text))
	}
	// Output:
	// 1.2 km true
	// 35 % false
}
