package docid_test

import (
	"fmt"

	"github.com/citeloop/citeloop/internal/docid"
)

func Example() {
	fmt.Println(docid.CanonicalKey("https://arxiv.org/pdf/1706.03762v7", ""))
	fmt.Println(docid.CanonicalKey("https://publisher.example/article/5", "https://doi.org/10.1000/X"))
	fmt.Println(docid.CanonicalKey("http://www.example.com/a/?utm_source=mail&page=2#top", ""))
	// Output:
	// arxiv:1706.03762
	// doi:10.1000/x
	// url:example.com/a?page=2
}
