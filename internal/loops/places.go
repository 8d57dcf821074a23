package loops

import (
	"context"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/loopstate"
)

// lineReference is a reference to lines of a source: "S1:120-128".
var lineReference = lazyregexp.New(`^[Ss](\d+):\s*(.+)$`)

// maxWrongChars bounds the list of lines that do not exist, in an error.
const maxWrongChars = 2_000

// checkPlaces checks that the lines that references name exist. References in any other form, and those to unknown sources, are left
// to the step. The error has all that are wrong.
func (s *Service) checkPlaces(ctx context.Context, loop string, references []string) error {
	var sources map[string]loopstate.Source
	var wrong []string
	for _, ref := range references {
		parts := lineReference.FindStringSubmatch(strings.TrimSpace(ref))
		if parts == nil {
			continue
		}
		if sources == nil {
			read, err := s.Sources(ctx, loop)
			if err != nil {
				return err
			}
			sources = make(map[string]loopstate.Source, len(read))
			for _, src := range read {
				sources[src.ID] = src
			}
		}
		src, known := sources["S"+parts[1]]
		ranges, ok := lines.ParseRanges(parts[2])
		switch {
		case !known:
			continue
		case !ok:
			wrong = append(wrong, loopstate.Shorten(ref, 40)+" is not written as S1:120, S1:120-128 or S1:120,140")
			continue
		}
		text, err := s.preparedText(ctx, src)
		if err != nil {
			return err
		}
		if !text.Lines().Has(ranges) {
			wrong = append(wrong, fmt.Sprintf("%s does not exist (%s has %d lines)", loopstate.Shorten(ref, 40), src.ID,
				text.Lines().Len()))
		}
	}
	if len(wrong) > 0 {
		all := strings.Join(wrong, "; ")
		return &loopstate.Error{Code: loopstate.CodeBadLines, Subject: "claims", Value: loopstate.Shorten(all, maxWrongChars)}
	}
	return nil
}
