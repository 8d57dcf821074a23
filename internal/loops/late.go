package loops

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/citeloop/citeloop/fetch"
)

// DefaultReadTime is how long one Read waits for pages: a tool's call ends within 25 s (DESIGN, "The tools"), and
// texts have to be compared and kept after the last has come.
const DefaultReadTime = 22 * time.Second

// unfinished is the reason of a page that was still on its way when its call had to end.
const unfinished = "not finished within this call; ask again"

// inTime is a page as it is answered: one that the end of the call cut off says so, and not that its site is slow.
func inTime(reading context.Context, p fetch.Page) fetch.Page {
	if p.Status == fetch.StatusTimeout && reading.Err() != nil {
		p.Reason = unfinished
	}
	return p
}

// maxLate addresses are remembered: fifty calls in which nothing arrives.
const maxLate = 1_000

// lateAddresses remembers which addresses did not arrive in time, the last ones. They are asked for after the
// others, or the slow ones among 20 addresses would keep the rest from being read in every call anew.
type lateAddresses struct {
	mu   sync.Mutex
	urls []string // oldest first
}

func (l *lateAddresses) note(url string, late bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.urls = slices.DeleteFunc(l.urls, func(u string) bool { return u == url })
	if late {
		l.urls = append(l.urls, url)
		l.urls = l.urls[max(0, len(l.urls)-maxLate):]
	}
}

// last puts the addresses at these positions that were late behind the others.
func (l *lateAddresses) last(positions []int, urls []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	rank := func(i int) int { return slices.Index(l.urls, urls[i]) } // -1 before all that were late
	slices.SortStableFunc(positions, func(a, b int) int { return rank(a) - rank(b) })
}
