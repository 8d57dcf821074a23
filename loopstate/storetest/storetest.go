// Package storetest tests that every implementation of [loopstate.Store] keeps the same contract. Each implementation tests
// its own features (files, pragmas, settings of a server) in its package, with the functions that this package exports.
package storetest

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/citeloop/citeloop/loopstate"
)

// day is the time of the events. Its fraction starts and ends with a zero.
var day = time.Date(2026, 3, 9, 23, 59, 58, 12_345_670, time.UTC)

// Batch returns n events of a loop after event at, and their head.
func Batch(loop string, at int64, op string, n int) (loopstate.Head, []loopstate.Event) {
	events := make([]loopstate.Event, n)
	for i := range events {
		seq := at + 1 + int64(i)
		events[i] = loopstate.Event{
			Loop: loop, Seq: seq, At: day.Add(time.Duration(seq) * time.Nanosecond), Kind: "source_read", Version: 2, Op: op,
			Data: json.RawMessage(fmt.Sprintf(`{"n": %d, "op": %q}`, seq, op)),
		}
	}
	return loopstate.Head{
		Loop: loop, Owner: "ada", Seq: at + int64(n), Query: "Does tea help?", Round: int(at) / 3, Status: "open",
		UpdatedAt: day.Add(time.Duration(at+int64(n)) * time.Second),
	}, events
}

// Naming returns one event after event at that names texts, and its head.
func Naming(loop string, at int64, texts ...string) (loopstate.Head, []loopstate.Event) {
	head, events := Batch(loop, at, fmt.Sprint("op", at), 1)
	var hashes []string
	for _, text := range texts {
		hashes = append(hashes, loopstate.HashText([]byte(text)).String())
	}
	events[0].Data, _ = json.Marshal(hashes)
	return head, events
}

// AppendMany appends n events to a loop, one at a time, each with a text, like a process that shares the loop with others: after a
// conflict, it loads the new events and tries again. Event i has the operation id writer/i. acknowledged may be nil; it is called
// with each sequence number after its Append has returned.
func AppendMany(ctx context.Context, store loopstate.Store, loop, writer string, n int, acknowledged func(seq int64)) error {
	at := int64(0)
	for i := 0; i < n; {
		op := fmt.Sprintf("%s/%d", writer, i)
		head, events := Naming(loop, at, textOf(op))
		events[0].Op = op
		err := store.Append(ctx, head, at, events, []byte(textOf(op)))
		switch {
		case err == nil:
			at++
			i++
			if acknowledged != nil {
				acknowledged(at)
			}
		case errors.Is(err, loopstate.ErrConflict):
			for e, err := range store.Load(ctx, loop, at) {
				if err != nil {
					return err
				}
				at = e.Seq
			}
		default:
			return err
		}
	}
	return nil
}

// textOf returns the text of an operation: a few pages, so that writing takes more than one frame.
func textOf(op string) string { return strings.Repeat("the text of "+op+", ", 500) }

// CheckLog returns the events of a log of [AppendMany], and an error if it lacks an event or a text, or repeats an operation.
func CheckLog(ctx context.Context, store loopstate.Store, loop string) ([]loopstate.Event, error) {
	var events []loopstate.Event
	ops := map[string]bool{}
	for e, err := range store.Load(ctx, loop, 0) {
		if err != nil {
			return events, err
		}
		if events = append(events, e); e.Seq != int64(len(events)) || ops[e.Op] {
			return events, fmt.Errorf("event %d is number %d; operation %s repeated: %v", len(events), e.Seq, e.Op, ops[e.Op])
		}
		ops[e.Op] = true
		text, err := store.Blob(ctx, loopstate.HashText([]byte(textOf(e.Op))))
		if err != nil || string(text) != textOf(e.Op) {
			return events, fmt.Errorf("text of event %d: %d bytes, %w", e.Seq, len(text), err)
		}
	}
	return events, nil
}

// serverVar is the variable with the URL of a database for the tests. Its user may create schemas and terminate
// connections. `.ci/services postgres start` prints one.
const serverVar = "CITELOOP_TEST_POSTGRES"

// PostgreSQL creates an empty schema for the test and returns its URL. The application's name identifies its connections.
// It skips the test without a server.
func PostgreSQL(t testing.TB) string {
	t.Helper()
	address := os.Getenv(serverVar)
	if address == "" {
		t.Skipf("no PostgreSQL to test with: %s is not set", serverVar)
	}
	schema := "citeloop_test_" + strings.ToLower(rand.Text())
	quoted := pgx.Identifier{schema}.Sanitize()
	admin(t, address, "CREATE SCHEMA "+quoted)
	t.Cleanup(func() { admin(t, address, "DROP SCHEMA "+quoted+" CASCADE") })
	return WithParameters(t, address, "search_path", schema, "application_name", schema)
}

// admin runs a statement. Cleanups use it too, so it does not use the test's context.
func admin(t testing.TB, address, statement string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, statement); err != nil {
		t.Errorf("%s: %v", statement, err)
	}
}

// WithParameters returns a URL with more query parameters: names and values in turn.
func WithParameters(t testing.TB, address string, more ...string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	for i := 0; i < len(more); i += 2 {
		query.Set(more[i], more[i+1])
	}
	u.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20") // as PostgreSQL reads it
	return u.String()
}
