package loops_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// on is what a call is made on.
type on struct {
	*loops.Service
	ctx             context.Context
	loop, operation string
}

type call = func(s on) (any, error)

// use is a call that names a loop.
type use struct {
	name string
	call call
	once bool // a repeat with the same operation is answered as the first call, and changes nothing
}

// answer returns an answer of any type.
func answer[T any](answer T, err error) (any, error) { return answer, err }

// uses are all calls that name a loop of [studiedLoop].
func uses() []use {
	claim := verify.New("The lighthouse was built in 1874.", "S1")
	hit := loopstate.Evidence{Title: "A page", URL: "https://example.org/hit", Source: "fakeWeb"}
	state := func(view string, round int) call {
		return func(s on) (any, error) {
			return answer(s.State(s.ctx, loops.ViewInput{Loop: s.loop, View: view, Round: round}))
		}
	}
	read := func(in loops.ReadInput) call {
		return func(s on) (any, error) {
			in.Loop = s.loop
			return answer(s.Read(s.ctx, in))
		}
	}
	closing := func(in loopstate.CloseInput) call {
		return func(s on) (any, error) { return answer(s.Reflect(s.ctx, s.loop, s.operation, in)) }
	}
	update := func(in loopstate.UpdateInput) call {
		return func(s on) (any, error) { return answer(s.Update(s.ctx, s.loop, s.operation, in)) }
	}
	return []use{
		{name: "state", call: state("", 0)},
		{name: "a past round", call: state("", 1)},
		{name: "events", call: state("events", 0)},
		{name: "gaps", call: func(s on) (any, error) { return answer(s.ListGaps(s.ctx, s.loop, "", 0)) }},
		{name: "add a gap", once: true, call: func(s on) (any, error) {
			return answer(s.AddGap(s.ctx, s.loop, s.operation, loopstate.GapInput{Gap: "one more gap"}))
		}},
		{name: "hits of the host's", once: true, call: update(loopstate.UpdateInput{Query: "q",
			Evidence: []loopstate.Evidence{hit}})},
		{name: "an answered gap", once: true, call: update(loopstate.UpdateInput{AnsweredGaps: []string{"G1"},
			Usage: loopstate.Usage{Tokens: 7}})},
		{name: "search", once: true, call: func(s on) (any, error) {
			found, err := s.Search(s.ctx, loops.SearchInput{Loop: s.loop, Operation: s.operation, Channels: []string{"fakeWeb"},
				Query: channels.Query{Text: "lighthouse"}})
			return found.Version, err
		}},
		{name: "a page", call: read(loops.ReadInput{URLs: []string{"https://example.org/quay"}})},
		{name: "a pasted text", call: read(loops.ReadInput{Text: strings.Repeat("What a user pasted. ", 12), Title: "Pasted"})},
		{name: "a page that is kept", call: read(loops.ReadInput{URLs: []string{"https://example.org/lighthouse"}})},
		{name: "passages", call: func(s on) (any, error) { return answer(findPassages(s.Service, s.ctx, s.loop, "lighthouse", nil, 1)) }},
		{name: "verify", once: true, call: func(s on) (any, error) {
			v, err := s.Verify(s.ctx, loops.VerifyInput{Loop: s.loop, Operation: s.operation, Claims: []verify.Claim{claim}})
			return fmt.Sprint(v.Cycle, v.Verdict, v.GeneratedAt), err
		}},
		{name: "the end of a round", once: true, call: closing(loopstate.CloseInput{SignOff: true, Synthesis: "So far [S1].",
			AnsweredGaps: []string{"G1"}})},
		{name: "a large synthesis", once: true, call: closing(loopstate.CloseInput{
			Synthesis: strings.Repeat("long 日本 ", 50_000)})},
		{name: "report", call: func(s on) (any, error) { return answer(s.Report(s.ctx, loops.ReportInput{Loop: s.loop})) }},
		{name: "prompt", call: func(s on) (any, error) {
			return answer(s.Prompt(s.ctx, prompts.All()[0], map[string]string{"state_id": s.loop}))
		}},
		{name: "revision", call: func(s on) (any, error) { return answer(s.Revision(s.ctx, s.loop)) }},
		{name: "sources", call: func(s on) (any, error) { return answer(s.Sources(s.ctx, s.loop)) }},
		{name: "text", call: func(s on) (any, error) {
			src, _, err := s.SourceText(s.ctx, s.loop, "S1")
			return src, err
		}},
		{name: "export", call: func(s on) (any, error) { return nil, s.Export(s.ctx, s.loop, io.Discard) }},
		{name: "delete", call: func(s on) (any, error) { return nil, s.Delete(s.ctx, s.loop) }},
	}
}

// wantRefused checks that all calls on a loop get the same error.
func wantRefused(t *testing.T, ctx context.Context, svc *loops.Service, loop, want string) {
	t.Helper()
	for _, u := range uses() {
		if _, err := u.call(on{svc, ctx, loop, "op-1"}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", u.name, err, want)
		}
	}
}

