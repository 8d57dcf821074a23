package judge_test

import (
	"fmt"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/llm/judge"
)

// A model says that a claim is supported. With words of its own as the quote, the verdict stays; with words of the
// passage, it rises by one step.
func ExampleCombine() {
	passage := grounding.Evidence{SourceID: "S1", End: 74, Text: "The bridge was closed in May after cracks were found in two of its cables."}
	q := judge.Ask("Inspectors shut the bridge when two cables proved to be cracked.",
		grounding.Verdict{Status: grounding.Unsupported, Support: 0.15, Passage: &passage, Passages: []grounding.Evidence{passage}})

	for _, quote := range []string{"the bridge was shut by inspectors", "closed in May after cracks were found in two of its cables"} {
		v := judge.Combine(q, judge.Opinion{Verdict: judge.Supported, SourceID: "S1", Quote: quote})
		fmt.Printf("%s -> %s\n  %s\n", q.Verdict.Status, v.Status, v.Flags[len(v.Flags)-1])
	}
	// Output:
	// unsupported -> unsupported
	//   judge_failed: the quote "the bridge was shut by inspectors" does not stand in the passages
	// unsupported -> inferred
	//   judge_lifted: supported, S1 says "closed in May after cracks were found in two of its cables"
}
