package web

import (
	"slices"
	"strings"

	numbered "github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/loopstate"
)

// pointed is the length of a title in a tooltip, as in the report.
const pointed = 120

func sourceAddress(loop, id string) string {
	return place{path: Root + "loops/" + loop + "/sources/" + id}.with("", 0, "")
}

// hasPassage reports whether the check of a claim found lines of a source for it.
func hasPassage(c loopstate.Claim, id string) bool {
	return c.Check != nil && (c.Check.SourceID == id && c.Check.End > c.Check.Start || linesIn(c.Check.Lines, id) != "")
}

// passageAddress links to the evidence of a claim in the text of its source.
func passageAddress(loop, source string, c loopstate.Claim) string {
	return place{path: Root + "loops/" + loop + "/sources/" + source}.param("claim", c.ID, markHere)
}

// distinct returns the ids, each once.
func distinct(ids []string) []string {
	var out []string
	for _, id := range ids {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// linesIn returns the lines of a source in a list such as "S1:120-128; S3:7; S1:140".
func linesIn(list, id string) string {
	var all numbered.Ranges
	for ref := range strings.SplitSeq(list, ";") {
		if named, ok := strings.CutPrefix(strings.TrimSpace(ref), id+":"); ok {
			if at, ok := numbered.ParseRanges(named); ok {
				all = all.And(at)
			}
		}
	}
	return all.String()
}
