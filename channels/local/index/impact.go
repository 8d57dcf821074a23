package index

import (
	"encoding/binary"
	"math"

	"github.com/citeloop/citeloop/internal/text/passage"
)

// A passage's score from a term grows with the term's occurrences and falls with the passage's length. The maximum of a
// block is therefore at one of its Pareto-optimal pairs of occurrences and length. Each block stores these pairs, both
// ascending. The search computes their scores, because they depend on all searched segments.

// impacts collects the pairs of one block.
type impacts struct {
	shortest [64]uint16 // passage by occurrences less one, plus one; 0 = none
	most     uint32     // occurrences, of those that share the last place
}

func (im *impacts) add(times uint32, length uint16) {
	at := min(times-1, uint32(len(im.shortest)-1))
	im.most = max(im.most, times)
	length = min(length, math.MaxUint16-1) + 1
	if im.shortest[at] == 0 || length < im.shortest[at] {
		im.shortest[at] = length
	}
}

// encode appends the pairs as differences, occurrences first.
func (im *impacts) encode(b []byte) []byte {
	const last = len(im.shortest) - 1
	// From the most occurrences down, only a shorter passage matters.
	var keep [len(im.shortest)]bool
	best := uint16(math.MaxUint16)
	for i := last; i >= 0; i-- {
		if n := im.shortest[i]; n != 0 && n-1 < best {
			keep[i], best = true, n-1
		}
	}
	times, length := uint32(0), uint16(0)
	for i := range keep {
		if !keep[i] {
			continue
		}
		t := uint32(i + 1)
		if i == last {
			t = im.most
		}
		b = binary.AppendUvarint(b, uint64(t-times))
		b = binary.AppendUvarint(b, uint64(im.shortest[i]-1-length))
		times, length = t, im.shortest[i]-1
	}
	return b
}

// most returns the best score of the pairs.
func most(pairs []byte, idf float64, asked *question) float64 {
	best := 0.0
	times, length := uint32(0), uint16(0)
	for len(pairs) > 1 {
		if pairs[0]|pairs[1] < 0x80 { // usually
			times += uint32(pairs[0])
			length += uint16(pairs[1])
			pairs = pairs[2:]
		} else {
			c := cursor{b: pairs}
			times += uint32(c.uvarint())
			length += uint16(c.uvarint())
			pairs = c.b
		}
		best = max(best, passage.Gain(idf, float64(times), asked.norm(length)))
	}
	return best
}
