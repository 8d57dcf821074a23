package postgres_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/storage"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

// The server commits, but its response is lost: the retry finds the append, or the loop deleted.
func TestLostResponse(t *testing.T) {
	where := storetest.PostgreSQL(t)
	wire := cutWire(t, where)
	store := open(t, wire.address, postgres.Options{})
	appendNext(t, store, 0)
	commit := "commit"
	for at := range int64(4) {
		head, events := next("L", at+1)
		wire.swallow.Store([]*string{&events[0].Op, &commit}[at%2]) // before and after the server commits
		if err := store.Append(t.Context(), head, at+1, events); err != nil {
			t.Errorf("Append with a lost response: %v", err)
		}
		if wire.swallow.Load() != nil {
			t.Error("no response was lost")
		}
		if got := length(t, store, "L"); got != int(at)+2 {
			t.Errorf("the log has %d events, want %d", got, at+2)
		}
	}
	wire.swallow.Store(&commit)
	if err := store.Delete(t.Context(), "L"); err != nil || wire.swallow.Load() != nil {
		t.Errorf("Delete with a lost response: %v", err)
	}
	if got := length(t, store, "L"); got != 0 {
		t.Errorf("the log has %d events after the delete", got)
	}
}

// If the server stops, the call fails in time, without secrets in the error.
func TestServerGone(t *testing.T) {
	wire := cutWire(t, storetest.PostgreSQL(t))
	store := open(t, wire.address, postgres.Options{})
	appendNext(t, store, 0)
	wire.close()
	head, events := next("L", 1)
	if err := store.Append(t.Context(), head, 1, events); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("Append: %v, want ErrUnavailable", err)
	}
}

// wire is a proxy before the server that can drop a response.
type wire struct {
	address string
	swallow atomic.Pointer[string] // drops the response to the next message that contains it, and the connection
	close   func()
}

func cutWire(t *testing.T, where string) *wire {
	t.Helper()
	config, err := pgx.ParseConfig(where)
	if err != nil {
		t.Fatal(err)
	}
	network, address := pgconn.NetworkAddress(config.Host, config.Port)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host, port, _ := net.SplitHostPort(listener.Addr().String())
	w := &wire{address: storetest.WithParameters(t, where, "host", host, "port", port, "sslmode", "disable")}
	connections := make(chan net.Conn, 1000)
	w.close = func() {
		listener.Close()
		for {
			select {
			case c := <-connections:
				c.Close()
			default:
				return
			}
		}
	}
	t.Cleanup(w.close)
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial(network, address)
			if err != nil {
				client.Close()
				continue
			}
			connections <- client
			connections <- server
			var cut atomic.Bool
			go pass(server, client, func(message []byte) bool {
				if needle := w.swallow.Load(); needle != nil && bytes.Contains(message, []byte(*needle)) {
					w.swallow.Store(nil)
					cut.Store(true)
				}
				return true
			})
			go pass(client, server, func([]byte) bool { return !cut.Load() })
		}
	}()
	return w
}

// pass copies messages until one end closes or a message is dropped.
func pass(to io.WriteCloser, from io.Reader, allowed func(message []byte) bool) {
	defer to.Close()
	buffer := make([]byte, 1<<16)
	for {
		n, err := from.Read(buffer)
		if err != nil || !allowed(buffer[:n]) {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

func appendNext(t testing.TB, store *postgres.Store, at int64) {
	t.Helper()
	head, events := next("L", at)
	if err := store.Append(t.Context(), head, at, events); err != nil {
		t.Fatalf("Append at %d: %v", at, err)
	}
}

func length(t testing.TB, store *postgres.Store, loop string) (n int) {
	t.Helper()
	for _, err := range store.Load(t.Context(), loop, 0) {
		if err != nil {
			t.Fatalf("Load: %v", err)
		}
		n++
	}
	return n
}

// A paused writer blocks only its loop, and only until the deadline.
func TestBlocked(t *testing.T) {
	where := storetest.PostgreSQL(t)
	store := open(t, where, postgres.Options{}) // makes the tables, which may take longer
	appendNext(t, store, 0)
	hurried := open(t, where, postgres.Options{Timeout: 300 * time.Millisecond})
	admin := connect(t, where)
	execute(t, admin, `BEGIN`)
	execute(t, admin, `SELECT FROM citeloop_heads WHERE loop = 'L' FOR UPDATE`)
	head, events := next("L", 1)
	if err := hurried.Append(t.Context(), head, 1, events); !errors.Is(err, storage.ErrBusy) {
		t.Errorf("Append to a locked loop: %v, want ErrBusy", err)
	}
	if got := length(t, store, "L"); got != 1 {
		t.Errorf("the log has %d events, want 1", got)
	}
	other, event := next("M", 0)
	if err := store.Append(t.Context(), other, 0, event); err != nil {
		t.Errorf("Append to another loop: %v", err)
	}
	execute(t, admin, `ROLLBACK`)
	appendNext(t, store, 1)
}
