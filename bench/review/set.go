package main

import (
	"cmp"
	"os"

	"github.com/citeloop/citeloop/bench/claimset"
	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/loopstate"
)

type claim = claimset.Claim

// family returns the id of the true claim that a false one edits, or that of the claim itself.
func family(c claim) string { return cmp.Or(c.Base, c.ID) }

// set is a contrast set with its texts by id.
type set struct {
	claimset.Set
	texts map[string]string
}

func loadSet(dir string) (set, error) {
	s, err := claimset.Load(os.DirFS(dir))
	return set{s, s.Texts()}, err
}

// checker compares claims with the texts of the set, as citeloop verify does.
func (s set) checker() *grounding.Checker {
	var texts []grounding.Source
	for _, src := range s.Sources {
		texts = append(texts, grounding.Source{ID: src.ID, URL: src.URL, Title: src.Title, Publisher: src.Site, Text: src.Text})
	}
	return grounding.NewChecker(texts)
}

// byWording returns the status of each claim by key 1.
func (s set) byWording(checker *grounding.Checker) map[string]string {
	statuses := map[string]string{}
	for _, c := range s.Claims {
		asked := grounding.Claim{Text: c.Claim}
		for _, id := range c.SourceIDs {
			asked.Citations = append(asked.Citations, grounding.Citation{SourceID: id})
		}
		statuses[c.ID] = string(checker.Check(asked).Status)
	}
	return statuses
}

// grounded reports whether a status needs no reader.
func grounded(status string) bool { return status == loopstate.Grounded }
