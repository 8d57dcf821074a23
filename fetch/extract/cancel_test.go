package extract

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// An extraction ends with its context: at once when that has ended before, and soon when it ends meanwhile,
// whichever part of the work is under way.
func TestExtractionEndsWithItsContext(t *testing.T) {
	page := []byte("<title>T</title>" + strings.Repeat("<div><p>"+longText+" <a href=/x>link</a></p></div>", 12_000/slowdown))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Text(ended, "text/html", page, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("Text with an ended context: %v", err)
	}
	start := time.Now()
	if _, err := Text(t.Context(), "text/html", page, nil); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(start)
	for _, share := range []time.Duration{10, 4, 2} {
		ctx, cancel := context.WithTimeout(t.Context(), whole/share)
		_, err := Text(ctx, "text/html", page, nil)
		deadline, _ := ctx.Deadline()
		late := time.Since(deadline)
		cancel()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("after 1/%d of %s: %v", share, whole, err)
		}
		if err != nil && late > 2*time.Second*slowdown {
			t.Errorf("ended %s after its context", late)
		}
		t.Logf("1/%d of %s: ended %s after its context, %v", share, whole, late, err)
	}
}
