// Command load runs many clients on many loops of citeloop, over HTTP, each call to any replica, and can kill replicas during the run.
// It exits with 1 if a call fails after retries, or if an acknowledged write is lost or doubled.
//
//	go run ./load --binary ../citeloop                                       # one process on SQLite
//	go run ./load --binary ../citeloop --replicas 2 --store URL --kill 20s   # PostgreSQL, one killed every 20 s
//	.ci/nightly soak                                                         # the same for 30 minutes, on its own PostgreSQL
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

var (
	binary  = flag.String("binary", "", "citeloop")
	store   = flag.String("store", "", "postgres:// address; empty for SQLite")
	number  = flag.Int("replicas", 1, "processes")
	clients = flag.Int("clients", 64, "parallel clients")
	loops   = flag.Int("loops", 1000, "loops to work on")
	every   = flag.Duration("kill", 0, "interval at which one replica is killed and restarted; 0 for never")
	during  = flag.Duration("time", 5*time.Minute, "duration")
)

func main() {
	flag.Parse()
	work, err := os.MkdirTemp("", "citeloop-load-")
	if err == nil {
		err = run(work)
		_ = os.RemoveAll(work)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func run(work string) error {
	var replicas []*replica
	defer func() {
		for _, r := range replicas {
			r.kill()
		}
	}()
	for i := range *number {
		r := &replica{address: "127.0.0.1:0", data: filepath.Join(work, fmt.Sprint("data-", i))}
		if err := r.start(); err != nil {
			return err
		}
		replicas = append(replicas, r)
	}
	var all []*client
	for i := range *clients {
		c, err := newClient(replicas, i)
		if err != nil {
			return err
		}
		all = append(all, c)
	}
	each(all, func(c *client) {
		for range (*loops + *clients - 1) / *clients {
			c.begin()
		}
		clear(c.times)
	})

	ctx, cancel := context.WithTimeout(context.Background(), *during)
	defer cancel()
	killed := make(chan int, 1)
	go func() { killed <- killInTurn(ctx, replicas) }()
	each(all, func(c *client) {
		for ctx.Err() == nil {
			c.act()
		}
	})
	fmt.Println("kills:", <-killed)
	printTimes(all)
	each(all, (*client).count)
	return judge(all)
}

func each(clients []*client, do func(*client)) {
	var all sync.WaitGroup
	for _, c := range clients {
		all.Go(func() { do(c) })
	}
	all.Wait()
}

// printTimes prints how long the answered attempts of the calls took, by tool.
func printTimes(clients []*client) {
	times := map[string][]time.Duration{}
	for _, c := range clients {
		for tool, took := range c.times {
			times[tool] = append(times[tool], took...)
			times["all"] = append(times["all"], took...)
		}
	}
	for _, tool := range slices.Sorted(maps.Keys(times)) {
		took := times[tool]
		slices.Sort(took)
		at := func(share float64) float64 { return took[int(share*float64(len(took)-1))].Seconds() * 1000 }
		fmt.Printf("%-18s %7d calls %7.0f/s  p50 %7.1f ms  p99 %7.1f ms  max %7.1f ms\n", tool, len(took),
			float64(len(took))/during.Seconds(), at(.5), at(.99), at(1))
	}
}

// judge prints what became of the writes. The error says what must not happen.
func judge(clients []*client) error {
	writes, lost, repeated, failed, example := 0, 0, 0, 0, error(nil)
	for _, c := range clients {
		lost, repeated, failed = lost+c.lost, repeated+c.repeated, failed+c.failed
		for _, l := range c.loops {
			writes += l.writes
		}
		if c.example != nil {
			example = c.example
		}
	}
	fmt.Printf("acknowledged writes: %d, lost or doubled: %d; calls that were repeated: %d\n", writes, lost, repeated)
	switch {
	case lost > 0:
		return fmt.Errorf("%d writes lost or doubled", lost)
	case failed > 0:
		return fmt.Errorf("%d calls failed, such as: %w", failed, example)
	}
	return nil
}
