package grounding_test

import (
	"fmt"

	"github.com/citeloop/citeloop/internal/grounding"
)

func harbour() []grounding.Source {
	return []grounding.Source{
		{ID: "S1", Title: "Port of Ellisford",
			Text: "The port of Ellisford opened on 3 March 1998. It cost 1.2 million francs. In 2010 about 40 % of the visitors came by ferry."},
		{ID: "S2", Title: "Travel notes", SourceType: "press",
			Text: "Visitors walk along the pier. In 2010 about 55 % of the visitors came by ferry. Bread is sold in the market hall on Saturdays."},
	}
}

// A checker reads the texts once and then checks any number of claims against those that they cite.
func ExampleChecker() {
	checker := grounding.NewChecker(harbour())
	for _, text := range []string{
		"The port of Ellisford opened on March 3, 1998.",
		"In 2010, about 14 % of the visitors came by ferry.",
		"Bread is sold in the market hall on Saturdays.",
	} {
		v := checker.Check(grounding.Claim{Text: text, Citations: []grounding.Citation{{SourceID: "S1"}}})
		fmt.Println(v.Status)
		fmt.Println("  " + v.Because)
		switch {
		case v.BetterSource != "":
			fmt.Println("  better:", v.BetterSource)
		case v.Passage != nil: // Start and End count code points
			fmt.Printf("  %s[%d:%d] %s\n", v.Passage.SourceID, v.Passage.Start, v.Passage.End, v.Passage.Text)
		}
	}
	// Output:
	// grounded
	//   A passage of S1 accounts for every word that carries meaning.
	//   S1[0:45] The port of Ellisford opened on 3 March 1998.
	// unsupported
	//   The source says "40 %" where the claim says "14 %" (S1, 88-92).
	//   S1[74:123] In 2010 about 40 % of the visitors came by ferry.
	// unsupported
	//   Nothing in the cited texts is about this.
	//   better: S2
}

// Two sources that give different values of one quantity: both passages are shown, nobody is believed.
func ExampleChecker_Conflicts() {
	checker := grounding.NewChecker(harbour())
	for _, c := range checker.Conflicts(grounding.Claim{Text: "In 2010 about 40 % of the visitors came by ferry."}) {
		fmt.Printf("%s says %s, %s says %s\n", c.A.SourceID, c.ValueA, c.B.SourceID, c.ValueB)
	}
	// Output:
	// S1 says 40 %, S2 says 55 %
}

// The passages of all texts that answer a question.
func ExampleChecker_Find() {
	for _, r := range grounding.NewChecker(harbour()).Find("what is sold in the market hall", nil, 1) {
		fmt.Println(r.SourceID, r.Text)
	}
	// Output:
	// S2 Visitors walk along the pier. In 2010 about 55 % of the visitors came by ferry. Bread is sold in the market hall on Saturdays.
}

// A quote in a claim is looked up in the source that it is ascribed to.
func ExampleCitation() {
	checker := grounding.NewChecker(harbour())
	for _, quote := range []string{"in the market hall on Saturdays", "in the market hall on Sundays"} {
		v := checker.Check(grounding.Claim{
			Text:      "Bread is sold in the market hall.",
			Citations: []grounding.Citation{{SourceID: "S2", Quote: quote}},
		})
		fmt.Println(v.Status, v.QuoteGrade)
	}
	// Output:
	// grounded exact
	// unsupported absent
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

// The claims of a finished text and the addresses that their marks lead to.
func ExampleParseDraft() {
	draft := grounding.ParseDraft("# Otters\n\nOtters swim well [1]. Where do they live?\n\n## References\n\n[1] https://otters.example - Otters of the north\n")
	for _, s := range draft.Sentences {
		fmt.Println(s.Line, s.IsClaim, s.Text)
		for _, m := range s.Markers {
			for _, r := range draft.References {
				if r.Number == m.Target {
					fmt.Println(" ", m.Raw, r.URL, r.Title)
				}
			}
		}
	}
	// Output:
	// 3 true Otters swim well.
	//   [1] https://otters.example Otters of the north
	// 3 false Where do they live?
}
