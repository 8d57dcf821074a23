package access

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

func TestStreams(t *testing.T) {
	t.Parallel()
	s := NewStreams(2, 3)
	open := func(owner string) (end func(), refused *httptest.ResponseRecorder) {
		t.Helper()
		end, err := s.Open(owner)
		if err != nil {
			refused = httptest.NewRecorder()
			s.Refuse(refused, err)
		}
		return end, refused
	}
	first, _ := open("anna")
	second, _ := open("anna")
	if _, refused := open("anna"); refused == nil || refused.Code != http.StatusTooManyRequests || !strings.Contains(refused.Body.String(), "you have 2 open on this server") || refused.Header().Get("Retry-After") == "" {
		t.Errorf("a third: %+v", refused)
	}
	third, refused := open("ben")
	if refused != nil {
		t.Fatalf("another owner's: %s", refused.Body)
	}
	if _, refused := open("carla"); refused == nil || refused.Code != http.StatusServiceUnavailable || !strings.Contains(refused.Body.String(), "too many event streams: 3 are open") {
		t.Errorf("beyond the limit of the server: %+v", refused)
	}
	first()
	first() // has no effect
	if n := s.Held(); n != 2 {
		t.Errorf("%d are open, want 2", n)
	}
	fourth, refused := open("anna")
	if refused != nil {
		t.Fatalf("after another one ended: %s", refused.Body)
	}
	for _, end := range []func(){second, third, fourth} {
		end()
	}
	if len(s.owners) != 0 || s.Held() != 0 {
		t.Errorf("left: %v, %d", s.owners, s.Held())
	}
}

func TestConcurrentStreams(t *testing.T) {
	t.Parallel()
	const most = 10
	s := NewStreams(0, most)
	var got sync.Map
	var opening sync.WaitGroup
	for i := range 5 * most {
		opening.Go(func() {
			if end, err := s.Open("anna"); err == nil {
				got.Store(i, end)
			}
		})
	}
	opening.Wait()
	n := 0
	got.Range(func(_, _ any) bool { n++; return true })
	if n != most || s.Held() != most {
		t.Errorf("%d of %d were opened", n, most)
	}
	if end, err := (*Quota)(nil).Open("anna"); err != nil {
		t.Errorf("without a limit: %v", err)
	} else {
		end()
	}
}
