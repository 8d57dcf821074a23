package duplicate_test

import (
	"fmt"

	"github.com/citeloop/citeloop/internal/duplicate"
)

func Example() {
	a := duplicate.Shingles("The harbour of the small town was rebuilt after the storm of 1901.")
	b := duplicate.Shingles("THE HARBOUR of the small town was rebuilt after the storm of 1902!")
	fmt.Printf("%.2f\n", duplicate.Jaccard(a, b))
	// Output:
	// 0.80
}
