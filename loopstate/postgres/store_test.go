package postgres_test

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

// serverVar is the variable with the URL of a database for the tests. Its user may create schemas and terminate
// connections. `.ci/postgres start` prints one.
const serverVar = "CITELOOP_TEST_POSTGRES"

func TestStore(t *testing.T) {
	server(t) // skips once, not in every part
	storetest.Run(t, func(t *testing.T) storetest.Opener {
		where := database(t)
		return func(t *testing.T) loopstate.Store {
			t.Helper()
			return open(t, where, postgres.Options{})
		}
	})
}

// server returns the URL of the test's server, or skips the test.
func server(t testing.TB) string {
	t.Helper()
	address := os.Getenv(serverVar)
	if address == "" {
		t.Skipf("no PostgreSQL to test with: %s is not set", serverVar)
	}
	return address
}

// database creates an empty schema for the test and returns its URL. The application's name identifies its connections.
func database(t testing.TB) string {
	t.Helper()
	address := server(t)
	schema := "citeloop_test_" + strings.ToLower(rand.Text())
	quoted := pgx.Identifier{schema}.Sanitize()
	admin := connect(t, address)
	execute(t, admin, "CREATE SCHEMA "+quoted)
	t.Cleanup(func() { execute(t, connect(t, address), "DROP SCHEMA "+quoted+" CASCADE") })
	return with(t, address, "search_path", schema, "application_name", schema)
}

// with returns a URL with more query parameters: names and values in turn.
func with(t testing.TB, address string, more ...string) string {
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

// open opens a store and closes it at the end of the test.
func open(t testing.TB, address string, options postgres.Options) *postgres.Store {
	t.Helper()
	store, err := postgres.Open(t.Context(), address, options)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return store
}

// connect opens an administrator's connection. Cleanups use it too, so it does not use the test's context.
func connect(t testing.TB, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(background(t), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(background(t)) })
	return conn
}

func background(t testing.TB) context.Context { return context.WithoutCancel(t.Context()) }

func execute(t testing.TB, conn *pgx.Conn, query string, args ...any) {
	t.Helper()
	if _, err := conn.Exec(background(t), query, args...); err != nil {
		t.Errorf("%s: %v", query, err)
	}
}

func ask[T any](t testing.TB, conn *pgx.Conn, query string, args ...any) (answer T) {
	t.Helper()
	if err := conn.QueryRow(background(t), query, args...).Scan(&answer); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return answer
}

// eventually repeats a query until its result is not zero, at most for a minute.
func eventually[T comparable](t testing.TB, conn *pgx.Conn, query string, args ...any) T {
	t.Helper()
	var zero T
	for late := time.Now().Add(time.Minute); time.Now().Before(late); {
		if answer := ask[T](t, conn, query, args...); answer != zero {
			return answer
		}
	}
	t.Fatalf("%s: no result after a minute", query)
	return zero
}
