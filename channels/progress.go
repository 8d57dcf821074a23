package channels

import (
	"context"
)

type progressKey struct{}

// WithProgress makes searches under ctx report progress of a channel's preparation, such as indexing of folders. told
// may be called from several goroutines, one for each channel.
func WithProgress(ctx context.Context, told func(channel string, done, total int)) context.Context {
	return context.WithValue(ctx, progressKey{}, told)
}

// ProgressOf returns the function that receives a channel's progress, or nil.
func ProgressOf(ctx context.Context, channel string) func(done, total int) {
	told, ok := ctx.Value(progressKey{}).(func(string, int, int))
	if !ok {
		return nil
	}
	return func(done, total int) { told(channel, done, total) }
}
