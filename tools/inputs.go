package tools

import (
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/wording"
)

// plainIDs returns source ids that may be written as in a text, "[S1:3]", as S1:3.
func plainIDs(written []string) []string {
	var ids []string
	for _, ref := range written {
		ids = append(ids, draft.IDs(ref)...)
	}
	return ids
}

// withoutLines returns source ids, each once, without the lines that a citation may carry: "S1" for "S1:120-128".
func withoutLines(references []string) []string {
	var ids []string
	for _, ref := range plainIDs(references) {
		id, _, _ := strings.Cut(ref, ":")
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Ids of gaps and claims, and of sources in a sentence.
var (
	recordID  = lazyregexp.New(`(?i)\b[GC]\d+\b`)
	recordIDs = lazyregexp.New(`(?i)^(?:\W*(?:\band\b\W*)?\b[GC]\d+\b)+\W*$`)
	idFirst   = lazyregexp.New(`^\W*([GC]\d+)\W*[:)\]]\s`)
	citedIn   = lazyregexp.New(`\s*[\[【]\s*(S[1-9][^\[\]【】]{0,80})[\]】]`)
)

// named returns ids of gaps or claims that may be written as in a text: "[G1]", "G1: When was it opened?", "G1, G2", "**C1**". What is no
// such id stays, such as the words of a gap.
func named(written []string) (ids []string) {
	for _, text := range written {
		if recordIDs.MatchString(text) {
			ids = append(ids, recordID.FindAllString(strings.ToUpper(text), -1)...)
		} else if m := idFirst.FindStringSubmatch(text); m != nil {
			ids = append(ids, m[1])
		} else {
			ids = append(ids, text)
		}
	}
	return ids
}

// cited returns a claim without the ids of sources that stand in it, "… is wide [S1:3].", and all ids that it cites.
func cited(claim string, sources []string) (string, []string) {
	ids := plainIDs(sources)
	claim = citedIn.ReplaceAllStringFunc(claim, func(mark string) string {
		inText := draft.IDs(citedIn.FindStringSubmatch(mark)[1])
		for _, id := range inText {
			if !sourceID.MatchString(id) {
				return mark
			}
		}
		for _, id := range inText {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		return ""
	})
	return strings.TrimSpace(claim), ids
}

// sourceID is the id of a source, with or without lines.
var sourceID = lazyregexp.New(`^S[1-9]\d*(?::|$)`)

func outOfRange(argument string, n int, remedy string) error {
	return &wording.Mistake{Argument: argument, Problem: fmt.Sprintf("out of range: %d", n), Remedy: remedy}
}

// clamp returns a number of an argument, at most its maximum. It adds a remark where the argument is above it.
func clamp(argument string, n, most int, remarks *[]string) int {
	if n > most {
		*remarks = append(*remarks, fmt.Sprintf("%s: %d is above the maximum; %d is used", argument, n, most))
	}
	return min(n, most)
}

// maxQueries bounds the queries of one call.
const maxQueries = 8

// severalQueries returns the queries of a call, each once.
func severalQueries(first string, further []string) ([]string, error) {
	var out []string
	for _, query := range append([]string{first}, further...) {
		if !slices.Contains(out, query) && (query != "" || len(further) == 0) {
			out = append(out, query)
		}
	}
	switch {
	case strings.TrimSpace(strings.Join(out, "")) == "":
		return nil, &wording.Mistake{Argument: "query", Problem: "empty text", Remedy: "give a few words, or several queries in queries"}
	case len(out) > maxQueries:
		return nil, &wording.Mistake{Argument: "queries", Problem: fmt.Sprintf("too many: %d", len(out)),
			Remedy: fmt.Sprintf("ask at most %d in one call", maxQueries)}
	}
	return out, nil
}
