package storetest

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// serverVar is the variable with the URL of a database for the tests. Its user may create schemas and terminate
// connections. `.ci/postgres start` prints one.
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
