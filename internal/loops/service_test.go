package loops_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
)

// fakeWeb is a reader and a searcher of pages in memory. It counts the requests of each page.
type fakeWeb struct {
	mu    sync.Mutex
	pages map[string]fetch.Page
	asked map[string]int
}

func newFakeWeb() *fakeWeb { return &fakeWeb{pages: map[string]fetch.Page{}, asked: map[string]int{}} }

// put adds a readable page. It extends short texts to the minimum length of a source.
func (s *fakeWeb) put(url, title, text string) {
	if len(text) < 400 {
		text += "\n\n" + strings.Repeat("Nothing else of interest is said on this page about anything. ", 6)
	}
	s.pages[url] = fetch.Page{URL: url, FinalURL: url, Status: fetch.StatusRead, FetchedAt: time.Unix(1_700_000_000, 0),
		Document: document.Document{Head: document.Head{Title: title, ContentType: "text/html"}, Text: text, Chars: len([]rune(text))}}
}

func (s *fakeWeb) fail(url string, status fetch.Status) {
	s.pages[url] = fetch.Page{URL: url, Status: status, Reason: "it is so"}
}

func (s *fakeWeb) ReadAll(_ context.Context, urls []string, each func(int, fetch.Page)) []fetch.Page {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]fetch.Page, len(urls))
	for i, u := range urls {
		s.asked[u]++
		p, ok := s.pages[u]
		if !ok {
			p = fetch.Page{URL: u, Status: fetch.StatusNotFound, Reason: "no such page"}
		}
		out[i] = p
		if each != nil {
			each(i, p)
		}
	}
	return out
}

func (s *fakeWeb) Search(_ context.Context, names []string, q channels.Query, done func(channels.Outcome)) (channels.Answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var a channels.Answer
	for _, name := range names {
		if name != "fakeWeb" {
			return a, &channels.UnknownChannelError{Names: []string{name}, Valid: []string{"fakeWeb"}}
		}
	}
	for url, p := range s.pages {
		if p.Status == fetch.StatusRead && strings.Contains(p.Text, q.Text) {
			a.Evidence = append(a.Evidence, channels.Ranked{Evidence: channels.Evidence{Title: p.Title, URL: url, Source: "fakeWeb",
				Score: 1}, Key: url})
		}
	}
	slices.SortFunc(a.Evidence, func(x, y channels.Ranked) int { return strings.Compare(x.URL, y.URL) })
	status := channels.StatusOK
	if len(a.Evidence) == 0 {
		status = channels.StatusEmpty
	}
	a.Outcomes = []channels.Outcome{{Name: "fakeWeb", Status: status, Count: len(a.Evidence)}}
	if done != nil {
		done(a.Outcomes[0])
	}
	return a, nil
}

func (s *fakeWeb) List() []channels.Info { return nil }

// clock advances by a second with each call.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Second)
	return c.now
}

// harness is a store with a service; service adds another process's service.
type harness struct {
	*loops.Service
	web  *fakeWeb
	t    testing.TB
	path string
	time *clock
}

func newHarness(t testing.TB) *harness {
	t.Helper()
	h := &harness{web: newFakeWeb(), t: t, path: filepath.Join(t.TempDir(), "citeloop.db"),
		time: &clock{now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}}
	h.Service = h.service()
	return h
}

func (h *harness) service() *loops.Service {
	h.t.Helper()
	store := must(sqlite.Open(h.t.Context(), h.path, sqlite.Options{Unsynced: true}))(h.t)
	h.t.Cleanup(func() { store.Close() })
	return loops.New(loops.Config{Store: store, Owner: loops.LocalOwner, Searcher: h.web, Reader: h.web, Now: h.time.Now,
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() }, Generator: "citeloop test", Patience: time.Hour})
}

func (h *harness) start(query string) string {
	h.t.Helper()
	a := must(h.Start(h.t.Context(), loopstate.StartInput{Query: query}))(h.t)
	return a.StateID
}

// done returns the answer of a use case that must succeed.
func done[In, Out any](h *harness, call func(context.Context, In) (Out, error), in In) Out {
	h.t.Helper()
	return must(call(h.t.Context(), in))(h.t)
}

