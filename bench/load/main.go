// Command load runs many clients of both protocol eras on many loops of citeloop, over HTTP, each call to any
// replica, and can kill replicas during the run. It exits with 1 if a call fails after retries, if an acknowledged write is lost
// or doubled, or if the memory of a replica keeps growing.
//
//	go run ./load --binary ../citeloop                                       # one process on SQLite
//	go run ./load --binary ../citeloop --replicas 2 --store URL --kill 20s   # PostgreSQL, one killed every 20 s
//	.ci/nightly soak                                                                 # the same for 30 minutes, on its own PostgreSQL
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

type settings struct {
	binary, store            string
	replicas, clients, loops int
	keep                     int
	kill, during             time.Duration
}

func main() {
	var s settings
	flag.StringVar(&s.binary, "binary", "", "citeloop")
	flag.StringVar(&s.store, "store", "", "postgres:// address; empty for SQLite")
	flag.IntVar(&s.replicas, "replicas", 1, "processes")
	flag.IntVar(&s.clients, "clients", 64, "parallel clients, half of each protocol era")
	flag.IntVar(&s.loops, "loops", 1000, "loops to work on")
	flag.DurationVar(&s.kill, "kill", 0, "interval at which one replica is killed and restarted; 0 for never")
	flag.IntVar(&s.keep, "keep", 0, "replicas that are never killed, so that their memory can be followed")
	flag.DurationVar(&s.during, "time", 5*time.Minute, "duration; the first third is the warm-up")
	flag.Parse()
	if s.kill > 0 && s.keep >= s.replicas {
		fmt.Fprintf(os.Stderr, "load: too many replicas to keep: %d of %d; one must be left to kill\n", s.keep, s.replicas)
		os.Exit(2)
	}
	if err := run(context.Background(), s); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s settings) error {
	work, err := os.MkdirTemp("", "citeloop-load-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var all pool
	defer all.stop()
	for i := range s.replicas {
		r, err := newReplica(ctx, s, filepath.Join(work, fmt.Sprintf("data-%d", i)))
		if err != nil {
			return err
		}
		all.replicas = append(all.replicas, r)
	}
	tally := newTally()
	clients := make([]*client, s.clients)
	for i := range clients {
		clients[i] = newClient(all.replicas, i, tally)
	}
	begun := time.Now()
	each(clients, func(c *client) {
		for range (s.loops + s.clients - 1) / s.clients {
			c.begin(ctx)
		}
	})
	fmt.Printf("%d loops begun in %.1f s\n", len(clients)*len(clients[0].loops), time.Since(begun).Seconds())

	working, cancel := context.WithTimeout(ctx, s.during)
	defer cancel()
	var side sync.WaitGroup
	kills := 0
	if s.kill > 0 {
		side.Go(func() { kills = all.killInTurn(working, s.kill, s.keep) })
	}
	memory := &memory{kept: s.keep}
	side.Go(func() { memory.watch(working, &all, s.during) })
	tally.reset()
	each(clients, func(c *client) {
		for working.Err() == nil {
			c.act(ctx)
		}
	})
	side.Wait()
	tally.print(s.during)
	fmt.Printf("kills: %d; calls that were repeated: %d\n", kills, tally.repeated.Load())

	lost := 0
	var mu sync.Mutex
	each(clients, func(c *client) {
		n := c.lost(ctx)
		mu.Lock()
		lost += n
		mu.Unlock()
	})
	fmt.Printf("acknowledged writes: %d, lost or doubled: %d\n", tally.writes.Load(), lost)
	var faults []error
	if lost > 0 {
		faults = append(faults, fmt.Errorf("%d writes lost or doubled", lost))
	}
	if n := tally.failed.Load(); n > 0 {
		faults = append(faults, fmt.Errorf("%d calls failed, such as: %v", n, tally.example.Load()))
	}
	if (kills == 0 || s.keep > 0) && memory.grows() {
		faults = append(faults, errors.New("memory keeps growing"))
	}
	return errors.Join(faults...)
}

func each(clients []*client, do func(*client)) {
	var all sync.WaitGroup
	for _, c := range clients {
		all.Go(func() { do(c) })
	}
	all.Wait()
}
