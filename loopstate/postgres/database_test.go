package postgres_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/citeloop/citeloop/loopstate/postgres"
)

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
