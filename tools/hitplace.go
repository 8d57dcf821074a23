package tools

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/loopstate"
)

// HitPlace is where the next page of a search or a list begins.
type HitPlace struct {
	Limit int    // hits of each channel that the pages are from; 0 = a list
	From  int    // number of its first hit, from 0
	After uint32 // [docid.Mark] of the hit before it; 0 = none
}

// Bounds of a cursor (chosen): no folder has more documents, and a cursor has 22 characters.
const (
	maxCursorChars = 64
	maxCursorFrom  = 1 << 30
	cursorSumBytes = 6
)

// Cursor encodes a place with a checksum over it and the search that it belongs to. It is no secret: a forged cursor of the
// same search shows another of its pages.
func (p HitPlace) Cursor(search ...any) string {
	b := binary.AppendUvarint(nil, uint64(p.Limit))
	b = binary.AppendUvarint(b, uint64(p.From))
	b = binary.BigEndian.AppendUint32(b, p.After)
	return base64.RawURLEncoding.EncodeToString(append(b, sumOf(b, search)...))
}

// HitPlaceOf reads a cursor of a search. The error is of the code bad_cursor if it is none, or of another search.
func HitPlaceOf(cursor string, search ...any) (p HitPlace, err error) {
	wrong := &loopstate.Error{Code: loopstate.CodeBadCursor, Subject: "cursor", Value: strings.ToValidUTF8(cursor[:min(len(cursor), 40)],
		"")}
	raw, failed := base64.RawURLEncoding.DecodeString(cursor)
	if failed != nil || len(cursor) > maxCursorChars || len(raw) < cursorSumBytes {
		return p, wrong
	}
	b, sum := raw[:len(raw)-cursorSumBytes], raw[len(raw)-cursorSumBytes:]
	if !bytes.Equal(sum, sumOf(b, search)) {
		return p, wrong
	}
	var numbers [2]uint64
	for i := range numbers {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			return p, wrong
		}
		numbers[i], b = n, b[size:]
	}
	if len(b) != 4 || numbers[0] > channels.MaxLimit || numbers[1] > maxCursorFrom {
		return p, wrong
	}
	return HitPlace{Limit: int(numbers[0]), From: int(numbers[1]), After: binary.BigEndian.Uint32(b)}, nil
}

// sumOf returns a checksum over a place and the search that it belongs to.
func sumOf(place []byte, search []any) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "citeloop hits %q %q", place, fmt.Sprintf("%#v", search))
	return h.Sum(nil)[:cursorSumBytes]
}
