package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// Every view is in one language: that of the loop, or that of the browser if the view has no loop.
func TestViewsHaveOneLanguage(t *testing.T) {
	h := newFixture(t, nil)
	german := h.pasted(t, "Wann wurde der Leuchtturm auf dem Kap gebaut, und wer hat den Bau damals bezahlt?")
	h.check(t, german, "The lighthouse was built in 1874 by the engineer Maria Holt.", "The lighthouse was built in 1902 in Portugal.")
	empty := h.pasted(t, "Wer wohnt heute auf dem Kap, seit der Turm nicht mehr besetzt ist, und was kostet das Haus, wenn man es mietet?")
	finished := h.pasted(t, "Wann wurde der Turm verlassen, wer war der letzte Wärter, und was wurde aus ihm, als das Licht nicht mehr von Hand bedient wurde?")
	h.check(t, finished, "The last keeper, Anton Brandt, left the tower in 1987.")
	if _, err := h.svc.Update(t.Context(), finished, "", loopstate.UpdateInput{Abort: "genug"}); err != nil {
		t.Fatal(err)
	}
	failed := h.pasted(t, "Wann wurde der Leuchtturm auf dem Kap gestrichen, und wer hat die Farbe damals bezahlt?")
	if _, err := h.svc.Verify(t.Context(), loops.VerifyInput{Loop: failed, Draft: "Der Turm wurde 1874 gebaut [S1]. Er wurde im Jahr 1950 von einem Matrosen aus Genua blau gestrichen."}); err != nil {
		t.Fatal(err)
	}
	v, outside := h.inside(t), h.visitor(t)
	at := func(loop string) string { return Root + "loops/" + loop }
	for _, view := range []struct {
		name, accept string
		who          *visitor
		path         string
		status       int
	}{
		{"a running loop", "fr", v, at(german), http.StatusOK},
		{"a finished loop", "fr", v, at(finished), http.StatusOK},
		{"a source", "fr", v, at(german) + "/sources/S1", http.StatusOK},
		{"a search", "fr", v, at(german) + "/find?q=lighthouse", http.StatusOK},
		{"a search without words", "fr", v, at(german) + "/find", http.StatusOK},
		{"a search without an answer", "fr", v, at(german) + "/find?q=zzzz", http.StatusOK},
		{"a draft", "fr", v, at(german) + "/verify", http.StatusOK},
		{"no report", "fr", v, at(empty) + "/report", http.StatusUnprocessableEntity},
		{"a failed report", "fr", v, at(failed) + "/report", http.StatusUnprocessableEntity},
		{"a review", "fr", v, at(german) + "/review", http.StatusOK},
		{"the list", "de-DE,en;q=0.5", v, Root, http.StatusOK},
		{"an unknown page", "de", v, Root + "zzz", http.StatusNotFound},
		{"an unknown loop", "de", v, at("zzz"), http.StatusNotFound},
		{"logging in", "de", outside, Root, http.StatusUnauthorized},
		{"a used link", "de", outside, Root + "enter?ticket=zzz", http.StatusUnauthorized},
	} {
		status, body := view.who.do(http.MethodGet, view.path, nil, http.Header{"Accept-Language": {view.accept}})
		if status != view.status || !strings.Contains(body, `<html lang="de">`) {
			t.Errorf("%s: %d, %.200s", view.name, status, body)
		}
		for _, reason := range []string{"Nobody has read", "not read yet", "in the cited lines", "material gap", "searched for yet", "The user aborted"} {
			if strings.Contains(body, reason) {
				t.Errorf("%s has the English reason %q", view.name, reason)
			}
		}
	}
	if _, body := v.send(at(german)+"/gap", map[string][]string{"gap": {" "}}); !strings.Contains(body, "Schreiben Sie einen Satz.") {
		t.Error("the error of a form is not in the language of the page")
	}
}

// pasted returns a running loop with a source.
func (h fixture) pasted(t *testing.T, question string) string {
	t.Helper()
	started, err := h.svc.Start(t.Context(), loopstate.StartInput{Query: question})
	if err != nil {
		t.Fatal(err)
	}
	h.paste(t, t.Context(), started.StateID, "Der Leuchtturm", lighthouse)
	return started.StateID
}
