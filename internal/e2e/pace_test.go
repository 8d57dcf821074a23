package e2e

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Two servers with one store and 25 concurrent searches each keep the rate limit of a single server. The host is a test
// server that records the time of each request.
func TestTwoServersShareTheRate(t *testing.T) {
	stores := map[string]func(t *testing.T) []string{
		"one file":   func(t *testing.T) []string { return []string{"--data", t.TempDir()} },
		"PostgreSQL": func(t *testing.T) []string { return []string{"--data", t.TempDir(), "--store", schemaOfPostgres(t)} },
	}
	const rate, calls = 20, 50 // 2.5 s at that rate; half of it if the rate is not shared
	for name, store := range stores {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			var came []time.Time
			host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				mu.Lock()
				came = append(came, time.Now())
				mu.Unlock()
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprint(w, `{"status":"ok","message":{"items":[]}}`)
			}))
			defer host.Close()
			where := store(t)
			env := []string{"CITELOOP_CROSSREF_URL=" + host.URL, fmt.Sprintf("CITELOOP_CROSSREF_RATE=%d", rate)}
			var all sync.WaitGroup
			for range 2 {
				p := startServer(t, env, where...)
				p.initialize()
				all.Go(func() {
					waiting := map[int]bool{}
					for range calls / 2 {
						p.next++
						waiting[p.next] = true
						p.send(map[string]any{"jsonrpc": "2.0", "id": p.next, "method": "tools/call", "params": map[string]any{
							"name": "run_channel", "arguments": map[string]any{"channel_name": "crossref", "query": fmt.Sprint("tidal mills ", p.next)}}})
					}
					for len(waiting) > 0 {
						line, open := <-p.lines
						if !open {
							t.Errorf("%d searches did not answer", len(waiting))
							return
						}
						for id := range waiting {
							if strings.Contains(line, fmt.Sprintf(`"id":%d,`, id)) || strings.Contains(line, fmt.Sprintf(`"id":%d}`, id)) {
								delete(waiting, id)
								if !strings.Contains(line, `"status":"empty"`) {
									t.Errorf("a search failed: %s", line)
								}
							}
						}
					}
				})
			}
			all.Wait()
			slices.SortFunc(came, time.Time.Compare)
			if len(came) != calls {
				t.Fatalf("%d requests, want %d", len(came), calls)
			}
			// Half a second has 10 turns, plus one at each end, because a process that wakes late comes closer to the
			// next turn.
			most := 0
			for i := range came {
				n := 0
				for _, at := range came[i:] {
					if at.Sub(came[i]) < time.Second/2 {
						n++
					}
				}
				most = max(most, n)
			}
			t.Logf("%d requests in %s, at most %d in half a second", len(came), came[len(came)-1].Sub(came[0]).Round(time.Millisecond), most)
			if most > rate/2+2 {
				t.Errorf("%d requests within half a second, want at most %d", most, rate/2+2)
			}
			if whole := came[len(came)-1].Sub(came[0]); whole < (calls-1)*time.Second/rate-100*time.Millisecond {
				t.Errorf("%d requests within %s", len(came), whole)
			}
		})
	}
}

// schemaOfPostgres returns the URL of an empty schema on the test server, or "" without a server.
func schemaOfPostgres(t *testing.T) string {
	address := os.Getenv("CITELOOP_TEST_POSTGRES")
	if address == "" {
		t.Skip("no PostgreSQL to test with: CITELOOP_TEST_POSTGRES is not set")
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.WithoutCancel(t.Context()) // cleanups use it too
	schema := "citeloop_test_" + strings.ToLower(rand.Text())
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(ctx, "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := conn.Exec(ctx, "DROP SCHEMA "+schema+" CASCADE"); err != nil {
			t.Error(err)
		}
		conn.Close(ctx)
	})
	q := u.Query()
	q.Set("search_path", schema)
	u.RawQuery = q.Encode()
	return u.String()
}
