package loops

import (
	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
)

// A verdict depends on the claim and the loop's texts only. So a draft that is verified again after some of its sentences
// changed is checked only where it changed.

// maxResultBytes bounds the kept results of one loop: some 2,000 claims.
const maxResultBytes = 4 << 20

// keptResults are the results of one checker.
type keptResults struct {
	wording *bounded[string, *citing.Result]
	opposed *bounded[string, *opposed]
}

// opposed is what other sources say against a claim.
type opposed struct{ conflicts []grounding.Conflict }

func newKeptResults() *keptResults {
	return &keptResults{newBounded[string, *citing.Result](maxResultBytes), newBounded[string, *opposed](maxResultBytes / 4)}
}

func (k *keptResults) bytes() int { return k.wording.bytes() + k.opposed.bytes() }

// Get implements [citing.Results].
func (k *keptResults) Get(key string) (citing.Result, bool) {
	r, ok := k.wording.get(key)
	if !ok {
		return citing.Result{}, false
	}
	return *r, true
}

// Keep implements [citing.Results].
func (k *keptResults) Keep(key string, r citing.Result) { k.wording.keep(key, &r, len(key)+r.Size()) }
