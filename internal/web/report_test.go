package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// passing returns a loop with one grounded claim.
func (h fixture) passing(t *testing.T) string {
	t.Helper()
	started, err := h.svc.Start(t.Context(), loopstate.StartInput{Query: "When was the lighthouse on the cape built?"})
	if err != nil {
		t.Fatal(err)
	}
	h.paste(t, t.Context(), started.StateID, "A history <b>of</b> the cape", lighthouse)
	if _, err := h.svc.Verify(t.Context(), loops.VerifyInput{Loop: started.StateID, Claims: []verify.Claim{verify.New("The lighthouse was built in 1874 by the engineer Maria Holt.", "S1")}}); err != nil {
		t.Fatal(err)
	}
	return started.StateID
}

// ask returns the response to a logged-in visitor, with the form's token for a form.
func (h fixture) ask(t *testing.T, method, path string, form url.Values) *httptest.ResponseRecorder {
	t.Helper()
	v := h.page.sessions.begin(local(), "")
	if form != nil {
		form.Set("form", v.form)
	}
	req := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(form.Encode()))
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	req.AddCookie(&http.Cookie{Name: cookieName, Value: v.id})
	w := httptest.NewRecorder()
	h.page.ServeHTTP(w, req)
	return w
}

func TestTheReportIsBehindThePage(t *testing.T) {
	h := newFixture(t, nil)
	at := Root + "loops/" + h.passing(t)
	for _, row := range []struct{ format, want, disposition string }{
		{"", "<!DOCTYPE html>", "inline"}, {report.HTML, "Maria Holt", "inline"}, {report.Markdown, "Maria Holt", "attachment"}, {report.BibTeX, "@", "attachment"},
		{report.CSLJSON, `"title"`, "attachment"}, {report.RIS, "TY  - ", "attachment"}, {report.JSON, `"receipts"`, "attachment"},
	} {
		t.Run("as "+row.format, func(t *testing.T) {
			w := h.ask(t, http.MethodGet, at+"/report?format="+row.format, nil)
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), row.want) {
				t.Fatalf("%d %.300s", w.Code, w.Body)
			}
			format := row.format
			if format == "" {
				format = report.HTML
			}
			if got := w.Header().Get("Content-Type"); got != report.ContentType(format) {
				t.Errorf("Content-Type %s", got)
			}
			if got := w.Header().Get("Content-Disposition"); !strings.HasPrefix(got, row.disposition+"; filename=citeloop-") || !strings.HasSuffix(got, report.Extension(format)) {
				t.Errorf("Content-Disposition %s", got)
			}
			csp := w.Header().Get("Content-Security-Policy")
			if !strings.Contains(csp, "; sandbox allow-popups") || strings.Contains(csp, "script") || strings.Contains(csp, "same-origin") || strings.Contains(csp, "'self'") || strings.Contains(csp, "unsafe") {
				t.Errorf("the report has more permissions than needed: %s", csp)
			}
			if row.disposition == "inline" && (!strings.HasPrefix(csp, report.Policy()+"; ") || w.Header().Get("Cross-Origin-Opener-Policy") != "") {
				t.Errorf("a browser would not show the report: %s", csp)
			}
			if w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("%v", w.Header())
			}
		})
	}
	if w := h.ask(t, http.MethodGet, at+"/report?format=exe", nil); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "Unknown report format") {
		t.Errorf("an unknown format: %d", w.Code)
	}
	if _, body := h.shown(t)(at); !strings.Contains(body, `href="`+at+`/report"`) || !strings.Contains(body, `href="`+at+`/report?format=csl-json"`) {
		t.Error("the loop's page does not lead to its report")
	}
}

func TestNoReport(t *testing.T) {
	h := newFixture(t, nil)
	started, err := h.svc.Start(t.Context(), loopstate.StartInput{Query: "Nothing yet"})
	if err != nil {
		t.Fatal(err)
	}
	failing := h.finish(t, "The lighthouse was built in 1874 by the engineer Maria Holt [S1].\n\nIt was built in 1902 in Portugal.")
	for _, row := range []struct {
		name, path string
		status     int
		want       []string
	}{
		{"nothing is claimed", started.StateID + "/report", http.StatusUnprocessableEntity, []string{"The loop has no claims", "/verify\">Check a draft</a>"}},
		{"it does not pass", failing + "/report?format=markdown", http.StatusUnprocessableEntity, []string{"The claims failed the check", "/report?format=markdown&amp;draft=1", "built in 1902 in Portugal", "○</span> uncited"}},
		{"it does not pass and is wanted", failing + "/report?draft=1", http.StatusOK, []string{"DRAFT, not verified"}},
		{"no such loop", "0199c1d2-0000-7000-8000-000000000000/report", http.StatusNotFound, nil},
	} {
		w := h.ask(t, http.MethodGet, Root+"loops/"+row.path, nil)
		if w.Code != row.status {
			t.Errorf("%s: %d", row.name, w.Code)
		}
		for _, want := range row.want {
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s lacks %q in %s", row.name, want, w.Body)
			}
		}
	}
}
