package verify

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// inParallel calls do for 0 to n-1 on all cores, and stops at the first error or when ctx ends.
func inParallel(ctx context.Context, n int, do func(int) error) error {
	const chunk = 8
	g, running := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for from := 0; from < n && running.Err() == nil; from += chunk {
		g.Go(func() error {
			for i := from; i < min(from+chunk, n); i++ {
				if err := running.Err(); err != nil {
					return err
				}
				if err := do(i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}
