package grounding

import "github.com/citeloop/citeloop/internal/grounding/passages"

// findChars is the size of the passages that Find answers with: a paragraph (chosen).
const findChars = 600

func (c *Checker) buildSearch() *passages.Index {
	ix := passages.NewIndex()
	for _, d := range c.docs {
		ix.Add(d.ID, passages.JoinLeads(d.Text, passages.Split(d.Text, findChars)))
	}
	return ix
}

// Find returns the passages that answer a query, best first. sourceIDs limits it to these sources; empty
// means all.
func (c *Checker) Find(query string, sourceIDs []string, limit int) []Ranked {
	var keep func(string) bool
	if len(sourceIDs) > 0 {
		wanted := make(map[string]bool, len(sourceIDs))
		for _, id := range sourceIDs {
			wanted[id] = true
		}
		keep = func(id string) bool { return wanted[id] }
	}
	hits := c.search().SearchFunc(cutChars(query, maxClaimChars), limit, keep)
	out := make([]Ranked, len(hits))
	for i, h := range hits {
		out[i] = Ranked{Evidence: Evidence{SourceID: h.Doc, Start: h.Passage.Start, End: h.Passage.End, Text: h.Passage.Text}, Score: h.Score}
	}
	return out
}
