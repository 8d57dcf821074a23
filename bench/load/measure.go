package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// tally has the measurements of the calls.
type tally struct {
	mu                       sync.Mutex
	times                    map[string][]time.Duration // by tool
	writes, failed, repeated atomic.Int64
	example                  atomic.Value // a failed call
}

func newTally() *tally { return &tally{times: map[string][]time.Duration{}} }

func (t *tally) took(tool string, d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.times[tool] = append(t.times[tool], d)
}

func (t *tally) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.times)
}

func (t *tally) print(during time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []time.Duration
	for _, tool := range slices.Sorted(maps.Keys(t.times)) {
		all = append(all, t.times[tool]...)
		line(tool, t.times[tool], during)
	}
	line("all", all, during)
}

func line(name string, times []time.Duration, during time.Duration) {
	if len(times) == 0 {
		return
	}
	slices.Sort(times)
	at := func(share float64) float64 {
		return float64(times[int(share*float64(len(times)-1))].Microseconds()) / 1000
	}
	fmt.Printf("%-18s %7d calls %7.0f/s  p50 %7.1f ms  p99 %7.1f ms  max %7.1f ms\n", name, len(times), float64(len(times))/during.Seconds(), at(.5), at(.99), at(1))
}

// memory has samples of the memory of all replicas in MB, after the warm-up.
type memory struct{ held []float64 }

// samples is the number of memory samples.
const samples = 20

func (m *memory) watch(ctx context.Context, p *pool, during time.Duration) {
	wait := during / 3
	for range samples {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		sum := 0.0
		for _, r := range p.replicas {
			sum += r.resident()
		}
		m.held, wait = append(m.held, sum), during*2/3/(samples+1)
	}
}

func (m *memory) print() {
	if len(m.held) > 1 {
		fmt.Printf("memory of all replicas after the first third: %.0f MB, at the end %.0f MB, most %.0f MB\n", m.held[0], m.held[len(m.held)-1], slices.Max(m.held))
	}
}

// grows reports whether the last quarter of the samples exceeds the first by more than a third. The growth of the loops
// themselves is smaller.
func (m *memory) grows() bool {
	quarter := len(m.held) / 4
	return quarter > 0 && slices.Min(m.held[len(m.held)-quarter:]) > 4.0/3*slices.Max(m.held[:quarter])
}
