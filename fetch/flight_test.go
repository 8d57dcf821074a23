package fetch

import (
	"context"
	"sync"
	"testing"
	"time"
)

// One reading serves all who wait, outlives those who go, and ends when the last one cancels.
func TestFlights(t *testing.T) {
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
	waiting := func(n int) { // until so many wait
		for {
			f.mu.Lock()
			fl := f.under["page"]
			there := fl != nil && fl.waiting == n
			f.mu.Unlock()
			if there {
				return
			}
			time.Sleep(time.Millisecond)
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
	waiting(2)
	leave()
	waiting(1)
	if flying.ctx.Err() != nil {
		t.Error("the reading ended with the first who asked")
	}
	flying.land <- "the page"
	all.Wait()

	last, leave := context.WithCancel(t.Context())
	join(last, "", context.Canceled)
	flying = <-begun
	leave()
	all.Wait()
	<-flying.ctx.Done() // or the test hangs

	hurried, stop := context.WithTimeout(t.Context(), time.Millisecond)
	defer stop()
	join(hurried, "", context.DeadlineExceeded)
	flying = <-begun
	all.Wait()
	if flying.ctx.Err() != nil {
		t.Error("the reading ended when time was up for who waited")
	}
	join(t.Context(), "the page", nil)
	waiting(1)
	flying.land <- "the page"
	all.Wait()
	if len(begun) != 0 {
		t.Error("the page was read twice")
	}
}
