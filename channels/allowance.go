package channels

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// allowance is the number of requests that a service still allows until a window ends.
type allowance struct {
	remaining int
	resets    time.Duration // from said until the window ends; 0 = unknown
	said      time.Time
}

// words describes the allowance at a time; "" if its window is over.
func (a *allowance) words(now time.Time) string {
	switch {
	case a == nil, a.resets > 0 && !now.Before(a.said.Add(a.resets)):
		return ""
	case a.resets <= 0:
		return fmt.Sprintf("%d requests", a.remaining)
	}
	return fmt.Sprintf("%d requests for %s", a.remaining, roundUp(a.said.Add(a.resets).Sub(now)))
}

// allowanceHeaders are the pairs in use: GitHub, Zenodo, OpenAlex and CORE; NCBI counts a second.
var allowanceHeaders = [][2]string{
	{"X-Ratelimit-Remaining", "X-Ratelimit-Reset"},
	{"X-Rate-Limit-Remaining", "X-Rate-Limit-Reset"},
	{"Ratelimit-Remaining", "Ratelimit-Reset"},
}

// structured is the form of the IETF's draft, which Hugging Face uses: ratelimit: "api";r=999;t=295
var structured = lazyregexp.New(`;\s*r=(\d{1,9})\b(?:.*;\s*t=(\d{1,9})\b)?`)

// maxWindow separates a number of seconds from a Unix time (chosen: a year).
const maxWindow = 366 * 24 * 3600

// allowanceOf reads the headers of an answer; false if they have no allowance.
func allowanceOf(h http.Header, now time.Time) (allowance, bool) {
	if m := structured.FindStringSubmatch(h.Get("Ratelimit")); m != nil {
		return allowance{normal.Atoi(m[1]), time.Duration(normal.Atoi(m[2])) * time.Second, now}, true
	}
	for _, pair := range allowanceHeaders {
		left, _, _ := strings.Cut(h.Get(pair[0]), ",") // some send one number per window
		remaining, err := strconv.ParseFloat(strings.TrimSpace(left), 64)
		if err != nil || !(remaining >= 0) || remaining > 1e9 {
			continue
		}
		return allowance{int(remaining), windowEnd(h.Get(pair[1]), now), now}, true
	}
	return allowance{}, false
}

// windowEnd reads seconds, Unix seconds or a date.
func windowEnd(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if n, err := strconv.ParseFloat(value, 64); err == nil && n > 0 && n < 1e11 {
		if n < maxWindow {
			return time.Duration(n * float64(time.Second))
		}
		return max(time.Unix(int64(n), 0).Sub(now), 0)
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05.999999-0700", http.TimeFormat} {
		if t, err := time.Parse(layout, value); err == nil {
			return max(t.Sub(now), 0)
		}
	}
	return 0
}
