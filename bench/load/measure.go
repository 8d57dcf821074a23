package main

import (
	"cmp"
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
	fmt.Printf("%-18s %7d calls %7.0f/s  p50 %7.1f ms  p99 %7.1f ms  max %7.1f ms\n", name, len(times),
		float64(len(times))/during.Seconds(), at(.5), at(.99), at(1))
}

// memory has samples, in MB, of the replicas that are never killed.
type memory struct {
	kept int // the first ones; 0: all
	held []float64
}

// intervals is the number of intervals between samples: a minute each in half an hour.
const intervals = 30

func (m *memory) watch(ctx context.Context, p *pool, during time.Duration) {
	begun, ticker := time.Now(), time.NewTicker(max(during/intervals, time.Second))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		sum := 0.0
		for _, r := range p.replicas[:cmp.Or(m.kept, len(p.replicas))] {
			sum += r.resident()
		}
		m.held = append(m.held, sum)
		fmt.Printf("memory after %5.1f min: %6.1f MB\n", time.Since(begun).Minutes(), sum)
	}
}

// grows reports whether the last quarter of the samples after the warm-up exceeds the first by more than a third. The growth of the loops
// themselves is smaller.
func (m *memory) grows() bool {
	steady := m.held[len(m.held)/3:]
	quarter := len(steady) / 4
	return quarter > 0 && slices.Min(steady[len(steady)-quarter:]) > 4.0/3*slices.Max(steady[:quarter])
}
