package fetch

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Callers share one read. It continues when some of them leave, and ends when the last one cancels.
func TestFlights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type reading struct {
			ctx  context.Context
			land chan string
		}
		var f flights[string]
		begun := make(chan reading, 8)
		read := func(ctx context.Context) string {
			r := reading{ctx, make(chan string)}
			begun <- r
			select {
			case text := <-r.land:
				return text
			case <-ctx.Done():
				return "cancelled"
			}
		}
		var all sync.WaitGroup
		join := func(ctx context.Context, want string, wantErr error) {
			all.Go(func() {
				if got, err := f.do(ctx, "page", time.Minute, read); got != want || err != wantErr {
					t.Errorf("got %q, %v; want %q, %v", got, err, want, wantErr)
				}
			})
		}

		first, leave := context.WithCancel(t.Context())
		join(first, "", context.Canceled)
		flying := <-begun
		join(t.Context(), "the page", nil)
		synctest.Wait()
		leave()
		synctest.Wait()
		if flying.ctx.Err() != nil {
			t.Error("the read ended with its first caller")
		}
		flying.land <- "the page"
		all.Wait()

		last, leave := context.WithCancel(t.Context())
		join(last, "", context.Canceled)
		flying = <-begun
		leave()
		all.Wait()
		<-flying.ctx.Done()

		hurried, stop := context.WithTimeout(t.Context(), time.Millisecond)
		defer stop()
		join(hurried, "", context.DeadlineExceeded)
		flying = <-begun
		all.Wait()
		if flying.ctx.Err() != nil {
			t.Error("the read ended with the deadline of a caller")
		}
		join(t.Context(), "the page", nil)
		synctest.Wait()
		flying.land <- "the page"
		all.Wait()
		if len(begun) != 0 {
			t.Error("the page was read twice")
		}
	})
}
