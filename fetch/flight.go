package fetch

import (
	"context"
	"errors"
	"sync"
	"time"
)

// flights lets all who want the same at the same time wait for one reading of it. It goes on when the first who
// asked goes away, and when time is up for those who wait, because they come back for it; when the last of them
// cancels, it is cancelled too.
type flights[T any] struct {
	mu    sync.Mutex
	under map[string]*flight[T]
}

type flight[T any] struct {
	landed  chan struct{}
	value   T // once it landed
	waiting int
	cancel  context.CancelFunc
}

// do reads what key names, or waits for who does. The reading ends after limit.
func (f *flights[T]) do(ctx context.Context, key string, limit time.Duration, read func(context.Context) T) (T, error) {
	f.mu.Lock()
	if f.under == nil {
		f.under = map[string]*flight[T]{}
	}
	fl, ok := f.under[key]
	if !ok {
		reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
		fl = &flight[T]{landed: make(chan struct{}), cancel: cancel}
		f.under[key] = fl
		go func() {
			defer cancel()
			fl.value = read(reading)
			f.forget(key, fl)
			close(fl.landed)
		}()
	}
	fl.waiting++
	f.mu.Unlock()
	select {
	case <-fl.landed:
		return fl.value, nil
	case <-ctx.Done():
		f.leave(ctx, key, fl)
		var none T
		return none, ctx.Err()
	}
}

// leave cancels a read that has no waiting callers. A later caller starts a new one.
func (f *flights[T]) leave(ctx context.Context, key string, fl *flight[T]) {
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

func (f *flights[T]) forget(key string, fl *flight[T]) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.under[key] == fl {
		delete(f.under, key)
	}
}
