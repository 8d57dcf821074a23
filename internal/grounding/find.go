package grounding

import "github.com/citeloop/citeloop/internal/grounding/passages"

// findChars is the size of the passages that Find answers with: a paragraph (chosen).
const findChars = 600

func (c *Checker) buildSearch() *passages.Index {
	ix := passages.NewIndex()
	for _, d := range c.docs {
		ix.AddSections(d.ID, passages.WithSections(passages.JoinLeads(d.Text, passages.Split(d.Text, findChars))))
	}
	return ix
}

// Find returns the passages that answer a query, best first. sourceIDs limits it to these sources; empty
// means all.
func (c *Checker) Find(query string, sourceIDs []string, limit int) []Ranked {
	hits := c.search().SearchFunc(cutChars(query, maxClaimChars), limit, among(sourceIDs))
	out := make([]Ranked, len(hits))
	for i, h := range hits {
		out[i] = Ranked{Evidence: Evidence{SourceID: h.Doc, Start: h.Passage.Start, End: h.Passage.End, Text: h.Passage.Text}, Section: h.Section, Score: h.Score, Share: h.Share}
	}
	return out
}

// Absent lists the words of a query that none of these sources has; empty means all sources.
func (c *Checker) Absent(query string, sourceIDs []string) []string {
	return c.search().Absent(cutChars(query, maxClaimChars), among(sourceIDs))
}

// among accepts these sources; nil accepts all.
func among(sourceIDs []string) func(string) bool {
	if len(sourceIDs) == 0 {
		return nil
	}
	wanted := make(map[string]bool, len(sourceIDs))
	for _, id := range sourceIDs {
		wanted[id] = true
	}
	return func(id string) bool { return wanted[id] }
}
