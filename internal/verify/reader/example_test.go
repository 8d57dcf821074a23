package reader_test

import (
	"fmt"

	"github.com/citeloop/citeloop/internal/verify/reader"
)

// A long text: what to read first, and what follows when all of it is supported.
func Example() {
	var items []reader.PlanItem
	for i := range 174 {
		items = append(items, reader.PlanItem{Key: fmt.Sprint("claim ", i), Front: i < 20})
	}
	read := map[string]string{}
	plan := reader.NewPlan("seed", items, read, false)
	fmt.Println("read", len(plan.Next), "claims")
	for _, key := range plan.Next {
		read[key] = reader.Supported
	}
	plan = reader.NewPlan("seed", items, read, false)
	fmt.Printf("of the %d not read, at most %.0f %% are unsupported, from %d of %d\n", plan.Unread, 100*plan.AtMost, plan.Sampled-plan.Failed, plan.Sampled)

	planted, controls := reader.Counts(len(plan.Next), true)
	fmt.Println("a later batch has", planted, "planted errors and", controls, "controls")
	// Output:
	// read 40 claims
	// of the 134 not read, at most 15 % are unsupported, from 20 of 20
	// a later batch has 2 planted errors and 2 controls
}
