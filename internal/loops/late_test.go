package loops_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate/sqlite"
)

// stuckReader reads one page at a time. A stuck page and those after it take until the call ends.
type stuckReader struct {
	*fakeWeb
	stuck map[string]bool
}

func (r *stuckReader) ReadAll(ctx context.Context, urls []string, each func(int, fetch.Page)) []fetch.Page {
	out := make([]fetch.Page, len(urls))
	for i, u := range urls {
		if r.stuck[u] {
			<-ctx.Done()
		}
		if ctx.Err() != nil {
			out[i] = fetch.Page{URL: u, Status: fetch.StatusTimeout, Reason: "the page did not arrive within the time it is given"}
		} else {
			out[i] = r.fakeWeb.ReadAll(ctx, urls[i:i+1], nil)[0]
		}
		each(i, out[i])
	}
	return out
}

// A call ends in time, stores the pages that arrived, and names the others. The same call again reads them.
func TestReadEndsInTime(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	var urls []string
	for i := range 6 {
		urls = append(urls, fmt.Sprintf("https://example.org/%d", i))
		h.web.put(urls[i], fmt.Sprint("Page ", i), fmt.Sprintf("Page %d says something of its own.", i))
	}
	reader := &stuckReader{fakeWeb: h.web, stuck: map[string]bool{urls[2]: true}}
	store := must(sqlite.Open(t.Context(), h.path, sqlite.Options{Unsynced: true}))(t)
	t.Cleanup(func() { store.Close() })
	svc := loops.New(loops.Config{Store: store, Owner: loops.LocalOwner, Searcher: h.web, Reader: reader, Now: h.time.Now,
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() }, Patience: 50 * time.Millisecond})
	loop := h.start("q")
	read := func() (statuses []string, reported int) {
		t.Helper()
		out := done(h, svc.Read, loops.ReadInput{Loop: loop, URLs: urls, Done: func(int, loops.PageOutcome) { reported++ }})
		for i, o := range out {
			if o.URL != urls[i] {
				t.Errorf("the answer has %s in place of %s", o.URL, urls[i])
			}
			if o.Status == fetch.StatusTimeout && o.Reason != "not finished within this call; ask again" {
				t.Errorf("%s: %q", o.URL, o.Reason)
			}
			statuses = append(statuses, string(o.Status)+" "+o.ID)
		}
		return statuses, reported
	}
	first, reported := read()
	if diff := cmp.Diff([]string{"read S1", "read S2", "timeout ", "timeout ", "timeout ", "timeout "}, first); diff != "" ||
		reported != 6 {
		t.Fatalf("the first call, %d reported (-want +got):\n%s", reported, diff)
	}
	reader.stuck[urls[2]] = false
	if second, _ := read(); cmp.Diff([]string{"read S1", "read S2", "read S3", "read S4", "read S5", "read S6"}, second) != "" {
		t.Errorf("the second call: %v", second)
	}
	bad, err := h.State(t.Context(), loops.ViewInput{Loop: loop, View: "full"})
	if err != nil || len(bad.Loop.Progress.BadURLs) != 0 {
		t.Errorf("written off: %v, %v", bad.Loop.Progress.BadURLs, err)
	}
}
