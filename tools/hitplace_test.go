package tools

import (
	"errors"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

// A cursor comes back as it went, for the same search alone; anything else is an error of its code.
func FuzzHitPlace(f *testing.F) {
	f.Add(HitPlace{Limit: 10, From: 7, After: 9}.Cursor("lamp", []string{"a"}))
	f.Add(HitPlace{}.Cursor("lamp", []string{"a"}))
	f.Add("AAAA")
	f.Add("====")
	f.Fuzz(func(t *testing.T, cursor string) {
		p, err := HitPlaceOf(cursor, "lamp", []string{"a"})
		var wrong *loopstate.Error
		if err != nil {
			if !errors.As(err, &wrong) || wrong.Code != loopstate.CodeBadCursor || p != (HitPlace{}) {
				t.Errorf("%q: %+v, %v", cursor, p, err)
			}
			return
		}
		if p.From < 0 || p.From > maxCursorFrom {
			t.Errorf("%q: %+v", cursor, p)
		}
		again, err := HitPlaceOf(p.Cursor("lamp", []string{"a"}), "lamp", []string{"a"})
		if err != nil || again != p {
			t.Errorf("%+v became %+v: %v", p, again, err)
		}
		for _, other := range [][]any{{"lamp", []string{"b"}}, {"lamp a"}, {}} {
			if _, err := HitPlaceOf(cursor, other...); err == nil {
				t.Errorf("%q holds for the search %q", cursor, other)
			}
		}
	})
}
