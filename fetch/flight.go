package fetch

import (
	"context"
	"errors"
	"sync"
	"time"
)

// flights shares one read between concurrent callers with the same key. The read continues when the first caller leaves
// and when the callers' time is up, because they will ask again. It is cancelled when the last caller cancels.
type flights struct {
	mu    sync.Mutex
	under map[string]*flight
}

type flight struct {
	done    chan struct{}
	value   Page // valid once done is closed
	waiting int
	cancel  context.CancelFunc
}

// do starts the read for key or joins the one in progress. The read ends after limit.
func (f *flights) do(ctx context.Context, key string, limit time.Duration, read func(context.Context) Page) (Page, error) {
	f.mu.Lock()
	if f.under == nil {
		f.under = map[string]*flight{}
	}
	fl, ok := f.under[key]
	if !ok {
		reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
		fl = &flight{done: make(chan struct{}), cancel: cancel}
		f.under[key] = fl
		go func() {
			defer cancel()
			fl.value = read(reading)
			f.forget(key, fl)
			close(fl.done)
		}()
	}
	fl.waiting++
	f.mu.Unlock()
	select {
	case <-fl.done:
		return fl.value, nil
	case <-ctx.Done():
		f.leave(ctx, key, fl)
		return Page{}, ctx.Err()
	}
}

// leave cancels a read that has no waiting callers. A later caller starts a new one.
func (f *flights) leave(ctx context.Context, key string, fl *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if fl.waiting--; fl.waiting > 0 || !errors.Is(ctx.Err(), context.Canceled) {
		return
	}
	fl.cancel()
	if f.under[key] == fl {
		delete(f.under, key)
	}
}

func (f *flights) forget(key string, fl *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.under[key] == fl {
		delete(f.under, key)
	}
}