func (h *harness) check(in loops.VerifyInput) verify.Result { return done(h, h.Verify, in) }

func (h *harness) view(in loops.ViewInput) loops.View { return done(h, h.State, in) }

func (h *harness) report(in loops.ReportInput) report.Document { return done(h, h.Report, in) }

func (h *harness) review(in loops.ReviewInput) loops.ReviewResult { return done(h, h.Review, in) }

func (h *harness) addGap(loop string, in loopstate.GapInput) {
	h.t.Helper()
	must(h.AddGap(h.t.Context(), loop, "", in))(h.t)
}

// reflect closes a round.
func (h *harness) reflect(loop string, in loopstate.CloseInput) loops.Reflected {
	h.t.Helper()
	return must(h.Reflect(h.t.Context(), loop, "", in))(h.t)
}

// read reads pages into a loop and returns their source ids.
func (h *harness) read(loop string, urls ...string) []string {
	h.t.Helper()
	out := must(h.Read(h.t.Context(), loops.ReadInput{Loop: loop, URLs: urls}))(h.t)
	ids := make([]string, len(out))
	for i, o := range out {
		ids[i] = o.ID
	}
	return ids
}

// log returns the events of a loop.
func (h *harness) log(loop string) (events []loopstate.Event) {
	h.t.Helper()
	for e, err := range h.Store.Load(h.t.Context(), loop, 0) {
		noError(h.t, err)
		events = append(events, e)
	}
	return events
}

// refusal checks the subject and the code of an error.
func refusal(t *testing.T, err error, subject string, code loopstate.Code) {
	t.Helper()
	if e, ok := errors.AsType[*loopstate.Error](err); !ok || e.Subject != subject || e.Code != code {
		t.Errorf("error %v, want %s of %s", err, code, subject)
	}
}

// Two processes add gaps to one loop concurrently: each gap is stored once with its own id.
func TestTwoServicesOneLoop(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("q")
	const each = 40
	var wg sync.WaitGroup
	for p, svc := range []*loops.Service{h.Service, h.service()} {
		for worker := range 2 {
			wg.Go(func() {
				for i := range each / 2 {
					if _, err := svc.AddGap(h.t.Context(), loop, "",
						loopstate.GapInput{Gap: fmt.Sprintf("gap %d of worker %d of process %d", i, worker, p)}); err != nil {
						t.Errorf("process %d: %v", p, err)
						return
					}
				}
			})
		}
	}
	wg.Wait()
	got := must(h.service().ListGaps(h.t.Context(), loop, "all", 0))(t)
	ids := map[string]bool{}
	for _, g := range got.Gaps {
		ids[g.ID] = true
	}
	if len(got.Gaps) != 2*each || len(ids) != 2*each || !ids[fmt.Sprintf("G%d", 2*each)] {
		t.Errorf("%d gaps with %d ids, want %d of both", len(got.Gaps), len(ids), 2*each)
	}
}

// Loops of others, unknown ids and invalid ones get the same error, and nothing is fetched for them.
func TestOwnersAreIsolated(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("secret")
	h.web.put("https://example.org/a", "A", "Text.")
	h.read(loop, "https://example.org/a")
	otherOwner := loops.WithOwner(t.Context(), "somebody else")
	for _, id := range []string{loop, uuid.NewString(), "x", "../" + loop, strings.Repeat("9", 10_000)} {
		wantUnknown(t, otherOwner, h.Service, id)
	}
	if h.web.asked["https://example.org/lighthouse"] != 0 {
		t.Error("another owner's read was fetched")
	}
	for ctx, want := range map[context.Context]int{otherOwner: 0, t.Context(): 1} {
		list, err := h.List(ctx, "")
		heads, headsErr := h.Heads(ctx)
		if err != nil || headsErr != nil || len(list.Loops) != want || len(heads) != want {
			t.Errorf("listed %+v and %+v, %v, %v; want %d", list, heads, err, headsErr, want)
		}
	}
}

// must returns the value of a call that has to succeed.
func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		noError(t, err)
		return value
	}
}

// errOf returns the error of a call.
func errOf[T any](_ T, err error) error { return err }

// noError ends a test with an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
