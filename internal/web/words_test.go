package web

import (
	"log/slog"
	"net/http"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

// The response to a visitor depends on the code, not on the words.
func TestProblemsAreClassifiedByCode(t *testing.T) {
	p := &Page{Config: Config{Logger: slog.New(slog.DiscardHandler)}}
	for _, code := range loopstate.Codes() {
		want := http.StatusUnprocessableEntity
		if code == loopstate.CodeUnknownLoop || code == loopstate.CodeUnreadSource {
			want = http.StatusNotFound
		}
		e := &loopstate.Error{Code: code, Subject: "there is no loop", Value: "was never read in this loop", Valid: []string{"w"}}
		status, words := p.problem(t.Context(), e)
		if status != want || (words == "") != (want == http.StatusNotFound) || remedy(e) == "" {
			t.Errorf("%s: %d %q", code, status, words)
		}
	}
}
