package tools

import (
	"crypto/sha256"
	"fmt"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/loopstate"
)

// hitPlace is where the next page of a search or a list begins.
type hitPlace struct {
	limit int    // hits of each channel that the pages are from; 0: a list
	from  int    // number of its first hit, from 0
	after uint32 // [docid.Mark] of the hit before it, which finds the place in a list that has changed; 0 = none
}

// cursor encodes a place with a checksum over it and the search that it belongs to. It is no secret: a forged cursor of the
// same search shows another of its pages.
func (p hitPlace) cursor(search ...any) string {
	place := fmt.Sprintf("%d-%d-%d", p.limit, p.from, p.after)
	sum := sha256.Sum256(fmt.Appendf(nil, "citeloop hits %q %q", place, fmt.Sprintf("%#v", search)))
	return fmt.Sprintf("%s-%x", place, sum[:6])
}

// hitPlaceOf reads a cursor of a search. The error is of the code bad_cursor if it is none, or of another search.
func hitPlaceOf(cursor string, search ...any) (hitPlace, error) {
	var p hitPlace
	_, err := fmt.Sscanf(cursor, "%d-%d-%d-", &p.limit, &p.from, &p.after)
	if err != nil || p.limit < 0 || p.limit > channels.MaxLimit || p.from < 0 || cursor != p.cursor(search...) {
		return p, &loopstate.Error{Code: loopstate.CodeBadCursor, Subject: "cursor", Value: loopstate.Shorten(cursor, 40)}
	}
	return p, nil
}
