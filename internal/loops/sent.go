package loops

import (
	"context"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/loopstate"
)

// OpenedReader reads the user's own files; *fetch.Reader implements it.
type OpenedReader interface {
	ReadOpened(ctx context.Context, path string) fetch.Page            // that the user's client has read
	ReadSent(ctx context.Context, name string, body []byte) fetch.Page // that the user sent
}

// ReadSent stores the text of a file that the user sent as a source. It does not count as shown to the assistant. The outcome
// says why a file was not read; such a file leaves no trace.
func (s *Service) ReadSent(ctx context.Context, loop, name string, body []byte) (PageOutcome, error) {
	if s.Opened == nil {
		return PageOutcome{Status: fetch.StatusUnsupported, Reason: "this server reads no files"}, nil
	}
	if err := s.view(ctx, loop, func(*loopstate.State) error { return nil }); err != nil { // before the work
		return PageOutcome{}, err
	}
	o := outcomeOf("file:///"+name, s.Opened.ReadSent(ctx, name, body))
	if o.Status != fetch.StatusRead {
		return o, nil
	}
	// The file has no address that anyone could read again, and proves no identity.
	o.URL, o.Pasted, o.Capture, o.body = "urn:sha256:"+o.SHA256, true, nil, nil
	o.FinalURL, o.Key, o.DOI, o.DOIProof = o.URL, o.URL, "", ""
	if strings.HasPrefix(o.Title, "file:") {
		o.Title = name
	}
	out := []PageOutcome{o}
	err := s.keep(ctx, ReadInput{Loop: loop, Show: Unseen}, out, []int{0})
	return out[0], err
}
