package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// limits are what one owner may ask for; 0 is no limit.
type limits struct {
	callsPerMinute, parallel, loops, streams int
	bytes                                    int64 // that the owner's loops may keep
}

// defaultLimits stop a client that runs away and nobody else: a busy host makes some 60 calls a minute, and opens one
// or two streams. A loop of sixty sources keeps some 20 MB with the pages that their texts were taken from, so that
// the bytes are those of 2,500 such loops.
func defaultLimits() limits {
	return limits{callsPerMinute: 3_000, parallel: 64, loops: 10_000, streams: 100, bytes: 50 * humanize.GByte}
}

// parseLimits reads --limits. What it does not name keeps its default.
func parseLimits(text string) (limits, error) {
	l := defaultLimits()
	if text == "" {
		return l, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if name == "bytes" {
			n, err := humanize.ParseBytes(value)
			if err != nil || n > math.MaxInt64 {
				return l, fmt.Errorf("--limits %q: %q is not a number of bytes, such as bytes=500MB, bytes=20GiB, or bytes=0 for no limit", text, part)
			}
			l.bytes = int64(n)
			continue
		}
		n, err := strconv.Atoi(value)
		into, known := map[string]*int{"calls": &l.callsPerMinute, "parallel": &l.parallel, "loops": &l.loops, "streams": &l.streams}[name]
		if err != nil || n < 0 || !known {
			return l, fmt.Errorf("--limits %q: %q is not calls=N, parallel=N, loops=N, streams=N or bytes=N", text, part)
		}
		*into = n
	}
	return l, nil
}
