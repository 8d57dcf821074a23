package channels

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// checked returns the normalised query, or a [*QueryError].
func checked(q Query) (Query, error) {
	q.Text = sanitize.Line(q.Text)
	if q.Text == "" {
		return q, &QueryError{"query", "empty; give a few words to search for"}
	}
	if n := utf8.RuneCountInString(q.Text); n > maxQueryChars {
		return q, &QueryError{"query", fmt.Sprintf("too long: %d characters; use a few words, at most %d characters", n, maxQueryChars)}
	}
	q.Else = normal.Clip(sanitize.Line(q.Else), maxQueryChars)
	q.Limit = min(cmp.Or(max(q.Limit, 0), DefaultLimit), MaxLimit)
	for _, d := range []struct {
		name  string
		value *string
	}{{"since", &q.Since}, {"until", &q.Until}} {
		given := strings.TrimSpace(*d.value)
		if given == "" {
			*d.value = ""
			continue
		}
		if normal.Date(given) != given {
			return q, &QueryError{d.name, fmt.Sprintf("%q is not a date; use YYYY, YYYY-MM or YYYY-MM-DD", normal.Clip(given, 40))}
		}
		*d.value = given
	}
	if q.Since != "" && q.Until != "" && normal.FirstDay(q.Since) > normal.LastDay(q.Until) {
		return q, &QueryError{"until", fmt.Sprintf("%s is before since, %s", q.Until, q.Since)}
	}
	given := strings.TrimSpace(q.Language)
	var ok bool
	if q.Language, ok = normal.AskedLanguage(given); !ok {
		return q, &QueryError{"language", fmt.Sprintf("%q is not a language tag; use one such as en, de or pt-BR",
			normal.Clip(given, 40))}
	}
	return q, nil
}

// chosen checks the names of a search and drops repeated ones.
func (r *Registry) chosen(names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, &QueryError{"channels", "empty; name at least one of " + strings.Join(r.names, ", ")}
	}
	var out, unknown []string
	for _, name := range names {
		switch {
		case slices.Contains(out, name) || slices.Contains(unknown, name):
		case slices.Contains(r.names, name):
			out = append(out, name)
		default:
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		return nil, &UnknownChannelError{Names: unknown, Valid: r.names}
	}
	return out, nil
}

// listedBy is the channel that can list its documents.
const listedBy = "local"

// listable returns a [*QueryError] if the channels cannot list, or if the query has what a list does not apply.
func listable(q Query, names []string) error {
	if len(names) != 1 || names[0] != listedBy {
		return &QueryError{"list", fmt.Sprintf("not possible with %s; use the channel %s alone, or leave list out",
			strings.Join(names, ", "), listedBy)}
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
			out = append(out, Ranked{Evidence: r.Evidence, Key: r.Key(), IDs: r.IDs, Ranks: map[string]int{l.Channel: len(out) + 1},
				Share: 1})
		}
	}
	return out
}
