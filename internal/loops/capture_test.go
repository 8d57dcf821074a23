package loops_test

import (
	"crypto/sha256"
	"errors"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// capture sets the response of a page.
func (s *fakeWeb) capture(url, body string, kept bool) loopstate.Hash {
	p := s.pages[url]
	p.Capture = &fetch.Capture{Status: 200, Accept: "text/html", Redirects: []string{url + "?from"}, SHA256: sha256.Sum256([]byte(body)),
		Bytes:  len(body),
		Header: http.Header{"Content-Type": {"text/html"}, "Content-Encoding": {"br"}, "Date": {"Tue, 14 Nov 2023 22:13:20 GMT"}}}
	if kept {
		p.Capture.Body = []byte(body)
	}
	s.pages[url] = p
	return loopstate.HashText([]byte(body))
}

const (
	towerBody = "<p>The tower is 12 metres high."
	quayBody  = "<p>The quay is 90 metres long."
)

// captured returns a loop of two pages; the body of the second is not stored.
func captured(t *testing.T) (h *harness, loop string, tower, quay loopstate.Hash) {
	h = newHarness(t)
	loop = h.start("q")
	h.web.put("https://example.org/tower", "Tower", "The tower is 12 metres high.")
	h.web.put("https://example.org/quay", "Quay", "The quay is 90 metres long.")
	tower, quay = h.web.capture("https://example.org/tower", towerBody, true), h.web.capture("https://example.org/quay", quayBody, false)
	h.read(loop, "https://example.org/tower", "https://example.org/quay")
	return h, loop, tower, quay
}

func TestReadStoresTheBody(t *testing.T) {
	t.Parallel()
	h, loop, tower, quay := captured(t)
	if body, err := h.Store.Blob(t.Context(), tower); err != nil || string(body) != towerBody {
		t.Errorf("the body: %q, %v", body, err)
	}
	if _, err := h.Store.Blob(t.Context(), quay); !errors.Is(err, loopstate.ErrNotFound) {
		t.Errorf("a body that the reader did not hand over: %v", err)
	}
	sources := must(h.Sources(t.Context(), loop))(t)
	want := loopstate.Capture{Status: 200, Accept: "text/html", Redirects: []string{"https://example.org/tower?from"},
		SHA256: tower.String(), Bytes: len(towerBody), Kept: true,
		Header: map[string][]string{"Content-Type": {"text/html"}, "Content-Encoding": {"br"}, "Date": {"Tue, 14 Nov 2023 22:13:20 GMT"}}}
	if diff := cmp.Diff(&want, sources[0].Capture); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c := sources[1].Capture; c == nil || c.Kept || c.SHA256 != quay.String() {
		t.Errorf("of the second: %+v", c)
	}
	// Hosts do not need offsets and hashes of bodies.
	view := h.view(loops.ViewInput{Loop: loop, View: "sources"})
	for _, src := range view.Sources {
		if src.Capture != nil || src.Pages != nil {
			t.Errorf("a host is shown %+v %v", src.Capture, src.Pages)
		}
	}
}

func TestArchiveHasTheBodies(t *testing.T) {
	t.Parallel()
	from, loop, tower, quay := captured(t)
	archive := exported(t, from, loop)
	to := newHarness(t)
	must(importInto(to, archive))(t)
	if body, err := to.Store.Blob(t.Context(), tower); err != nil || string(body) != towerBody {
		t.Errorf("imported: %q, %v", body, err)
	}
	if _, err := to.Store.Blob(t.Context(), quay); !errors.Is(err, loopstate.ErrNotFound) {
		t.Errorf("imported, though it was never kept: %v", err)
	}
}
