package loops

import (
	"testing"
	"time"

	"github.com/citeloop/citeloop/channels"
)

func TestTheLogHasTheRetryTime(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name string
		out  channels.Outcome
		want string
	}{
		{"nothing to say", channels.Outcome{}, ""},
		{"words alone", channels.Outcome{Message: "answered 503"}, "answered 503"},
		{"a time alone", channels.Outcome{RetryAfter: 30 * time.Second}, "retry after 30s"},
		{"both", channels.Outcome{Message: "answered 429 Too Many Requests", RetryAfter: 90 * time.Second},
			"answered 429 Too Many Requests; retry after 1m30s"},
	} {
		if got := loggedMessage(row.out); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}