const unknown, noOwner = "unknown_loop: loop", "no_owner: owner"

// Loops of others, unknown ids and invalid ones get the same error, and nothing is fetched for them. A call without an owner fails.
func TestOwnersAreIsolated(t *testing.T) {
	t.Parallel()
	h, loop := studiedLoop(t)
	other, requests := loops.WithOwner(t.Context(), "somebody else"), h.requests()
	for _, id := range []string{loop, uuid.NewString(), "x", "../" + loop, strings.Repeat("9", 10_000)} {
		wantRefused(t, other, h.Service, id, unknown)
	}
	for ctx, want := range map[context.Context]int{other: 0, t.Context(): 1} {
		if heads, err := h.Heads(ctx); err != nil || len(heads) != want {
			t.Errorf("listed %+v, %v; want %d", heads, err, want)
		}
	}
	archive := exported(t, h, loop)
	h.Owner = "" // as in a server
	wantRefused(t, t.Context(), h.Service, loop, noOwner)
	for name, err := range map[string]error{
		"start":  errOf(h.Start(t.Context(), loopstate.StartInput{Query: "q"})),
		"list":   errOf(h.Heads(t.Context())),
		"import": errOf(importInto(h, archive)),
	} {
		if !loopstate.Has(err, loopstate.CodeNoOwner) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if h.requests() != requests {
		t.Error("another owner's page was fetched")
	}
}

// A deleted loop is unknown to every process, and its texts are gone, except those that another loop has. Its archive brings it back, also
// to a process that remembers it.
func TestDelete(t *testing.T) {
	t.Parallel()
	h, loop := studiedLoop(t)
	must(h.Update(t.Context(), loop, "op-1", loopstate.UpdateInput{Query: "x"}))(t)
	other := h.start("What of the harbour?")
	h.read(other, "https://example.org/harbour")
	archive, before, sources := exported(t, h, loop), exported(t, h, other), h.stateOf(loop).Sources
	blob := func(hash string) error {
		return errOf(h.Store.Blob(t.Context(), must(loopstate.ParseHash(hash))(t)))
	}
	there := h.service()
	done(h, there.State, loops.ViewInput{Loop: loop})
	noError(t, h.Delete(t.Context(), loop))
	for _, svc := range []*loops.Service{h.Service, there} {
		wantRefused(t, t.Context(), svc, loop, unknown)
	}
	if err := blob(sources[0].SHA256); !errors.Is(err, loopstate.ErrNotFound) {
		t.Errorf("a text of the loop alone: %v", err)
	}
	noError(t, blob(sources[1].SHA256))
	if !bytes.Equal(before, exported(t, h, other)) {
		t.Error("another loop is not what it was")
	}
	must(importInto(h, archive))(t)
	for name, svc := range map[string]*loops.Service{"which deleted it": h.Service, "which saw it go": there, "a new one": h.service()} {
		if got, err := svc.Sources(t.Context(), loop); err != nil || cmp.Diff(sources, got) != "" {
			t.Errorf("imported again, the process %s: %+v, %v", name, got, err)
		}
	}
}

// Another process deletes a loop, imports an older copy and changes that, while this one remembers the loop.
func TestReplacedByAnotherProcess(t *testing.T) {
	t.Parallel()
	h, loop := newLoop(t, "What is at Cape Arden?")
	h.web.put("https://example.org/lighthouse", "The lighthouse", lighthouse)
	h.web.put("https://example.org/harbour", "The harbour", harbour)
	h.web.put("https://example.org/mill", "The mill", "The mill was built in 1902. It stands at the river.")
	h.read(loop, "https://example.org/lighthouse")
	archive := exported(t, h, loop)
	h.read(loop, "https://example.org/harbour")
	h.addGap(loop, loopstate.GapInput{Gap: "an old gap"})
	claim := loops.VerifyInput{Loop: loop, Claims: []verify.Claim{{Text: "The mill was built in 1902.",
		Citations: []verify.Citation{{SourceID: "S2", Quote: "mill was built in 1902"}}}}}
	if v := h.check(claim); statuses(v)[0] != loopstate.Unsupported {
		t.Fatalf("before: %v", statuses(v))
	}
	there := h.service()
	noError(t, there.Delete(t.Context(), loop))
	must(there.Import(t.Context(), bytes.NewReader(archive)))(t)
	done(h, there.Read, loops.ReadInput{Loop: loop, URLs: []string{"https://example.org/mill"}})
	must(there.AddGap(t.Context(), loop, "", loopstate.GapInput{Gap: "a new gap"}))(t)
	want := done(h, there.State, loops.ViewInput{Loop: loop, View: "full"})
	if diff := cmp.Diff(want, h.view(loops.ViewInput{Loop: loop, View: "full"})); diff != "" {
		t.Errorf("a process that remembers (-want +got):\n%s", diff)
	}
	if v := h.check(claim); statuses(v)[0] != loopstate.Inferred {
		t.Errorf("S2 is another text now: %v", statuses(v))
	}
}

// The loop is deleted during a call.
func TestDeletedDuringACall(t *testing.T) {
	t.Parallel()
	for before, operation := range map[string]string{"Append": "", "Load after 1": "op-1"} {
		t.Run(before, func(t *testing.T) {
			h, loop := newLoop(t, "q")
			must(h.Update(t.Context(), loop, "op-1", loopstate.UpdateInput{Query: "x"}))(t)
			h.addGap(loop, loopstate.GapInput{Gap: "a gap"})
			cfg := h.service().Config
			store := &hookedStore{Store: cfg.Store}
			cfg.Store = store
			svc := loops.New(cfg)
			done(h, svc.State, loops.ViewInput{Loop: loop})
			store.before = map[string]func(){before: func() {
				if err := h.Delete(t.Context(), loop); err != nil {
					t.Error(err)
				}
			}}
			_, err := svc.Update(t.Context(), loop, operation, loopstate.UpdateInput{Query: "y"})
			refusal(t, err, "loop", loopstate.CodeUnknownLoop)
			if len(store.before) > 0 {
				t.Error("it was not deleted during the call")
			}
		})
	}
}

// Every call that writes acts once for one operation id, in any process, and returns the same result.
func TestOneOperationActsOnce(t *testing.T) {
	t.Parallel()
	for _, u := range uses() {
		if !u.once {
			continue
		}
		t.Run(u.name, func(t *testing.T) {
			h, loop := studiedLoop(t)
			before := h.stateOf(loop).Seq
			first := must(u.call(on{h.Service, t.Context(), loop, "op"}))(t)
			for _, svc := range []*loops.Service{h.Service, h.service()} {
				if diff := cmp.Diff(first, must(u.call(on{svc, t.Context(), loop, "op"}))(t)); diff != "" {
					t.Errorf("the repeat is answered otherwise (-first +again):\n%s", diff)
				}
			}
			if seq := h.stateOf(loop).Seq; seq != before+1 {
				t.Errorf("%d events, want 1", seq-before)
			}
		})
	}
}

// A call with the operation id of another one is refused: it would seem to be recorded.
func TestOperationOfAnotherCall(t *testing.T) {
	t.Parallel()
	h, loop := studiedLoop(t)
	for name, call := range map[string]func(svc *loops.Service, n string) error{
		"update": func(svc *loops.Service, n string) error {
			return errOf(svc.Update(t.Context(), loop, "u", loopstate.UpdateInput{Query: n}))
		},
		"gap": func(svc *loops.Service, n string) error {
			return errOf(svc.AddGap(t.Context(), loop, "g", loopstate.GapInput{Gap: n}))
		},
		"reflect": func(svc *loops.Service, n string) error {
			return errOf(svc.Reflect(t.Context(), loop, "r", loopstate.CloseInput{Failures: []string{n}}))
		},
		"search": func(svc *loops.Service, n string) error {
			return errOf(svc.Search(t.Context(), loops.SearchInput{Loop: loop, Operation: "s", Channels: []string{"fakeWeb"},
				Query: channels.Query{Text: n}}))
		},
		"verify": func(svc *loops.Service, n string) error {
			return errOf(svc.Verify(t.Context(), loops.VerifyInput{Loop: loop, Operation: "v", Draft: n + " is a harbour [S2]."}))
		},
	} {
		noError(t, call(h.Service, "one"))
		events := len(h.log(loop))
		refusal(t, call(h.Service, "two"), "operation", loopstate.CodeReused)
		noError(t, call(h.service(), "one"))
		if n := len(h.log(loop)); n != events {
			t.Errorf("%s: %d events, want %d", name, n, events)
		}
	}
}

// A loop starts once for one operation id of one owner: in any process and with concurrent calls. Hours later, it is another conversation
// that counts its operations from the beginning.
func TestLoopBeginsOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	other := h.service()
	start := func(ctx context.Context, svc *loops.Service) string {
		begun, err := svc.StartOnce(ctx, "research-7", loopstate.StartInput{Query: "q"})
		if err != nil {
			t.Error(err)
		}
		return begun.StateID
	}
	ids := make([]string, 8)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() { ids[i] = start(t.Context(), []*loops.Service{h.Service, other}[i%2]) })
	}
	all.Wait()
	h.time.pass(55 * 60)
	for _, id := range append(ids, start(t.Context(), other)) {
		if id != ids[0] || uuid.MustParse(id).Version() != 7 {
			t.Errorf("loops %s and %s", ids[0], id)
		}
	}
	if foreign := start(loops.WithOwner(t.Context(), "anna"), h.Service); foreign == ids[0] {
		t.Error("another owner gets the loop")
	}
	h.time.pass(60 * 60)
	if later, again := start(t.Context(), other), start(t.Context(), h.Service); later == ids[0] || later != again {
		t.Errorf("two hours later: %s, and again %s; the first was %s", later, again, ids[0])
	}
}
