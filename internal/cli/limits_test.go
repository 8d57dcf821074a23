package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseLimits(t *testing.T) {
	with := func(change func(*limits)) limits {
		l := defaultLimits()
		change(&l)
		return l
	}
	for _, tt := range []struct {
		text string
		want limits
	}{
		{"", defaultLimits()},
		{"calls=5, parallel=0,loops=7", with(func(l *limits) { l.callsPerMinute, l.parallel, l.loops = 5, 0, 7 })},
		{"bytes=500MB", with(func(l *limits) { l.bytes = 500_000_000 })},
		{"bytes=1.5GiB", with(func(l *limits) { l.bytes = 3 << 29 })},
		{"bytes=20 gb", with(func(l *limits) { l.bytes = 20_000_000_000 })},
		{"bytes=123", with(func(l *limits) { l.bytes = 123 })},
		{"bytes=0", with(func(l *limits) { l.bytes = 0 })},
	} {
		got, err := parseLimits(tt.text)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
		}
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(limits{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
	for text, says := range map[string]string{
		"calls=many": `"calls=many" is not calls=N`, "loops=-1": `"loops=-1" is not`, "size=4": `"size=4" is not`,
		"bytes":  `"bytes" is not a number of bytes`,
		"bytes=": `"bytes=" is not`, "bytes=-5": `"bytes=-5" is not`, "bytes=5 parsecs": `"bytes=5 parsecs" is not`,
		"bytes=NaN":          `"bytes=NaN" is not`,
		"calls=1,bytes=lots": `"bytes=lots" is not`, "bytes=9EiB": `"bytes=9EiB" is not`, "bytes=99999EB": `is not a number`,
		"bytes=1e9": `is not a number`, ",": `"" is not`,
	} {
		if l, err := parseLimits(text); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "--limits") {
			t.Errorf("%q gives %+v, %v, want an error that says %q", text, l, err, says)
		}
	}
}
