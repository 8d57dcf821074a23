package channels

import (
	"context"

	"github.com/citeloop/citeloop/channels/local"
)

type progressKey struct{}

// WithProgress makes searches under ctx say how far a channel's preparation is, such as files of the folders that
// are indexed while the search waits for them. told may be called from several goroutines, one for each channel.
func WithProgress(ctx context.Context, told func(channel string, done, total int)) context.Context {
	return context.WithValue(ctx, progressKey{}, told)
}

// progressOf is where a channel tells its progress; nil where nobody asked.
func progressOf(ctx context.Context, channel string) func(local.Progress) {
	told, ok := ctx.Value(progressKey{}).(func(string, int, int))
	if !ok {
		return nil
	}
	return func(p local.Progress) { told(channel, p.Done, p.Total) }
}
