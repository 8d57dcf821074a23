package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// limits bound one owner; 0 means no limit.
type limits struct {
	callsPerMinute, parallel, loops, streams int
	bytes                                    int64 // of the owner's loops
}

// defaultLimits only stop a client that is out of control: a busy host makes about 60 calls a minute and opens one or
// two streams. A loop with sixty sources and their pages has about 20 MB, so the limit allows 2,500 such loops.
func defaultLimits() limits {
	return limits{callsPerMinute: 3_000, parallel: 64, loops: 10_000, streams: 100, bytes: 50 * humanize.GByte}
}

// parseLimits reads --limits. Limits that are not named keep their defaults.
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
