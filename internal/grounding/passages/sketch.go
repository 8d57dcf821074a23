package passages

import (
	"encoding/base64"
	"iter"
	"maps"
	"slices"
)

// A sketch is a short fingerprint of a text's shingles, from which the Jaccard index of two texts can be
// estimated without the texts: MinHash (Broder 1997, "On the resemblance and containment of documents") with
// one permutation (Li, Owen and Zhang 2012) whose empty bins borrow from others (Shrivastava 2017), kept to one
// byte of each minimum (Li and König 2010). With 128 of them an index of 0.85 is estimated within 0.03
// (standard error), so a sketch says which texts to compare, not how they compare.
const (
	sketchHashes = 128
	// sketchRows minima make one of sketchBands bands; two texts that share a band are worth comparing. One at
	// least is shared with a probability of 1 - (1 - 0.85^4)^16 > 0.999 99 at 0.85, and of 1 % at 0.15.
	sketchRows  = 4
	sketchBands = 16
)

// Sketch is a fingerprint of shingles; empty for a text without any.
type Sketch [sketchHashes]byte

// SketchOf makes the fingerprint of the shingles that Shingles answered. ok is false when there are none.
func SketchOf(shingles map[uint64]struct{}) (s Sketch, ok bool) {
	if len(shingles) == 0 {
		return s, false
	}
	return sketch(maps.Keys(shingles)), true
}

// Sketch is [SketchOf] the shingles of a text, without the set of them.
func (a *Analyzer) Sketch(text string) (s Sketch, ok bool) {
	hashes := a.shingles(text)
	if len(hashes) == 0 {
		return s, false
	}
	return sketch(slices.Values(hashes)), true
}

// sketch takes one shingle at least; which comes first does not matter.
func sketch(shingles iter.Seq[uint64]) (s Sketch) {
	var least [sketchHashes]uint64
	var filled [sketchHashes]bool
	for h := range shingles {
		v := mix(h)
		bin := v >> 57 // 7 bits for 128 bins
		if !filled[bin] || v < least[bin] {
			least[bin], filled[bin] = v, true
		}
	}
	for i := range s {
		from := uint64(i)
		for attempt := uint64(1); !filled[from]; attempt++ { // the same bins in the same order for every text
			from = mix(uint64(i)<<32|attempt) >> 57
		}
		s[i] = byte(mix(least[from]))
	}
	return s
}

// mix is the finaliser of splitmix64 (Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// String writes the sketch in 172 characters of base64.
func (s Sketch) String() string { return base64.StdEncoding.EncodeToString(s[:]) }

// ParseSketch reads what String wrote.
func ParseSketch(text string) (s Sketch, ok bool) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(b) != len(s) {
		return s, false
	}
	copy(s[:], b)
	return s, true
}

// Resemblance estimates the Jaccard index of the two texts, 0 to 1.
func (s Sketch) Resemblance(other Sketch) float64 {
	same := 0
	for i := range s {
		if s[i] == other[i] {
			same++
		}
	}
	const chance = 1.0 / 256 // two different minima share their byte
	return max(0, (float64(same)/sketchHashes-chance)/(1-chance))
}

// Bands are the keys under which a text is to be looked up: two texts that resemble each other share one.
func (s Sketch) Bands() []uint64 {
	bands := make([]uint64, 0, sketchBands)
	for i := 0; i < sketchBands*sketchRows; i += sketchRows {
		bands = append(bands, uint64(i)<<32|uint64(s[i])<<24|uint64(s[i+1])<<16|uint64(s[i+2])<<8|uint64(s[i+3]))
	}
	return bands
}
