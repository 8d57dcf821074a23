package loops

import (
	"context"
	"slices"
	"time"

	"github.com/citeloop/citeloop/fetch"
)

// DefaultReadTime is how long one Read waits for pages: a tool call ends within 25 s, and texts are compared and stored
// after the last page.
const DefaultReadTime = 22 * time.Second

// unfinished is the reason of a page that did not arrive before the end of its call.
const unfinished = "not finished within this call; ask again"

// withReason changes the reason of a page that timed out because the call ended, not because its site was slow.
func withReason(reading context.Context, p fetch.Page) fetch.Page {
	if p.Status == fetch.StatusTimeout && reading.Err() != nil {
		p.Reason = unfinished
	}
	return p
}

// maxLate bounds the remembered late addresses: fifty calls without a page.
const maxLate = 1_000

// noteLate remembers whether an address timed out, or its server failed. Late addresses are fetched after the others, so that they do not delay
// the rest in every call.
func (s *Service) noteLate(url string, late bool) {
	if s.late.Remove(url); late {
		s.late.Add(url, struct{}{})
	}
}

// lateLast moves the positions of late addresses to the end.
func (s *Service) lateLast(positions []int, urls []string) {
	late := s.late.Keys()                                          // oldest first
	rank := func(i int) int { return slices.Index(late, urls[i]) } // -1 for those that were not late
	slices.SortStableFunc(positions, func(a, b int) int { return rank(a) - rank(b) })
}
