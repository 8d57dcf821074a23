package channels

import (
	"context"

	"github.com/citeloop/citeloop/channels/local"
)

type progressKey struct{}

// WithProgress makes searches under ctx report progress of a channel's preparation, such as indexing of folders. told
// may be called from several goroutines, one for each channel.
func WithProgress(ctx context.Context, told func(channel string, done, total int)) context.Context {
	return context.WithValue(ctx, progressKey{}, told)
}

// progressOf returns the function that receives a channel's progress, or nil.
func progressOf(ctx context.Context, channel string) func(local.Progress) {
	told, ok := ctx.Value(progressKey{}).(func(string, int, int))
	if !ok {
		return nil
	}
	return func(p local.Progress) { told(channel, p.Done, p.Total) }
}
