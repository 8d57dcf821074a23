package channels

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// allowanceHeaders are the pairs in use: GitHub, Zenodo, OpenAlex and CORE; NCBI counts a second.
var allowanceHeaders = [][2]string{
	{"X-Ratelimit-Remaining", "X-Ratelimit-Reset"},
	{"X-Rate-Limit-Remaining", "X-Rate-Limit-Reset"},
	{"Ratelimit-Remaining", "Ratelimit-Reset"},
}

// usedUp is the IETF draft's form of an allowance of 0, which Hugging Face uses: ratelimit: "api";r=0;t=295
var usedUp = lazyregexp.New(`;\s*r=0\b.*;\s*t=(\d{1,9})\b`)

// maxWindow separates a number of seconds from a Unix time (chosen: a year).
const maxWindow = 366 * 24 * 3600

// exhausted returns how long a service allows no more requests, as the headers of its answer say, or 0.
func exhausted(h http.Header, now time.Time) time.Duration {
	if m := usedUp.FindStringSubmatch(h.Get("Ratelimit")); m != nil {
		return time.Duration(normal.Atoi(m[1])) * time.Second
	}
	for _, pair := range allowanceHeaders {
		left, _, _ := strings.Cut(h.Get(pair[0]), ",") // some send one number per window
		if remaining, err := strconv.ParseFloat(strings.TrimSpace(left), 64); err == nil && remaining == 0 {
			return windowEnd(strings.TrimSpace(h.Get(pair[1])), now)
		}
	}
	return 0
}

// windowEnd reads seconds, or Unix seconds.
func windowEnd(value string, now time.Time) time.Duration {
	n, err := strconv.ParseFloat(value, 64)
	switch {
	case err != nil || n < 0 || n > 1e11:
		return 0
	case n < maxWindow:
		return time.Duration(n * float64(time.Second))
	}
	return max(time.Unix(int64(n), 0).Sub(now), 0)
}
