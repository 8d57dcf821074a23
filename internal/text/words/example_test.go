package words_test

import (
	"fmt"

	"github.com/citeloop/citeloop/internal/text/words"
)

func Example() {
	text := "Dr. Grey measured 1,200 rivers in 1990. [3] The rivers rose."
	for _, s := range words.Sentences(text) {
		fmt.Println(s.Start, s.End, s.Text)
	}
	fmt.Println(words.Terms("The rivers’ 1,200 FLOODS"))
	fmt.Println(words.Language(text), words.Function("en", "the"))
	// Output:
	// 0 43 Dr. Grey measured 1,200 rivers in 1990. [3]
	// 44 60 The rivers rose.
	// [the river 1200 flood]
	// en true
}
