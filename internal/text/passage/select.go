package passage

import (
	"strings"

	"github.com/citeloop/citeloop/internal/text/words"
)

// Selected is a part of a text that answers a query: whole paragraphs, with the heading that is directly above them.
type Selected struct {
	Passage
	Subject int // of the query that it answers, from 0
}

const (
	// paragraphChars is the length up to which Select keeps a paragraph or a list whole.
	paragraphChars = 1_500
	// leastShare is exceeded by the share of a query's words that a part has which answers it (chosen).
	leastShare = 0.25
	// leastScore of a selected part is a share of the best one's (chosen).
	leastScore = 0.35
)

// Subjects cuts a query at semicolons, line breaks and question marks into the subjects that it asks for.
func Subjects(query string) []string {
	var out []string
	for s := range strings.FieldsFuncSeq(query, func(r rune) bool { return strings.ContainsRune(";；\n?？", r) }) {
		if s = strings.TrimSpace(s); len(words.Terms(s)) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// Select returns the parts of a text that answer a query, best first, at most limit. Each subject of a query ("attach a pier;
// detach a pier") has parts of its own: the best ones of all subjects come first, then the second ones. A subject of whose words
// no part has enough has none; nil if that holds for all.
func Select(text, query string, limit int) (out []Selected) {
	ix := NewIndex()
	ix.Add("", Split(text, paragraphChars))
	subjects := Subjects(query)
	lists := make([][]Hit, len(subjects))
	for i, subject := range subjects {
		hits := ix.Search(subject, limit, nil)
		share := 0.0
		for n, h := range hits {
			if share = max(share, h.Share); h.Score >= leastScore*hits[0].Score {
				lists[i] = hits[:n+1]
			}
		}
		if share <= leastShare {
			lists[i] = nil
		}
	}
	seen := map[int]bool{}
	for rank := range limit {
		for i, list := range lists {
			if rank < len(list) && !seen[list[rank].Passage.Start] && len(out) < limit {
				seen[list[rank].Passage.Start] = true
				out = append(out, Selected{list[rank].Passage, i})
			}
		}
	}
	return out
}
