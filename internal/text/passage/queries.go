package passage

import "slices"

// leastShare of the words of a query, without function words, is in a passage that answers it if no text has one of them. Chosen on the
// development halves of the questions (bench/README.md): no deciding passage has less.
const leastShare = 1.0 / 3

// Answer is a passage for one of several queries.
type Answer struct {
	Hit
	Query string
}

// Unknown names words of a query that no text has, not even as a related word.
type Unknown struct {
	Query   string
	Words   []string
	NoMatch bool // no passage has enough of the other words
}

// SearchAll returns each passage once, the best ones of all queries first, at most limit for each query, and the queries with words
// that no text has. keep is that of [Index.Search].
func (ix *Index) SearchAll(queries []string, limit int, keep func(doc string) bool) (out []Answer, unknown []Unknown) {
	lists, longest := make([][]Hit, len(queries)), 0
	for i, query := range queries {
		lists[i] = ix.Search(query, limit, keep)
		absent := ix.Absent(query, keep)
		if len(absent) > 0 {
			lists[i] = slices.DeleteFunc(lists[i], func(h Hit) bool { return h.Share < leastShare })
		}
		if none := len(lists[i]) == 0; none || len(absent) > 0 {
			unknown = append(unknown, Unknown{query, absent, none})
		}
		longest = max(longest, len(lists[i]))
	}
	type place struct {
		doc   string
		start int
	}
	seen := map[place]bool{}
	for rank := range longest {
		for i, list := range lists {
			if rank >= len(list) || seen[place{list[rank].Doc, list[rank].Passage.Start}] {
				continue
			}
			seen[place{list[rank].Doc, list[rank].Passage.Start}] = true
			out = append(out, Answer{list[rank], queries[i]})
		}
	}
	return out, unknown
}
