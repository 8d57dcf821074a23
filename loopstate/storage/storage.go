// Package storage is what the SQLite and the PostgreSQL store share: the statements that have the same text in both ([Tables]),
// checks of appends, kinds of errors, and the format of rows.
package storage

import (
	"embed"
	"fmt"
	"sync"
)

// Calls counts the calls in progress, so that closing a store waits for them. The zero value is open. Its methods are safe for
// concurrent use.
type Calls struct {
	mu     sync.Mutex
	closed bool           // protected by mu
	calls  sync.WaitGroup // Add only under mu while not closed
}

// Enter starts a call, which leave ends. It fails with [ErrClosed] after Close.
func (c *Calls) Enter() (leave func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, ErrClosed
	}
	c.calls.Add(1)
	return c.calls.Done, nil
}

// Close refuses later calls and waits for those in progress. It reports whether it was the first.
func (c *Calls) Close() (first bool) {
	c.mu.Lock()
	first, c.closed = !c.closed, true
	c.mu.Unlock()
	c.calls.Wait()
	return first
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
