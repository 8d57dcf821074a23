package loops

import (
	"context"

	"github.com/citeloop/citeloop/internal/views"
	"github.com/citeloop/citeloop/loopstate"
)

// Listed is a page of loops.
type Listed struct {
	Loops      []loopstate.Head
	NextCursor string
}

// List returns a page of the caller's loops, last changed first.
func (s *Service) List(ctx context.Context, cursor string) (Listed, error) {
	heads, err := s.Heads(ctx)
	if err != nil {
		return Listed{}, err
	}
	var out Listed
	out.Loops, out.NextCursor, err = views.Page(heads, cursor, views.AnswerTokens-500)
	return out, err
}
