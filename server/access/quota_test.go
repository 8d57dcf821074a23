package access

import (
	"net/http"
	"net/http/httptest"
	"strings"
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
			Refuse(refused, err)
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
