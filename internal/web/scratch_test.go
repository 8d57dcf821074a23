package web

import (
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
)

// A check of a draft, on the page or by verify_citations, leaves a loop's claims, its report and why it stopped as they were.
func TestADraftChecksWithoutChangingTheLoop(t *testing.T) {
	for _, delivered := range []string{"", "The lighthouse was built in 1874 by the engineer Maria Holt [S1]."} {
		h := newFixture(t, nil)
		loop := h.research(t, t.Context())
		if delivered != "" {
			loop = h.finish(t, delivered)
		}
		at := Root + "loops/" + loop
		look := func() (claims, stopped string, doc report.Document) {
			t.Helper()
			_, body := h.shown(t)(at)
			part := func(name string) string {
				_, rest, _ := strings.Cut(body, `data-part="`+name+`"`)
				rest, _, _ = strings.Cut(rest, "<details")
				return rest
			}
			doc, err := h.svc.Report(t.Context(), loops.ReportInput{Loop: loop, AllowUnverified: true})
			if err != nil {
				t.Fatal(err)
			}
			doc.GeneratedAt = doc.GeneratedAt.Truncate(0)
			return part("claims"), part("decision"), doc
		}
		claims, stopped, doc := look()
		if !strings.Contains(claims, `id="C1"`) || stopped == "" {
			t.Fatal("the loop has no claims or no decision on its page")
		}
		for name, check := range map[string]func() error{
			"the page": func() error {
				status, body := h.inside(t).send(at+"/verify", url.Values{"draft": {"The lamp was green [S1]."}})
				if status != http.StatusOK || !strings.Contains(body, "The lamp was green") {
					t.Errorf("the check: %d", status)
				}
				return nil
			},
			"verify_citations": func() error {
				_, err := h.svc.Verify(t.Context(), loops.VerifyInput{Loop: loop, Draft: "The tower was sold in 1999 [S1]."})
				return err
			},
		} {
			if err := check(); err != nil {
				t.Fatal(err)
			}
			gotClaims, gotStopped, got := look()
			got.GeneratedAt = doc.GeneratedAt
			if gotClaims != claims || gotStopped != stopped || !reflect.DeepEqual(got, doc) {
				t.Errorf("a check by %s changed the loop:\n%s\n%s\n%s\n%s", name, claims, gotClaims, stopped, gotStopped)
			}
		}
	}
}
