package loopstate

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/citeloop/citeloop/internal/docid"
)

// failer is the common part of testing.T, testing.B and rapid.T.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// history is a loop that changes by the real steps, with its log and a clock.
type history struct {
	t     failer
	state *State
	log   []Event
	now   time.Time
}

var testStart = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func begin(t failer, in StartInput) *history {
	t.Helper()
	h := &history{t: t, now: testStart}
	h.must(Start(in, "me", h.now))
	return h
}

// must appends the payload of a step.
func (h *history) must(p Payload, err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatalf("the step was refused: %v", err)
	}
	h.append(h.event(p))
}

// event makes the next event, a second after the last.
func (h *history) event(p Payload) Event {
	h.t.Helper()
	h.now = h.now.Add(time.Second)
	seq := int64(len(h.log) + 1)
	e, err := NewEvent("loop", seq, h.now, fmt.Sprintf("op-%d", seq), p)
	if err != nil {
		h.t.Fatalf("%v", err)
	}
	return e
}

func (h *history) append(e Event) {
	h.t.Helper()
	s, err := Apply(h.state, e)
	if err != nil {
		h.t.Fatalf("%v", err)
	}
	h.state, h.log = s, append(h.log, e)
}

func (h *history) update(in UpdateInput) {
	h.t.Helper()
	p, err := h.state.Update(in)
	h.must(p, err)
}

func (h *history) gap(in GapInput) {
	h.t.Helper()
	p, duplicate, err := h.state.AddGap(in)
	if duplicate != "" {
		h.t.Fatalf("the loop has the gap %q already, as %s", in.Gap, duplicate)
	}
	h.must(p, err)
}

func (h *history) search(query string, hits ...Evidence) {
	h.t.Helper()
	h.must(h.state.Search(Search{Query: query, Channels: []SearchOutcome{{Channel: "local", Status: "ok", Count: len(hits)}}, TookMS: 10},
		hits))
}

// find makes a search that finds n new pages.
func (h *history) find(n int) {
	h.t.Helper()
	have := len(h.state.Evidence)
	var hits []Evidence
	for i := range n {
		hits = append(hits, page(have+i+1))
	}
	h.search(fmt.Sprintf("search %d", len(h.state.Searches)+1), hits...)
}

// read reads addresses, each with its own text.
func (h *history) read(urls ...string) {
	h.t.Helper()
	var sources []Source
	for _, u := range urls {
		sources = append(sources, sourceAt(u, h.now))
	}
	h.must(h.state.Read(sources, nil))
}

// findAndRead finds n new pages and reads them all.
func (h *history) findAndRead(n int) {
	h.t.Helper()
	have := len(h.state.Evidence)
	h.find(n)
	var urls []string
	for _, e := range h.state.Evidence[have:] {
		urls = append(urls, e.URL)
	}
	h.read(urls...)
}

// claim records n new claims that cite the last source.
func (h *history) claim(n int) {
	h.t.Helper()
	var claims []Claim
	for i := range n {
		claims = append(claims, Claim{Claim: fmt.Sprintf("claim %d", len(h.state.Claims)+i+1),
			SourceIDs: []string{fmt.Sprintf("S%d", len(h.state.Sources))}})
	}
	h.update(UpdateInput{Claims: claims})
}

func (h *history) verify(status string, claims ...Claim) {
	h.t.Helper()
	var checked []Claim
	for _, c := range claims {
		c.Check = &ClaimCheck{Status: status}
		checked = append(checked, c)
	}
	p, err := h.state.Verify(Verified{Verdict: "pass", Groundedness: 1}, checked, "")
	h.must(p, err)
}

func (h *history) close(in CloseInput) {
	h.t.Helper()
	h.must(h.state.Close(in))
}

// page returns the nth hit of a test.
func page(n int) Evidence {
	return Evidence{Title: fmt.Sprintf("Page %d", n), URL: fmt.Sprintf("https://site%d.example/page/%d", n%7, n), Source: "local"}
}

func sourceAt(rawURL string, at time.Time) Source {
	return Source{Key: docid.CanonicalKey(rawURL, ""), URL: rawURL, FinalURL: rawURL, Title: rawURL, Chars: 1000,
		SHA256: HashText([]byte(rawURL)).String(), FetchedAt: at}
}

func gaps(texts ...string) []GapInput {
	var in []GapInput
	for _, text := range texts {
		in = append(in, GapInput{Gap: text})
	}
	return in
}

func addresses(hits []Evidence) []string { return each(hits, func(e Evidence) string { return e.URL }) }

func pointer[T any](v T) *T { return &v }

func fold(t failer, s *State, log []Event) *State {
	t.Helper()
	for _, e := range log {
		var err error
		if s, err = Apply(s, e); err != nil {
			t.Fatalf("%v", err)
		}
	}
	return s
}

// written returns a state as JSON.
func written(t failer, s *State) string {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return string(data)
}

func diffStates(want, got *State) string {
	return cmp.Diff(want, got, cmpopts.IgnoreUnexported(State{}))
}

func TestHead(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	want := Head{Loop: "loop", Owner: "me", Seq: 1, Query: "q", Status: StatusRunning, UpdatedAt: h.now}
	if diff := cmp.Diff(want, h.state.Head()); diff != "" {
		t.Errorf("a new loop (-want +got):\n%s", diff)
	}
	h.close(CloseInput{SignOff: true})
	h.close(CloseInput{SignOff: true})
	if got := h.state.Head(); got.Status != StatusFinished || got.Round != 2 || got.Seq != 3 {
		t.Errorf("after two sign-offs the head is %+v", got)
	}
	h.update(UpdateInput{Abort: "enough"})
	if got := h.state.Status(); got != StatusAborted {
		t.Errorf("after an abort the status is %s", got)
	}
}

// compact formats a value for a failure message.
func compact(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
