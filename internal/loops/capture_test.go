package loops_test

import (
	"crypto/sha256"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// The log records the response from which a source was read. Hosts do not need offsets and hashes.
func TestReadRecordsTheResponse(t *testing.T) {
	t.Parallel()
	const url, body = "https://example.org/tower", "<p>The tower is 12 metres high."
	h := newHarness(t)
	loop := h.start("q")
	h.web.put(url, "Tower", "The tower is 12 metres high.")
	p := h.web.pages[url]
	p.Capture = &fetch.Capture{Status: 200, Redirects: []string{url + "?from"}, SHA256: sha256.Sum256([]byte(body)), Bytes: len(body)}
	h.web.pages[url] = p
	h.read(loop, url)
	want := loopstate.Capture{Status: 200, Redirects: []string{url + "?from"}, SHA256: loopstate.HashText([]byte(body)).String(),
		Bytes: len(body)}
	if diff := cmp.Diff(&want, must(h.Sources(t.Context(), loop))(t)[0].Capture); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, src := range h.view(loops.ViewInput{Loop: loop, View: "sources"}).Sources {
		if src.Capture != nil || src.Pages != nil {
			t.Errorf("a host is shown %+v %v", src.Capture, src.Pages)
		}
	}
}
