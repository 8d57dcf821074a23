package index

import (
	"cmp"
	"math"
	"math/bits"

	"github.com/citeloop/citeloop/internal/text/passage"
)

// windowPassages is the size of a window: two blocks of a very common term (chosen).
const windowPassages = 256

// walk goes through the passages of a part, window by window. For each window it adds up the maximum scores of the
// lists. Lists whose maximum scores together stay below the floor are not read there, only looked up for passages that
// the other lists bring close enough. If this holds for all lists, the window is skipped.
type walk struct {
	*scorer
	allowed *conditions
	best    *bestDocuments
	floor   *floor

	// The window begins at passage base. scores are those of its passages, from the lists read so far.
	base   uint32
	scores [windowPassages]float64
	marked [windowPassages / 64]uint64 // those that a list has
	bounds []float64                   // by list: its maximum score in the window
	rest   []float64                   // sum of the bounds of a list and those after it

	refused  int // the last document that fails the conditions
	err      error
	document int // of the current passage: that of open, or a later one
	open     ranked
	least    float64 // scores below it are useless; a little below the floor
}

// slack is more than the relative rounding error between sums of the same numbers in different orders.
const slack = 1e-12

func (w *walk) run() error {
	lists := w.lists
	w.bounds, w.rest = make([]float64, len(lists)), make([]float64, len(lists)+1)
	w.open.document, w.refused = -1, -1
	bonus := 0.0 // the maximum of a document
	for _, b := range w.bonus {
		bonus = max(bonus, b)
	}
	uppers := make([]float64, len(lists)+1)
	for _, l := range lists {
		if err := l.weigh(w.scorer); err != nil {
			return err
		}
	}
	for i := len(lists) - 1; i >= 0; i-- {
		uppers[i] = uppers[i+1] + lists[i].upper
	}
	w.readFloor()
	for leading := len(lists); w.base < uint32(w.sum.passages); {
		// No window needs to read more than the leading lists.
		for leading > 0 && uppers[leading-1]+bonus < w.least {
			leading--
		}
		at := uint32(math.MaxUint32)
		for _, l := range lists[:leading] {
			if id, ok := l.from(w.base); ok {
				at = min(at, id)
			}
		}
		if at == math.MaxUint32 {
			break
		}
		end := min(at+windowPassages, uint32(w.sum.passages))
		w.base = at
		w.document = w.documentFrom(w.document, at)
		most, ok := w.bonusUntil(end)
		if !ok { // no document here is allowed
			next := w.allowed.left.Next(w.document)
			if next < 0 {
				break
			}
			w.base = max(w.firstOf[next], end)
			continue
		}
		read := w.plan(leading, end, most)
		for _, l := range lists[:read] {
			w.gather(l, end)
		}
		if read > 0 {
			w.sweep(read)
		}
		w.base = end
	}
	w.finish()
	for _, l := range lists {
		if l.broken {
			return ErrDamaged
		}
	}
	return w.err
}

// readFloor updates least from the floor.
func (w *walk) readFloor() { w.least = w.floor.value() * (1 - slack) }

// bonusUntil returns the largest bonus of the allowed documents from the current one up to a passage, and whether there
// are any.
func (w *walk) bonusUntil(end uint32) (most float64, any bool) {
	if w.bonus == nil && w.allowed.left == nil {
		return 0, true
	}
	for d := w.document; d < w.sum.documents && w.firstOf[d] < end; d++ {
		if !w.allowed.fits(d) {
			continue
		}
		if any = true; w.bonus != nil {
			most = max(most, w.bonus[d])
		}
	}
	return most, any
}

// plan returns how many lists are read in the window: the others together, with the bonus, are below the floor.
func (w *walk) plan(leading int, end uint32, bonus float64) (read int) {
	for i := len(w.lists) - 1; i >= 0; i-- {
		w.bounds[i] = w.lists[i].bound(w.base, end)
		w.rest[i] = w.rest[i+1] + w.bounds[i]
	}
	for read = leading; read > 0 && w.rest[read-1]+bonus < w.least; {
		read--
	}
	return read
}

// gather adds a list's scores to the passages of the window.
func (w *walk) gather(l *rankedList, end uint32) {
	if !l.seek(w.base) {
		return
	}
	norms := w.asked.norms
	for {
		ids, others := l.ids[l.nth:l.n], l.others[l.nth:l.n]
		for i, id := range ids {
			if id >= end {
				l.moveTo(l.nth + i)
				return
			}
			var k float64
			if n := w.length(id); int(n) < len(norms) {
				k = norms[n]
			} else {
				k = w.asked.norm(n)
			}
			at := (id - w.base) % windowPassages
			w.scores[at] += passage.Gain(l.idf, float64(others[i]+1), k)
			w.marked[at/64] |= 1 << (at % 64)
		}
		l.moveTo(l.n - 1)
		if !l.next() {
			return
		}
	}
}

// sweep completes the passages found in the lists read, and clears the window.
func (w *walk) sweep(read int) {
	for i := range w.marked {
		for word := w.marked[i]; word != 0; word &= word - 1 {
			at := uint32(i*64 + bits.TrailingZeros64(word))
			score := w.scores[at]
			w.scores[at] = 0
			w.complete(w.base+at, score, read)
		}
		w.marked[i] = 0
	}
}

// complete adds the remaining lists' scores to a passage, unless it cannot reach the floor.
func (w *walk) complete(id uint32, score float64, read int) {
	if id >= w.firstOf[w.document+1] {
		w.document = w.documentFrom(w.document, id)
	}
	d := w.document
	if d == w.refused || !w.allowed.fits(d) {
		return
	}
	bonus, least := 0.0, w.least
	if w.bonus != nil {
		bonus = w.bonus[d]
	}
	if d == w.open.document {
		least = max(least, w.open.score*(1-slack))
	}
	for i := read; ; i++ {
		if score+w.rest[i]+bonus < least {
			return
		}
		if i == len(w.lists) {
			break
		}
		if l := w.lists[i]; w.bounds[i] > 0 && l.seek(id) && l.id == id {
			score += passage.Gain(l.idf, float64(l.times), w.asked.norm(w.length(id)))
		}
	}
	score += bonus
	switch {
	case d != w.open.document:
		w.finish()
		// Checked last, because a phrase costs more than a score.
		if ok, err := w.allowed.meets(d); !ok {
			w.refused, w.err = d, cmp.Or(w.err, err)
			return
		}
		w.open = ranked{d, int(id), score}
	case score > w.open.score:
		w.open.passage, w.open.score = int(id), score
	}
}

// finish offers the open document. All its passages are done.
func (w *walk) finish() {
	d := w.open.document
	if d < 0 {
		return
	}
	if w.open.score >= w.floor.value() {
		w.best.offer(w.open)
		w.floor.found(w.open.score)
	}
	if w.bonus != nil {
		w.bonus[d] = -1
	}
	w.open.document = -1
	w.readFloor()
}

// documentFrom returns the document of a passage, searching from the document of an earlier one.
func (s *scorer) documentFrom(document int, passage uint32) int {
	if passage < s.firstOf[document] {
		return s.documentOf(passage)
	}
	for step := 0; step < 16; step++ {
		if passage < s.firstOf[document+1] {
			return document
		}
		document++
	}
	return s.documentOf(passage)
}
