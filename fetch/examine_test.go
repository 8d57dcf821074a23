package fetch

import (
	"strings"
	"testing"
	"time"
)

// A document that takes too long is not called a slow server: no server was asked.
func TestExamineNamesTheTimeLimit(t *testing.T) {
	r, err := New(Config{Timeout: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	page := r.Examine(t.Context(), "text/html", []byte("<p>The ferry runs again."), nil)
	if page.Status != StatusTimeout || !strings.Contains(page.Reason, "longer than 1ns") {
		t.Errorf("got %s: %q, want a timeout that names the limit of 1ns", page.Status, page.Reason)
	}
}
