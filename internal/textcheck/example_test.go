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
	tally, err := textcheck.Claims(context.Background(), textcheck.ClaimFiles{
		Claims: strings.NewReader(claims), ClaimsName: "claims.jsonl",
		Sources: strings.NewReader(sources), SourcesName: "sources.jsonl",
	}, func(r textcheck.Row) error {
		fmt.Println(string(r.ID), r.Status, r.Unknown)
		return nil
	})
	fmt.Println(tally, err)
	// Output:
	// 1 grounded []
	// 2 unsupported []
	// 3 unsupported [S2]
	// 3 claims: 1 grounded, 0 inferred, 2 unsupported; citations without a text: 1 <nil>
}
