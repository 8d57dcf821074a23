package report

import (
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/report/markup"
)

func TestSnapshot(t *testing.T) {
	read := time.Date(2026, 11, 2, 10, 4, 5, 0, time.FixedZone("", 3600))
	for _, tc := range []struct{ address, want string }{
		{"https://go.dev/ref/mem?a=1&b=2#chan", "https://web.archive.org/web/20261102090405/https://go.dev/ref/mem?a=1&b=2"},
		{"http://example.org", "https://web.archive.org/web/20261102090405/http://example.org"},
		{"https://web.archive.org/web/2020/https://go.dev", ""}, {"file:///papers/a.pdf", ""}, {"pasted:minutes", ""}, {"javascript:alert(1)", ""}, {"", ""},
		{"http://localhost:8080/x", ""}, {"http://192.168.1.7/x", ""}, {"http://[::1]/x", ""}, {"https://wiki.internal/x", ""}, {"https://intranet/x", ""},
	} {
		if got := snapshot(tc.address, read); got != tc.want {
			t.Errorf("snapshot(%q) = %q, want %q", tc.address, got, tc.want)
		}
	}
	if got := snapshot("https://go.dev", time.Time{}); got != "" {
		t.Errorf("a page without a time has the snapshot %q", got)
	}
}

func TestPlainSentence(t *testing.T) {
	for in, want := range map[string]string{
		"A receive from an *unbuffered* channel": "A receive from an unbuffered channel", "**The closing** of `c <- 0`": "The closing of c <- 0", "snake_case_name stays": "snake_case_name stays",
		"a [link](https://example.org) &amp; more": "a link & more", "***": "***", "plain": "plain", "1 < 2 and 3 > 2": "1 < 2 and 3 > 2", "one\ntwo *three*\nfour": "one two three four",
	} {
		if got := markup.Plain(in); got != want {
			t.Errorf("spoken(%q) = %q, want %q", in, got, want)
		}
	}
}
