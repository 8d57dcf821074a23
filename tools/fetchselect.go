package tools

import (
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/passage"
)

// selectedPart is a part of a text that answers a query: whole paragraphs, with the heading that is directly above them.
type selectedPart struct {
	passage.Passage
	subject int // of the query that it answers, from 0
}

const (
	// paragraphChars is the length up to which an answer keeps a paragraph or a list whole.
	paragraphChars = 1_500
	// leastSubjectShare is exceeded by the share of a query's words that a part has which answers it (chosen).
	leastSubjectShare = 0.25
	// leastScore of a selected part is a share of the best one's (chosen).
	leastScore = 0.35
)

// selectParts returns the parts of a text that answer a query, best first, at most limit. Each subject of a query ("attach a pier;
// detach a pier") has parts of its own: the best ones of all subjects come first, then the second ones. A subject of whose words
// no part has enough has none; nil if that holds for all.
func selectParts(text, query string, limit int) (out []selectedPart) {
	ix := passage.NewIndex()
	ix.Add("", passage.Split(text, paragraphChars))
	subjects := loops.Subjects(query)
	lists := make([][]passage.Hit, len(subjects))
	for i, subject := range subjects {
		hits := ix.Search(subject, limit, nil)
		share := 0.0
		for n, h := range hits {
			if share = max(share, h.Share); h.Score >= leastScore*hits[0].Score {
				lists[i] = hits[:n+1]
			}
		}
		if share <= leastSubjectShare {
			lists[i] = nil
		}
	}
	seen := map[int]bool{}
	for rank := range limit {
		for i, list := range lists {
			if rank < len(list) && !seen[list[rank].Passage.Start] && len(out) < limit {
				seen[list[rank].Passage.Start] = true
				out = append(out, selectedPart{list[rank].Passage, i})
			}
		}
	}
	return out
}
