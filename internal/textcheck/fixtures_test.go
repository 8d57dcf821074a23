package textcheck

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/verify"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got); go test -update rewrites it:\n%s", path, diff)
	}
}

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func clock() time.Time { return noon }

// web has the pages of a fake network.
type web struct {
	pages map[string]fetch.Page
	asked []string
}

func (w *web) ReadAll(ctx context.Context, urls []string, each func(int, fetch.Page)) []fetch.Page {
	out := make([]fetch.Page, len(urls))
	for i, u := range urls {
		w.asked = append(w.asked, u)
		p, ok := w.pages[u]
		switch {
		case ctx.Err() != nil:
			p = fetch.Page{Status: fetch.StatusTimeout, Reason: "cancelled"}
		case !ok:
			p = fetch.Page{Status: fetch.StatusNotFound, Reason: "there is no page at this address (HTTP 404)", HTTPStatus: 404}
		}
		p.URL, p.FetchedAt, p.Took = u, noon.Add(-time.Hour), 300*time.Millisecond
		if p.FinalURL == "" {
			p.FinalURL = u
		}
		out[i] = p
		if each != nil {
			each(i, p)
		}
	}
	return out
}

func read(title, text string) fetch.Page {
	return fetch.Page{Status: fetch.StatusRead, Document: document.Document{Head: document.Head{Title: title}, Text: text, Chars: len([]rune(text))}}
}

const (
	towerText = "The tower of Arden was built in 1874 by two brothers named Holt. They brought the stones over the ice in the winter, because no boat could carry them. The work took three summers, and eleven men lost their lives in a storm."
	costText  = "The upkeep of the Arden tower costs 900 crowns a year. The harbour pays two thirds of it, and the parish pays the rest. In 1901 the parish refused to pay, and the light was dark for a month until the council gave in."
	rollText  = "A list of the harbour's expenses. The upkeep of the Arden tower costs 1,200 crowns a year. The pilots of the harbour are paid by the ship, and their boat is painted red."
)

// island returns the pages of the tests.
func island() *web {
	return &web{pages: map[string]fetch.Page{
		"https://arden.example/tower": read("The tower of Arden", towerText),
		"https://arden.example/cost":  read("What the upkeep of the Arden tower costs the harbour", costText),
		"https://arden.example/roll":  read("The roll", rollText),
		"https://shut.example/paper":  {Status: fetch.StatusPaywalled, Reason: "the site asks for payment (HTTP 402)", HTTPStatus: 402},
		"https://slow.example/":       {Status: fetch.StatusTimeout, Reason: "the page did not arrive within the time it is given"},
	}}
}

func config(w *web) Config {
	return Config{Reader: w, Threshold: verify.DefaultThreshold, FailOn: DefaultFailOn(), Now: clock, Generator: "citeloop test"}
}

func check(t *testing.T, cfg Config, drafts ...Draft) *Result {
	t.Helper()
	r, err := Drafts(t.Context(), drafts, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
