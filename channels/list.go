package channels

import (
	"fmt"
	"strings"
)

// listedBy is the channel that can list its documents.
const listedBy = "local"

// listable returns a [*QueryError] if the channels cannot list, or if the query has what a list does not apply.
func listable(q Query, names []string) error {
	if len(names) != 1 || names[0] != listedBy {
		return &QueryError{"list", fmt.Sprintf("not possible with %s; use the channel %s alone, or leave list out", strings.Join(names, ", "), listedBy)}
	}
	for _, f := range []struct{ name, value string }{{"since", q.Since}, {"until", q.Until}, {"language", q.Language}} {
		if f.value != "" {
			return &QueryError{f.name, "not applied to a list; put a filter into query, such as created:2024 or language:en"}
		}
	}
	return nil
}

// inOrder returns the results of lists as they are.
func inOrder(lists []List) (out []Ranked) {
	for _, l := range lists {
		for _, r := range l.Results {
			out = append(out, Ranked{Evidence: r.Evidence, Key: r.Key(), IDs: r.IDs, Ranks: map[string]int{l.Channel: len(out) + 1}, Share: 1})
		}
	}
	return out
}
