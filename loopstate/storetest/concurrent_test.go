package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

var concurrentTests = []test{
	{"a cancelled append is written completely or not at all", func(t *testing.T, open func() handle) {
		const size = 50
		h, at := open(), int64(0)
		for i := range 30 {
			head, events := Batch("L", at, fmt.Sprint(i), size)
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i*i)*20*time.Microsecond)
			err := h.Append(ctx, head, at, events)
			cancel()
			written := int64(len(h.load("L", at)))
			switch {
			case err != nil && !errors.Is(err, context.DeadlineExceeded):
				t.Fatalf("Append %d: %v, want context.DeadlineExceeded", i, err)
			case written != 0 && written != size, err == nil && written != size:
				t.Fatalf("Append %d: %v, and %d of its %d events are stored", i, err, written, size)
			}
			at += written
		}
		if at == 0 {
			t.Error("every append was cancelled")
		}
	}},
	{"a delete beside appends that name the same texts", func(t *testing.T, open func() handle) {
		const texts = 30
		text := func(i int) string { return fmt.Sprint("text ", i) }
		write := func(h handle, loop string, at, i int) error {
			both := []string{text(i), text((i + 1) % texts)} // of two writers, in two orders
			if i%2 == 1 {
				slices.Reverse(both)
			}
			head, events := Naming(loop, int64(at), both...)
			return h.Append(t.Context(), head, int64(at), events, bodies(both)...)
		}
		var running sync.WaitGroup
		for n := range 2 {
			deleting, writing := open(), open()
			running.Go(func() { // its loops name the texts of the writers
				for i := range texts {
					if err := errors.Join(write(deleting, fmt.Sprint("L", n), 0, i),
						deleting.Delete(t.Context(), fmt.Sprint("L", n))); err != nil {
						t.Error(err)
					}
				}
			})
			running.Go(func() {
				for i := range texts {
					if err := write(writing, fmt.Sprint("M", n), i, i); err != nil {
						t.Error(err)
					}
				}
			})
		}
		running.Wait()
		h := open()
		for i := range texts {
			h.wantText(text(i), true)
		}
	}},
}
