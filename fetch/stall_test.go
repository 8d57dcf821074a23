package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// slowBody sends one byte after each gap until its request ends.
type slowBody struct {
	ctx context.Context
	gap time.Duration
}

func (b slowBody) Read(p []byte) (int, error) {
	select {
	case <-b.ctx.Done():
		return 0, b.ctx.Err()
	case <-time.After(b.gap):
		p[0] = 'x'
		return 1, nil
	}
}

func (slowBody) Close() error { return nil }

// A server that sends a byte within each idle period is ended by the page's deadline, one that pauses longer by the idle
// limit.
func TestStalling(t *testing.T) {
	const idle, deadline = 100 * time.Millisecond, 500 * time.Millisecond
	for name, tt := range map[string]struct {
		gap, took time.Duration
		want      error
	}{
		"bytes within the idle limit": {20 * time.Millisecond, deadline, context.DeadlineExceeded},
		"just within the idle limit":  {idle - 1, deadline, context.DeadlineExceeded},
		"a pause beyond it":           {idle + 1, idle, errStalled},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), deadline)
				defer cancel()
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://example.com/", nil)
				if err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				resp, err := stalling(req, idle, func(req *http.Request) (*http.Response, error) {
					return &http.Response{Body: slowBody{req.Context(), tt.gap}}, nil
				})
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				if _, err := io.ReadAll(resp.Body); !errors.Is(err, tt.want) || time.Since(start) != tt.took {
					t.Errorf("%v after %s, want %v after %s", err, time.Since(start), tt.want, tt.took)
				}
			})
		})
	}
}
