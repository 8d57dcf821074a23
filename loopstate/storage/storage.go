// Package storage is what the SQLite and the PostgreSQL store share: the statements that have the same text in both ([Tables]),
// checks, errors, the format of rows, rates, what a Delete removes, and Store.Watch.
package storage

import (
	"context"
	"embed"
	"fmt"
	"sync"
)

// Base is the state that every open store has. Its methods are safe for concurrent use.
type Base struct {
	Codec   *Codec
	Watches *Watches

	mu     sync.Mutex
	closed bool           // protected by mu
	calls  sync.WaitGroup // calls in progress; Add only under mu while not closed

	stop       context.CancelFunc
	ctx        context.Context // of background goroutines
	background sync.WaitGroup
	closing    sync.Once // a second Close waits for the first
	closeErr   error
}

// NewBase makes the base of a store. Close it with [Base.Close].
func NewBase() (*Base, error) {
	codec, err := newCodec()
	if err != nil {
		return nil, err
	}
	b := &Base{Codec: codec, Watches: NewWatches()}
	b.ctx, b.stop = context.WithCancel(context.Background())
	return b, nil
}

// Enter starts a call, which leave ends. It fails with [ErrClosed] after Close.
func (b *Base) Enter() (leave func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, ErrClosed
	}
	b.calls.Add(1)
	return b.calls.Done, nil
}

// Go runs a goroutine until Close ends its context.
func (b *Base) Go(run func(ctx context.Context)) { b.background.Go(func() { run(b.ctx) }) }

// Close stops the goroutines, ends every watch, waits for the calls in progress and then disconnects. Later calls wait
// for the first and return its error.
func (b *Base) Close(disconnect func() error) error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.closing.Do(func() {
		b.stop()
		b.background.Wait()
		b.Watches.Close()
		b.calls.Wait()
		b.closeErr = disconnect()
		b.Codec.close()
	})
	return b.closeErr
}

// Migrations returns the texts of migrations/1.sql, 2.sql and so on, which upgrade the schema of a store from one version
// to the next.
func Migrations(files embed.FS) []string {
	var all []string
	for {
		text, err := files.ReadFile(fmt.Sprintf("migrations/%d.sql", len(all)+1))
		if err != nil {
			return all
		}
		all = append(all, string(text))
	}
}
