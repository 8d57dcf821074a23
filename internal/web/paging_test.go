package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
)

// shown answers a path of the page to a visitor who is inside.
func (h fixture) shown(tb testing.TB) func(path string) (int, string) {
	v := h.page.sessions.begin(local(), "")
	return func(path string) (int, string) {
		req := httptest.NewRequestWithContext(tb.Context(), http.MethodGet, path, nil)
		req.AddCookie(&http.Cookie{Name: cookieName, Value: v.id})
		w := httptest.NewRecorder()
		h.page.ServeHTTP(w, req)
		return w.Code, w.Body.String()
	}
}

// The pages of a list show each item once, whichever end it begins at.
func TestPagesOfAListShowAllItems(t *testing.T) {
	for name, turn := range map[string]func(place, string, string, int, int) pager{"from the top": place.fromTop, "from the end": place.fromEnd} {
		for _, all := range []int{0, 1, 50, 51, 233} {
			seen, at := map[int]int{}, place{"/ui/loops/x", url.Values{}}
			for pages := 0; pages < 10; pages++ {
				page := turn(at, "claims", "claims", all, 50)
				for i := page.lo; i < page.hi; i++ {
					seen[i]++
				}
				if page.On == "" {
					break
				}
				next, err := url.Parse(page.On)
				if err != nil {
					t.Fatal(err)
				}
				at.params = next.Query()
			}
			for i := range all {
				if seen[i] != 1 {
					t.Fatalf("%s: item %d of %d is shown %d times", name, i, all, seen[i])
				}
			}
		}
	}
}

func TestPagesOfAListKeepTheirPlace(t *testing.T) {
	at := place{"/ui/loops/x", url.Values{"round": {"3"}, "searches": {"70"}, "claims": {"51"}}}
	for _, row := range []struct {
		name      string
		got       pager
		top, last int
		back, on  string
	}{
		{"a log that has grown", at.fromEnd("searches", "searches", 200, 50), 70, 21, "/ui/loops/x?claims=51&round=3&searches=120#h-searches", "/ui/loops/x?claims=51&round=3&searches=20#h-searches"},
		{"from its end", at.fromEnd("sources", "sources", 60, 50), 60, 11, "", "/ui/loops/x?claims=51&round=3&searches=70&sources=10#h-sources"},
		{"from the top", at.fromTop("claims", "claims", 120, 50), 51, 100, "/ui/loops/x?round=3&searches=70#h-claims", "/ui/loops/x?claims=101&round=3&searches=70#h-claims"},
		{"nothing", at.fromTop("gaps", "gaps", 0, 50), 0, 0, "", ""},
		{"nothing in a log", at.fromEnd("bad", "bad", 0, 50), 0, 0, "", ""},
		{"beyond the end", at.fromTop("claims", "claims", 20, 50), 20, 20, "/ui/loops/x?round=3&searches=70#h-claims", ""},
		{"beyond a log that was longer", at.fromEnd("searches", "searches", 30, 50), 30, 1, "", ""},
	} {
		if row.got.Top != row.top || row.got.Bottom != row.last || row.got.Back != row.back || row.got.On != row.on {
			t.Errorf("%s: %+v", row.name, row.got)
		}
	}
}
