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
	fmt.Printf("%-18s %7d calls %7.0f/s  p50 %7.1f ms  p99 %7.1f ms  max %7.1f ms\n", name, len(times),
		float64(len(times))/during.Seconds(), at(.5), at(.99), at(1))
}

// memory has samples of the memory of each replica in MB, and when they were taken.
type memory struct {
	at   []time.Duration
	held [][]float64 // for each sample, by replica
	kept int         // replicas that are never killed, the first ones; 0: all
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
		var held []float64
		for _, r := range p.replicas {
			held = append(held, r.resident())
		}
		m.at, m.held = append(m.at, time.Since(begun)), append(m.held, held)
	}
}

// steady returns the last two thirds of the samples, in MB of the replicas that were never killed.
func (m *memory) steady() (held []float64) {
	for i := len(m.at) / 3; i < len(m.at); i++ {
		sum, kept := 0.0, m.kept
		if kept == 0 {
			kept = len(m.held[i])
		}
		for _, mb := range m.held[i][:kept] {
			sum += mb
		}
		held = append(held, sum)
	}
	return held
}

func (m *memory) print() {
	for i, at := range m.at {
		fmt.Printf("memory after %5.1f min:", at.Minutes())
		for _, mb := range m.held[i] {
			fmt.Printf(" %6.1f MB", mb)
		}
		fmt.Println()
	}
	if held := m.steady(); len(held) > 0 {
		fmt.Printf("memory in the last two thirds: %.1f MB to %.1f MB\n", slices.Min(held), slices.Max(held))
	}
}

// grows reports whether the last quarter of the steady samples exceeds the first by more than a third. The growth of the
// loops themselves is smaller.
func (m *memory) grows() bool {
	held := m.steady()
	quarter := len(held) / 4
	return quarter > 0 && slices.Min(held[len(held)-quarter:]) > 4.0/3*slices.Max(held[:quarter])
}
