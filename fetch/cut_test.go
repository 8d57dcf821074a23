package fetch

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// A text that a limit cut short says so, and so does a page whose text was not extracted in time.
func TestCutTextsSayWhy(t *testing.T) {
	r, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	var items strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&items, "<item><title>Entry %d of the harbour log</title></item>", i)
	}
	feed := []byte("<rss version=\"2.0\"><channel><title>Log</title>" + items.String() + "</channel></rss>")
	base, late := &url.URL{Scheme: "https", Host: "a.example"}, time.Unix(1, 0)
	for _, tt := range []struct {
		name     string
		deadline time.Time
		status   Status
		want     string
	}{
		{"a limit of entries", time.Time{}, StatusRead, "only the first"},
		{"a deadline", late, StatusTimeout, "not extracted within the time"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx := t.Context()
			if !tt.deadline.IsZero() {
				var cancel context.CancelFunc
				ctx, cancel = context.WithDeadline(ctx, tt.deadline)
				defer cancel()
			}
			page := r.extract(ctx, Page{Status: StatusRead}, document.TypeRSS, feed, base)
			if page.Status != tt.status || !strings.Contains(page.Reason, tt.want) {
				t.Errorf("status %s, reason %q; want %s and %q", page.Status, page.Reason, tt.status, tt.want)
			}
		})
	}
}
