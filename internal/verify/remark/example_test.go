package remark_test

import (
	"fmt"

	"github.com/citeloop/citeloop/internal/verify/remark"
)

func ExampleFind() {
	cited := []remark.Block{{SourceID: "S1", Line: 40, Text: "The ferry carried 311 passengers in May. It was never full."}}
	for _, r := range remark.Find("The ferry carried 331 passengers in May.", cited) {
		fmt.Println(r)
	}
	fmt.Println(remark.Verbatim("it was never full", cited))
	// Output:
	// 331 is not in the cited lines; S1:40 has 311
	// true
}
