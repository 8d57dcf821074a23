package loops

import (
	"context"
	"slices"
	"time"

	"github.com/citeloop/citeloop/fetch"
)

// DefaultReadTime is how long one Read waits for pages: a tool's call ends within 25 s, and
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

// noteLate remembers whether an address did not arrive in time. Late addresses are asked for after the others;
// otherwise the slow ones among 20 would keep the rest from being read in every call.
func (s *Service) noteLate(url string, late bool) {
	if s.late.Remove(url); late {
		s.late.Add(url, struct{}{})
	}
}

// lateLast moves the positions of addresses that were late behind the others.
func (s *Service) lateLast(positions []int, urls []string) {
	late := s.late.Keys()                                          // oldest first
	rank := func(i int) int { return slices.Index(late, urls[i]) } // -1 for those that were not late
	slices.SortStableFunc(positions, func(a, b int) int { return rank(a) - rank(b) })
}
