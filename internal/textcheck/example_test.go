package textcheck_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/textcheck"
)

// Claims of a file, checked against the texts of another.
func ExampleClaims() {
	claims := `{"id": 1, "claim": "The tower was built in 1874.", "source_ids": ["S1"]}
{"id": 2, "claim": "The tower was built in 1974.", "source_ids": ["S1"]}
{"id": 3, "claim": "The tower is of granite.", "source_ids": ["S2"]}`
	sources := `{"id": "S1", "text": "The tower was built in 1874 by two brothers."}`
	rows, err := textcheck.Claims(context.Background(), textcheck.RowFiles{
		Claims: strings.NewReader(claims), ClaimsName: "claims.jsonl",
		Sources: strings.NewReader(sources), SourcesName: "sources.jsonl",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows.Rows {
		fmt.Println(string(r.ID), r.Status, r.Read, r.Lines, r.Unknown)
		for _, remark := range r.Remarks {
			fmt.Println("  look at:", remark.Says)
		}
	}
	fmt.Println(rows)
	// Output:
	// 1 inferred false S1:1 []
	// 2 inferred false S1:1 []
	//   look at: 1974 is not in the cited lines; S1:1 has 1874
	// 3 unsupported false  [S2]
	// 3 sentences: 2 not read yet, 1 citing nothing that was read; citations without a text: 1
}
