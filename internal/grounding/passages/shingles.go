package passages

import "slices"

const (
	// shingleTerms is the width of a shingle: five words, as is usual for near-duplicates of web pages; of
	// Chinese, six characters.
	shingleTerms = 5
	// maxShingles bounds the memory of one text. A text with more is known by its smallest hashes, which
	// estimates the Jaccard index within about 1 % (1/√8192).
	maxShingles = 8192
)

// Shingles returns the hashes of a text's five-term shingles; a shorter text is one shingle. At most 8,192
// are kept, the smallest, so that two texts keep comparable samples.
func Shingles(text string) map[uint64]struct{} { return new(Analyzer).Shingles(text) }

// Shingles is [Shingles] for many texts that share their words.
func (a *Analyzer) Shingles(text string) map[uint64]struct{} {
	hashes := a.shingles(text)
	set := make(map[uint64]struct{}, len(hashes))
	for _, h := range hashes {
		set[h] = struct{}{}
	}
	return set
}

// shingles lists the hashes, at most maxShingles: then the smallest. Some may come twice.
func (a *Analyzer) shingles(text string) []uint64 {
	var terms []string
	a.Tokens(text, func(t Token) { terms = append(terms, t.Term) })
	if len(terms) == 0 {
		return nil
	}
	width := min(shingleTerms, len(terms))
	hashes := make([]uint64, 0, len(terms)-width+1)
	for i := 0; i+width <= len(terms); i++ {
		hashes = append(hashes, fnv1a(terms[i:i+width]))
	}
	if len(hashes) > maxShingles {
		slices.Sort(hashes)
		hashes = slices.Compact(hashes)
	}
	return hashes[:min(len(hashes), maxShingles)]
}

// fnv1a is the 64-bit hash of Fowler, Noll and Vo, variant 1a, over terms with a zero after each: as hash/fnv
// has it, without a call for every term.
func fnv1a(terms []string) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for _, t := range terms {
		for i := range len(t) {
			h = (h ^ uint64(t[i])) * prime
		}
		h *= prime
	}
	return h
}

// Jaccard is the share of shingles that two texts have in common, 0 to 1; two empty sets share nothing. For
// sets that Shingles cut short it is an estimate from the smallest hashes of the union.
func Jaccard(a, b map[uint64]struct{}) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if len(a) < maxShingles && len(b) < maxShingles {
		if len(b) < len(a) {
			a, b = b, a
		}
		both := 0
		for h := range a {
			if _, ok := b[h]; ok {
				both++
			}
		}
		return float64(both) / float64(len(a)+len(b)-both)
	}
	union := make([]uint64, 0, len(a)+len(b))
	for h := range a {
		union = append(union, h)
	}
	for h := range b {
		if _, ok := a[h]; !ok {
			union = append(union, h)
		}
	}
	slices.Sort(union)
	union = union[:min(len(union), maxShingles)]
	both := 0
	for _, h := range union {
		_, inA := a[h]
		_, inB := b[h]
		if inA && inB {
			both++
		}
	}
	return float64(both) / float64(len(union))
}
