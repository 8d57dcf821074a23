package postgres_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/storage"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

// next returns one event after event at.
func next(loop string, at int64) (loopstate.Head, []loopstate.Event) {
	return storetest.Batch(loop, at, fmt.Sprint("op", at+1), 1)
}

// Tables of format 1 are upgraded with their loops.
func TestEarlierFormat(t *testing.T) {
	where := storetest.PostgreSQL(t)
	schema, err := os.ReadFile("migrations/1.sql")
	if err != nil {
		t.Fatal(err)
	}
	admin := connect(t, where)
	execute(t, admin, string(schema)+`;
		CREATE TABLE citeloop_schema (one boolean PRIMARY KEY DEFAULT true CHECK (one), version integer NOT NULL);
		INSERT INTO citeloop_schema (version) VALUES (1);
		INSERT INTO citeloop_heads VALUES ('L', 'ada', 1, 'q', 0, 'open', '2026-03-01T12:00:00.000000000Z', 5, 2);
		INSERT INTO citeloop_events VALUES ('L', 1, '2026-03-01T12:00:00.000000000Z', 'k', 1, 'op', '{}')`)
	store := open(t, where, postgres.Options{})
	appendNext(t, store, 1)
	if got := length(t, store, "L"); got != 2 {
		t.Errorf("the log has %d events, want 2", got)
	}
}

// These errors need no server.
func TestOpenKeepsSecrets(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := closed.Addr().String()
	closed.Close()
	for _, tt := range []struct {
		name, address string
		want          error // or nil for any
		says          string
	}{
		{"nothing", "", nil, "postgres://user@host:port/database"},
		{"another database", "mysql://ada:hush@localhost/loops", nil, "invalid URL of the store"},
		{"words, not a URL", "host=localhost user=ada password=hush", nil, "postgres://user@host:port/database"},
		{"a port that is none", "postgres://ada:hush@localhost:port/loops", nil, "postgres://user@host:port/database"},
		{"a password not escaped", "postgres://ada:hush/hush@localhost/loops", nil, "percent-encoded"},
		{"a bad percent", "postgres://ada:hush%zz@localhost/loops", nil, "percent-encoded"},
		{"an unknown sslmode", "postgres://ada:hush@localhost/loops?sslmode=maybe", nil, "invalid part of the store"},
		{"a bad pool", "postgres://ada:hush@localhost/loops?pool_max_conns=hush", nil, "invalid part of the store"},
		{"nobody answers", "postgres://ada:hush@" + nobody + "/loops", storage.ErrUnavailable, "check that the server runs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store, err := postgres.Open(t.Context(), tt.address, postgres.Options{})
			if err == nil {
				store.Close()
				t.Fatal("Open succeeded")
			}
			if tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("Open: %v, want %v that says %q", err, tt.want, tt.says)
			}
			if said := err.Error(); strings.Contains(said, "hush") {
				t.Errorf("the password is in %q", said)
			}
		})
	}
}

func TestUnsupported(t *testing.T) {
	address := storetest.WithParameters(t, storetest.PostgreSQL(t), "search_path", "nowhere")
	if store, err := postgres.Open(t.Context(), address, postgres.Options{}); !errors.Is(err, storage.ErrUnsupported) {
		t.Errorf("Open without a schema: %v, want ErrUnsupported", err)
		if err == nil {
			store.Close()
		}
	}
}

// Settings of a server or a role that must not matter.
func TestSettingsOfTheServer(t *testing.T) {
	for _, options := range []string{"-c default_transaction_isolation=serializable",
		"-c bytea_output=escape -c standard_conforming_strings=off",
	} {
		t.Run(options, func(t *testing.T) {
			where := storetest.PostgreSQL(t)
			store := open(t, storetest.WithParameters(t, where, "options", options), postgres.Options{})
			var writers sync.WaitGroup
			for range 8 {
				writers.Go(func() {
					for at := int64(0); at < 5; {
						head, events := next("L", at)
						switch err := store.Append(t.Context(), head, at, events); {
						case err == nil, errors.Is(err, loopstate.ErrConflict):
							at = int64(length(t, store, "L"))
						default:
							t.Errorf("Append: %v", err)
							return
						}
					}
				})
			}
			writers.Wait()
			if got := length(t, store, "L"); got != 5 {
				t.Errorf("the log has %d events, want 5", got)
			}
		})
	}
}

// TestSettings reads the settings of connections.
func TestSettings(t *testing.T) {
	where := storetest.PostgreSQL(t)
	for _, tt := range []struct {
		name, address string
		want          map[string]string
		conns         int32
	}{
		{"the server's", where, map[string]string{"statement_timeout": "1234ms", "synchronous_commit": "on"}, 8},
		{"less than on disk", storetest.WithParameters(t, where, "synchronous_commit", "off"),
			map[string]string{"statement_timeout": "1234ms", "synchronous_commit": "on"}, 8},
		{"more than on disk", storetest.WithParameters(t, where, "synchronous_commit", "remote_apply", "pool_max_conns", "3",
			"statement_timeout", "0"),
			map[string]string{"statement_timeout": "1234ms", "synchronous_commit": "remote_apply"}, 3},
	} {
		store := open(t, tt.address, postgres.Options{Timeout: 1234 * time.Millisecond})
		got := map[string]string{}
		for name := range tt.want {
			value, err := store.Setting(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			got[name] = value
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if store.MaxConns() != tt.conns {
			t.Errorf("%s: %d connections, want %d", tt.name, store.MaxConns(), tt.conns)
		}
	}
}
