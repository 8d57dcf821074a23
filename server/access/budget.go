package access

import (
	"fmt"
	"net/http"
)

// Budget bounds the memory of the requests being decoded, of one owner and of all, in bytes. Replicas count separately.
type Budget struct{ bytes quota }

// NewBudget limits the bytes of one owner and of all.
func NewBudget(each, all int64) *Budget {
	return &Budget{quota{each: each, all: all,
		ownerFull:  "too many large requests at the same time; retry when the others have ended. Nothing was done",
		serverFull: "the server is decoding too many large requests; retry later. Nothing was done"}}
}

// Share is what one request holds of a [Budget].
type Share struct {
	budget *Budget
	owner  string
	taken  int64
}

// Share returns an empty share for a request of an owner. It must be released after the request.
func (b *Budget) Share(owner string) *Share { return &Share{budget: b, owner: owner} }

// Grow raises the share to n bytes, or fails with a [CrowdedError] and changes nothing.
func (s *Share) Grow(n int64) error {
	if n <= s.taken {
		return nil
	}
	if err := s.budget.bytes.take(s.owner, n-s.taken); err != nil {
		return err
	}
	s.taken = n
	return nil
}

// Release returns the share to the budget.
func (s *Share) Release() {
	s.budget.bytes.give(s.owner, s.taken)
	s.taken = 0
}

// Taken returns the bytes held by all requests.
func (b *Budget) Taken() int64 { return b.bytes.total() }

// RefuseLarge answers a request that got no share: 429 at the limit of the owner, 503 at the limit of the server.
func RefuseLarge(w http.ResponseWriter, err error) {
	refuseCrowded(w, err, "too_many_large_requests", "2")
}

// RefuseSize answers a request that is too large at any time.
func RefuseSize(w http.ResponseWriter, problem string, args ...any) {
	refuse(w, http.StatusRequestEntityTooLarge, "", "too_large", fmt.Sprintf(problem, args...))
}
