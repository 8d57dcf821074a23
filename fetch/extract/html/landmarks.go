package html

// topRegion is the smallest region with most of the page's prose, or -1.
func (o *outline) topRegion() int {
	const most = 0.7
	best := -1
	for i := range o.regions {
		r := &o.regions[i]
		if o.long > 0 && float32(r.long) >= most*float32(o.long) && (best < 0 || r.chars <= o.regions[best].chars) {
			best = i
		}
	}
	return best
}

// homeRegion is the region whose own blocks, and those one step below, hold the most prose, or -1.
func (o *outline) homeRegion() int {
	sums := map[int]int{}
	best, most := -1, 0
	for i := range o.blocks {
		s := &o.blocks[i]
		if !s.isProse() {
			continue
		}
		r := s.region
		for range 2 {
			if r = o.regions[r].parent; r < 0 {
				break
			}
			sums[r] += s.chars
			if sums[r] > most {
				best, most = r, sums[r]
			}
		}
	}
	return best
}
