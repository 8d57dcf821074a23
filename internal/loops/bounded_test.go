package loops

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
)

func TestBounded(t *testing.T) {
	c := newBounded[string, *int](100)
	a, b, large := new(int), new(int), new(int)
	c.keep("a", a, 40)
	c.keep("b", b, 40)
	if got := c.keep("a", new(int), 1); got != a || c.bytes() != 80 {
		t.Errorf("a second value replaced the kept one, or counts: %d bytes", c.bytes())
	}
	c.keep("a", a, 70) // grows, and was used last
	if _, ok := c.get("b"); ok || c.bytes() != 70 {
		t.Errorf("the value used first stays beyond the limit: %d bytes", c.bytes())
	}
	c.keep("large", large, 500)
	if got, _ := c.get("large"); got != large || c.bytes() != 500 {
		t.Errorf("the last value is kept even if it is too large: %d bytes", c.bytes())
	}
	c.remove("large")
	c.remove("unknown")
	if _, ok := c.get("large"); ok || c.bytes() != 0 {
		t.Errorf("%d bytes after the last value was removed", c.bytes())
	}
}

// heap returns the bytes of the reachable objects.
func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what a pool or a finalizer still had
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// filledService returns a service with loops of hits, sources and claims, in a small cache.
func filledService(t *testing.T, loops, hits, limit int) *Service {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "citeloop.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	s := New(Config{Store: store, Owner: LocalOwner, Now: time.Now, NewID: func() string { return uuid.Must(uuid.NewV7()).String() }})
	s.cache.limit = limit
	for n := range loops {
		started, err := s.Start(t.Context(), loopstate.StartInput{Query: fmt.Sprintf("What did the lamps of harbour %d cost?", n)})
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < hits; i += 25 {
			in := loopstate.UpdateInput{Query: fmt.Sprintf("lamps %d", i)}
			for j := i; j < i+25; j++ {
				in.Evidence = append(in.Evidence, loopstate.Evidence{URL: fmt.Sprintf("https://harbour.example/%d/%d", n, j), Title: fmt.Sprintf("Log %d", j), Source: "crossref",
					Snippet: fmt.Sprintf("In year %d the keeper of tower %d wrote that the lamp had burned through the night, and that %d ships had passed.", 1700+j, n, j*7)})
			}
			in.Claims = append(in.Claims, loopstate.ClaimInput{Claim: fmt.Sprintf("The lamp of tower %d burned through night %d.", n, i)})
			if _, err := s.Update(t.Context(), started.StateID, "", in); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

// The states in memory stay below their limit, and the estimate of their size is about right.
func TestStatesAreBounded(t *testing.T) {
	const limit = 3 << 20
	before := heap()
	s := filledService(t, 30, 100, limit)
	with := heap()
	kept, estimated := s.cache.values.Len(), s.cache.bytes()
	s.cache = newBounded[string, *cachedLoop](1)
	without := heap()
	t.Logf("%d of 30 loops kept, %d kB estimated, %d kB in memory; %d kB of the rest", kept, estimated>>10, (with-without)>>10, (without-before)>>10)
	if estimated > limit || kept < 2 || kept == 30 {
		t.Errorf("%d loops of %d bytes are kept, limit %d", kept, estimated, limit)
	}
	if held := with - without; held > 2*limit*5/4 || held < limit/4 {
		t.Errorf("the kept states have %d bytes, estimated %d", held, estimated)
	}
}

// The indexes of texts stay below their limit, and the estimate of their size is about right, for short texts and for long
// ones.
func TestIndexesAreBounded(t *testing.T) {
	for _, size := range []int{3_000, 30_000} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			const limit = 4 << 20
			s := filledService(t, 270_000/size, 25, maxStateBytes)
			s.indexes.limit, s.texts.limit = limit, limit
			loops := s.cache.values.Keys()
			text := func(n int) string {
				var b strings.Builder
				for i := 0; b.Len() < size; i++ {
					fmt.Fprintf(&b, "In %d the keeper of lamp%d wrote in book%d that the harbour of town%d had burned %d litres of oil. ", 1700+i%200, i*7+n, i%50, (i*13+n)%800, i*n%900)
				}
				return b.String()
			}
			for n, loop := range loops {
				if _, err := s.Read(t.Context(), ReadInput{Loop: loop, URLs: []string{"https://harbour.example/lamp"}, Text: text(n), Title: "The lamp"}); err != nil {
					t.Fatal(err)
				}
			}
			use := func() {
				for _, loop := range loops {
					if _, err := s.FindPassages(t.Context(), loop, "oil of the harbour", nil, 0); err != nil {
						t.Fatal(err)
					}
					if _, err := s.examine(t.Context(), VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New("The keeper burned 40 litres of oil in a week.", "S1")}}); err != nil {
						t.Fatal(err)
					}
				}
			}
			use() // word lists and states are loaded now
			s.indexes, s.texts = newBounded[string, *loopIndex](1), newBounded[string, *verify.Text](1)
			before := heap()
			s.indexes, s.texts = newBounded[string, *loopIndex](limit), newBounded[string, *verify.Text](limit)
			use()
			held, estimated, kept := heap()-before, s.indexes.bytes()+s.texts.bytes(), s.indexes.values.Len()
			t.Logf("%d of %d indexes kept, %d kB estimated, %d kB in memory", kept, len(loops), estimated>>10, held>>10)
			if estimated > 2*limit || kept < 2 || kept == len(loops) {
				t.Errorf("%d of %d indexes of %d bytes are kept, limit %d", kept, len(loops), estimated, limit)
			}
			if held > 2*limit*5/4 || held < limit/4 {
				t.Errorf("the kept indexes have %d bytes, estimated %d", held, estimated)
			}
		})
	}
}
