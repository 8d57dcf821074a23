package grounding_test

import (
	"fmt"

	"github.com/citeloop/citeloop/grounding"
)

func Example() {
	checker := grounding.NewChecker([]grounding.Source{{
		ID:    "S1",
		Title: "Port of Ellisford",
		Text:  "The port of Ellisford opened on 3 March 1998. It cost 1.2 million francs. In 2010 about 40 % of the visitors came by ferry.",
	}})
	for _, text := range []string{
		"The port of Ellisford opened on March 3, 1998.",
		"In 2010, about 14 % of the visitors came by ferry.",
	} {
		v := checker.Check(grounding.Claim{Text: text, Citations: []grounding.Citation{{SourceID: "S1"}}})
		fmt.Println(v.Status)
		fmt.Println("  " + v.Because)
		fmt.Printf("  %s[%d:%d] %s\n", v.Passage.SourceID, v.Passage.Start, v.Passage.End, v.Passage.Text)
	}
	// Output:
	// grounded
	//   A passage of S1 says it.
	//   S1[0:45] The port of Ellisford opened on 3 March 1998.
	// unsupported
	//   A number differs: 14 % in the claim, 40 % in S1.
	//   S1[74:123] In 2010 about 40 % of the visitors came by ferry.
}

func ExampleGradeQuote() {
	text := "The crew was greeted by the mayor – with bread and salt."
	for _, quote := range []string{"greeted by the mayor", "the mayor - with bread", "greeted by the pope"} {
		grade, at := grounding.GradeQuote(quote, text)
		fmt.Printf("%s %q\n", grade, at.Text)
	}
	// Output:
	// exact "greeted by the mayor"
	// normalised "the mayor – with bread"
	// absent ""
}

func ExampleParseDraft() {
	draft := grounding.ParseDraft("# Otters\n\nOtters swim well [1]. Where do they live?\n\n[1] https://otters.example - Otters of the north\n")
	for _, s := range draft.Sentences {
		fmt.Println(s.Line, s.IsClaim, s.Text)
	}
	fmt.Println(draft.References[0].Title)
	// Output:
	// 3 true Otters swim well.
	// 3 false Where do they live?
	// Otters of the north
}
