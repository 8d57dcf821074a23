package source

import (
	"context"
	"errors"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/docid"
)

// maxDOIs bounds the look-ups of one query: at one a second they must end within a call.
const maxDOIs = 5

// unpaywall finds open copies of works (https://unpaywall.org/products/api). For each DOI in the query it returns one
// record: its address is the open copy, and its snippet names the host and the version, or says that no copy is known.
// Other queries search titles.
type unpaywall struct{ Recipe }

func (s unpaywall) search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	var dois []string
	for _, m := range normal.DoisInText.FindAllString(q.Text, -1) {
		dois = normal.Distinct(append(dois, docid.NormalizeDOI(m))...)
	}
	if len(dois) == 0 {
		return s.Ask(ctx, c, q, Code{Values: map[string]string{"kind": "search", "words": q.Text}})
	}
	var found []channels.Result
	unknown := 0
	for _, doi := range dois[:min(len(dois), maxDOIs)] {
		got, err := s.Ask(ctx, c, q, Code{Values: map[string]string{"kind": doi}, LookUp: true})
		if fail, ok := errors.AsType[*channels.Failure](err); ok && fail.Status == channels.StatusEmpty {
			unknown++
			continue
		}
		if err != nil && len(found) > 0 {
			return found, channels.Fail(channels.StatusDegraded, "%d of %d DOIs were looked up; then: %s", len(found)+unknown, len(dois), channels.AsFailure(err).Message)
		}
		if err != nil {
			return nil, err
		}
		found = append(found, got...)
	}
	switch {
	case len(dois) > maxDOIs:
		return found, channels.Fail(channels.StatusDegraded, "the first %d of %d DOIs were looked up", maxDOIs, len(dois))
	case unknown > 0:
		return found, channels.Fail(channels.StatusOK, "%d of %d DOIs are unknown", unknown, len(dois))
	}
	return found, nil
}
