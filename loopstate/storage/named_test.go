package storage_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

func TestHashesIn(t *testing.T) {
	a, b := loopstate.HashText([]byte("a")), loopstate.HashText([]byte("b"))
	for _, tt := range []struct {
		name, data string
		want       []loopstate.Hash
	}{
		{"nothing", "", nil},
		{"it alone", a.String(), []loopstate.Hash{a}},
		{"in JSON", fmt.Sprintf(`{"sha256":%q,"chars":12}`, a), []loopstate.Hash{a}},
		{"in capitals", fmt.Sprintf("%X", a[:]), []loopstate.Hash{a}},
		{"several", fmt.Sprintf("%s,%s %s-%s", a, b, a, a), []loopstate.Hash{a, b, a, a}},
		{"one digit less", a.String()[1:], nil},
		{"one digit more", a.String() + "0", nil},
		{"twice in a row", a.String() + b.String(), nil},
		{"a letter beside it", "x" + a.String() + "g", []loopstate.Hash{a}},
		{"not UTF-8", "\xff" + a.String() + "\xfe", []loopstate.Hash{a}},
	} {
		for _, before := range []int{0, 1, 62, 63, 64, 65, 127, 1000} {
			data := strings.Repeat(" ", before) + tt.data
			if diff := cmp.Diff(tt.want, slices.Collect(storage.HashesIn([]byte(data)))); diff != "" {
				t.Errorf("%s, after %d spaces (-want +got):\n%s", tt.name, before, diff)
			}
		}
	}
}

// FuzzHashesIn compares with a regular expression.
func FuzzHashesIn(f *testing.F) {
	a := loopstate.HashText([]byte("a")).String()
	for _, seed := range []string{"", a, a + a, " " + a + "f", `{"sha256":"` + a + `"}`, strings.Repeat("0", 63) + "g" + a,
		strings.ToUpper(a) + "\n" + a[1:] + "\x00" + a} {
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
