package storage_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// FuzzHashesIn compares with a regular expression.
func FuzzHashesIn(f *testing.F) {
	a := loopstate.HashText([]byte("a")).String()
	for _, seed := range []string{"", a, a + a, " " + a + "f", `{"sha256":"` + a + `"}`, strings.Repeat("0", 63) + "g" + a,
		strings.ToUpper(a) + "\n" + a[1:] + "\x00" + a, "x" + a + "g",
		strings.Repeat(" ", 127) + a + "," + a, "\xff" + a + "\xfe", a + "0"} {
		f.Add([]byte(seed))
	}
	run := regexp.MustCompile(`[0-9a-fA-F]+`)
	f.Fuzz(func(t *testing.T, data []byte) {
		var want []loopstate.Hash
		for _, digits := range run.FindAll(data, -1) {
			if h, err := loopstate.ParseHash(string(digits)); err == nil {
				want = append(want, h)
			}
		}
		if diff := cmp.Diff(want, slices.Collect(storage.HashesIn(data))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
