package tools

import (
	"errors"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

// A cursor comes back as it went, for the same search alone; anything else is an error of its code.
func FuzzHitPlace(f *testing.F) {
	f.Add(hitPlace{10, 7, 9}.cursor("lamp", []string{"a"}))
	f.Add(hitPlace{}.cursor("lamp", []string{"a"}))
	f.Add("1-2-3-")
	f.Fuzz(func(t *testing.T, cursor string) {
		p, err := hitPlaceOf(cursor, "lamp", []string{"a"})
		if err != nil {
			if wrong, ok := errors.AsType[*loopstate.Error](err); !ok || wrong.Code != loopstate.CodeBadCursor {
				t.Errorf("%q: %+v, %v", cursor, p, err)
			}
			return
		}
		if again := p.cursor("lamp", []string{"a"}); again != cursor {
			t.Errorf("%q became %q", cursor, again)
		}
		for _, other := range [][]any{{"lamp", []string{"b"}}, {"lamp a"}, {}} {
			if _, err := hitPlaceOf(cursor, other...); err == nil {
				t.Errorf("%q holds for the search %q", cursor, other)
			}
		}
	})
}
