package extract

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
)

// An extraction ends soon after its context, in every phase of the work.
func TestExtractionEndsWithItsContext(t *testing.T) {
	page := []byte("<title>T</title>" + strings.Repeat("<div><p>"+longText+" <a href=/x>link</a></p></div>", 12_000/slowdown))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Text(ended, "text/html", page, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("Text with an ended context: %v", err)
	}
	whole := &countedContext{Context: t.Context(), end: math.MaxInt}
	if _, err := Text(whole, "text/html", page, nil); err != nil {
		t.Fatal(err)
	}
	if whole.looks < 20 {
		t.Fatalf("the context is looked at %d times", whole.looks)
	}
	for _, share := range []int{10, 4, 2} {
		ctx := &countedContext{Context: t.Context(), end: whole.looks / share}
		if _, err := Text(ctx, "text/html", page, nil); !errors.Is(err, context.Canceled) || ctx.looks > ctx.end+5 {
			t.Errorf("after %d of %d looks: %d looks, %v", ctx.end, whole.looks, ctx.looks, err)
		}
	}
}

// countedContext ends after a number of checks.
type countedContext struct {
	context.Context
	looks, end int
}

func (c *countedContext) Err() error {
	if c.looks++; c.looks > c.end {
		return context.Canceled
	}
	return nil
}
