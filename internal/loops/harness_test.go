package loops_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
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
	stuck map[string]bool // these and those after them take until the call ends
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

func (s *fakeWeb) ReadAll(ctx context.Context, urls []string, each func(int, fetch.Page)) []fetch.Page {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]fetch.Page, len(urls))
	for i, u := range urls {
		s.asked[u]++
		if s.stuck[u] {
			<-ctx.Done()
		}
		p, ok := s.pages[u]
		switch {
		case len(s.stuck) > 0 && ctx.Err() != nil:
			p = fetch.Page{URL: u, Status: fetch.StatusTimeout, Reason: "the page did not arrive within the time it is given"}
		case !ok:
			p = fetch.Page{URL: u, Status: fetch.StatusNotFound, Reason: "no such page"}
		}
		out[i] = p
		if each != nil {
			each(i, p)
		}
	}
	return out
}

func (s *fakeWeb) Search(_ context.Context, _ []string, q channels.Query, done func(channels.Outcome)) (channels.Answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var a channels.Answer
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

func (c *clock) pass(seconds time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(seconds * time.Second)
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

// newLoop is a new harness with a loop.
func newLoop(t testing.TB, query string) (h *harness, loop string) {
	t.Helper()
	h = newHarness(t)
	return h, h.start(query)
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

// requests returns how many requests the fake web got.
func (h *harness) requests() (n int) {
	for _, times := range h.web.asked {
		n += times
	}
	return n
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

func (h *harness) update(loop string, in loopstate.UpdateInput) loops.Updated {
	h.t.Helper()
	return must(h.Update(h.t.Context(), loop, "", in))(h.t)
}

// stateOf returns the fold of a loop's log.
func (h *harness) stateOf(loop string) (st *loopstate.State) {
	h.t.Helper()
	for _, e := range h.log(loop) {
		st = must(loopstate.Apply(st, e))(h.t)
	}
	return st
}

// hookedStore is a store with functions that run before its calls.
type hookedStore struct {
	loopstate.Store
	before map[string]func() // by call; each runs once
	fails  error             // of Append
}

func (m *hookedStore) run(call string) {
	if do, ok := m.before[call]; ok {
		delete(m.before, call)
		do()
	}
}

func (m *hookedStore) Append(ctx context.Context, head loopstate.Head, at int64, events []loopstate.Event, texts ...[]byte) error {
	if m.run("Append"); m.fails != nil {
		return m.fails
	}
	return m.Store.Append(context.WithoutCancel(ctx), head, at, events, texts...) // a write may exceed its deadline
}

func (m *hookedStore) Load(ctx context.Context, loop string, after int64) iter.Seq2[loopstate.Event, error] {
	m.run(fmt.Sprint("Load after ", after))
	return m.Store.Load(ctx, loop, after)
}

func (m *hookedStore) Blob(ctx context.Context, h loopstate.Hash) ([]byte, error) {
	m.run("Blob")
	return m.Store.Blob(ctx, h)
}

const lighthouse = `The lighthouse at Cape Arden was built in 1874 by the engineer Maria Holt.
It stands 42 metres high and its lamp can be seen from 30 kilometres away.
The keeper's harness was never inhabited after the fire of 1911, when the northern wall collapsed.
Today the lamp is electric and no keeper lives on the cape.

The stones of the lighthouse came from the quarry of Brack on 214 barges.
The first keeper kept a book of 1,460 nights and left it to the parish.
A fog bell of 620 kilograms was hung beside the lighthouse in 1889.
The lighthouse burned 38 litres of colza oil in a week of December.
The coast guard bought the lighthouse from the county for 90,000 crowns.
Storms broke the windows of the lighthouse in 1903 and again in 1927.
The parish council opposed the electric lamp because it feared the cost.
Visitors may climb the 198 steps of the lighthouse between May and October.`

const harbour = `The harbour of Port Arden is closed to large ships because the channel has silted up.
Local fishermen land about 300 tonnes of herring a year, most of it in spring.
The town council decided in 2019 to restore the old customs hall and to open a museum in it.`

// withSources returns a loop with two sources: S1 the lighthouse, S2 the harbour.
func withSources(t *testing.T) (*harness, string) {
	t.Helper()
	h, loop := newLoop(t, "What is at Cape Arden?")
	h.readBoth(t.Context(), loop)
	return h, loop
}

// readBoth reads the lighthouse as S1 and the harbour as S2.
func (h *harness) readBoth(ctx context.Context, loop string) {
	h.t.Helper()
	urls := []string{"https://example.org/lighthouse", "https://example.org/harbour"}
	h.web.put(urls[0], "The lighthouse of Cape Arden", lighthouse)
	h.web.put(urls[1], "The harbour of Port Arden", harbour)
	must(h.Read(ctx, loops.ReadInput{Loop: loop, URLs: urls}))(h.t)
}

// studied starts a loop with two sources, a claim, a gap and a closed round, and puts a page that it has not read on the web.
func (h *harness) studied(ctx context.Context) (loop string) {
	h.t.Helper()
	loop = must(h.Start(ctx, loopstate.StartInput{Query: "What is at Cape Arden?"}))(h.t).StateID
	h.readBoth(ctx, loop)
	h.web.put("https://example.org/quay", "Quay", "The quay is 90 metres long.")
	must(h.Verify(ctx, loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New("The lighthouse was built in 1874.", "S1")}}))(h.t)
	must(h.Reflect(ctx, loop, "", loopstate.CloseInput{Synthesis: "So far.",
		Gaps: []loopstate.GapInput{{Gap: "What of the harbour?"}}}))(h.t)
	return loop
}

func studiedLoop(t *testing.T) (*harness, string) {
	t.Helper()
	h := newHarness(t)
	return h, h.studied(t.Context())
}

func statuses(v verify.Result) []string {
	var out []string
	for _, c := range v.Claims {
		out = append(out, string(c.Status))
	}
	return out
}
