package audit

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/references"
)

// service answers from records, by DOI or by a word of the title.
type service struct {
	records map[string][]channels.Evidence // by channel
	down    map[string]channels.Status
	asked   atomic.Int32
}

func (s *service) Search(_ context.Context, names []string, q channels.Query, _ func(channels.Outcome)) (out channels.Answer, err error) {
	s.asked.Add(1)
	name := names[0]
	if status, down := s.down[name]; down {
		return channels.Answer{Outcomes: []channels.Outcome{{Name: name, Status: status}}}, nil
	}
	status := channels.StatusEmpty
	for _, r := range s.records[name] {
		if r.DOI == q.Text || strings.HasSuffix(r.URL, q.Text) || !strings.HasPrefix(q.Text, "10.") &&
			strings.Contains(strings.ToLower(q.Text), strings.ToLower(strings.Fields(r.Title)[0])) {
			out.Evidence, status = append(out.Evidence, channels.Ranked{Evidence: r}), channels.StatusOK
		}
	}
	out.Outcomes = []channels.Outcome{{Name: name, Status: status}}
	return out, nil
}

func run(t *testing.T, s *service, list string) *Result {
	t.Helper()
	l := List{Name: "refs.bib"}
	var err error
	if l.Entries, l.Problems, err = references.Parse(references.BibTeX, list); err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), Config{Search: s, Channels: []string{"crossref", "openalex", "datacite", "open-library"},
		Generator: "citeloop test",
		Now:       func() time.Time { return time.Unix(0, 0) }}, []List{l})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func harbours() map[string][]channels.Evidence {
	return map[string][]channels.Evidence{
		"crossref": {
			{Title: "Mills of the old harbours", Authors: []string{"Ida Weber", "Bo Stone"}, PublishedAt: "2012-05", DOI: "10.1000/1",
				URL: "https://doi.org/10.1000/1", Container: "Harbours"},
			{Title: "Salt in the blood of sailors", Authors: []string{"Kim Adler"}, PublishedAt: "2010", DOI: "10.1000/2",
				URL:    "https://doi.org/10.1000/2",
				Update: channels.Update{Kind: "retracted", Notice: "10.1000/22", Date: "2014-03-01"}},
			{Title: "Corrected tides of the north", Authors: []string{"Kim Adler"}, PublishedAt: "2011", DOI: "10.1000/3",
				URL: "https://doi.org/10.1000/3", Update: channels.Update{Kind: "corrected"}},
		},
		"open-library": {{Title: "Tides for all: a history", Authors: []string{"Nora Quay", "Lea Ebb"}, PublishedAt: "1987",
			URL: "https://openlibrary.org/isbn/9780306406157"}},
		"openalex": {{Title: "Mills of the old harbours", Authors: []string{"I. Weber", "B. Stone"}, PublishedAt: "2012",
			DOI: "10.1000/1", URL: "https://openalex.org/W1"}},
	}
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, entry string
		down        map[string]channels.Status
		want        Status
		fields      string // that differ
	}{
		{"as listed", `@article{a, title={Mills of the Old Harbours}, author={Weber, Ida and Stone, B.}, year=2012, journal={Harbours}, ` +
			`doi={10.1000/1}}`, nil, Verified, ""},
		{"found by its title alone", `@article{a, title={Mills of the Old Harbours}, author={Weber, Ida and others}, year=2012}`, nil,
			Verified, ""},
		{"another author", `@article{a, title={Mills of the old harbours}, author={Weber, Ida and Klee, Paul}, year=2012}`, nil, Mismatch,
			"authors"},
		{"another year and venue", `@article{a, title={Mills of the old harbours}, author={Weber, Ida and Stone, Bo}, year=2019, ` +
			`journal={Salt}}`, nil, Mismatch, "year venue"},
		{"the DOI of another work", `@article{a, title={Mills of the old harbours}, author={Weber, Ida and Stone, Bo}, year=2012, ` +
			`doi={10.1000/3}}`, nil, Mismatch, "doi"},
		{"a DOI that nobody has", `@article{a, title={Mills of the old harbours}, author={Weber, Ida and Stone, Bo}, year=2012, ` +
			`doi={10.9999/none}}`, nil, Mismatch, "doi"},
		{"an invented title with a real DOI", `@article{a, title={Quantum lanterns and the gradient of fog}, doi={10.1000/1}}`, nil,
			Mismatch, "title"},
		{"nobody has it", `@article{a, title={Quantum lanterns and the gradient of fog}, year=2012}`, nil, NotFound, ""},
		{"a service is down", `@article{a, title={Quantum lanterns and the gradient of fog}}`,
			map[string]channels.Status{"crossref": channels.StatusUnavailable}, CouldNotLook, ""},
		{"a service without a key is not needed", `@article{a, title={Quantum lanterns and the gradient of fog}}`,
			map[string]channels.Status{"openalex": channels.StatusAuthRequired}, NotFound, ""},
		{"a service is down, another one has it", `@article{a, title={Mills of the old harbours}, year=2012}`,
			map[string]channels.Status{"crossref": channels.StatusRateLimited}, Verified, ""},
		{"retracted", `@article{a, title={Salt in the blood of sailors}, author={Adler, K.}, year=2010}`, nil, Retracted, ""},
		{"corrected", `@article{a, title={Corrected tides of the north}, author={Adler, K.}, year=2011}`, nil, Verified, ""},
		{"a later edition of a book, by ISBN-10", `@book{a, title={Tides for All}, author={Quay, N.}, year=2003, isbn={0-306-40615-2}}`,
			nil, Verified, ""},
		{"a book by its title", `@book{a, title={Tides for all}, author={Quay, Nora}}`, nil, Verified, ""},
		{"a book before its first edition", `@book{a, title={Tides for all}, author={Quay, Nora}, year=1971}`, nil, Mismatch, "year"},
		{"a paper with the ISBN of its proceedings",
			`@inproceedings{a, title={Mills of the old harbours}, author={Weber, Ida and Stone, Bo}, isbn={9780306406157}}`, nil, Verified,
			""},
		{"an ISBN alone", `@misc{a, isbn={0306406152}}`, nil, Verified, ""},
		{"a DOI alone", `@misc{a, doi={10.1000/1}}`, nil, Verified, ""},
		{"nothing to look up", `@misc{a, note={seen on the wall}}`, nil, NotIdentified, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := run(t, &service{records: harbours(), down: tt.down}, tt.entry)
			e := r.Entries[0]
			var fields []string
			for _, d := range e.Differences {
				fields = append(fields, d.Field)
			}
			if got := strings.Join(fields, " "); e.Status != tt.want || got != tt.fields {
				t.Errorf("%s (%s): %q, want %s, %q; asked %v", e.Status, e.Because, got, tt.want, tt.fields, e.Asked)
			}
		})
	}
}

// slow answers look-ups of DOIs; others when their caller has given up, or that their turn comes too late.
type slow struct{ service }

func (s *slow) Search(ctx context.Context, names []string, q channels.Query, done func(channels.Outcome)) (channels.Answer, error) {
	switch {
	case q.Text == "Fog":
		return channels.Answer{Outcomes: []channels.Outcome{{Name: names[0], Status: channels.StatusRateLimited,
			RetryAfter: 5 * time.Second}}}, nil
	case !strings.HasPrefix(q.Text, "10."):
		<-ctx.Done()
		return channels.Answer{Outcomes: []channels.Outcome{{Name: names[0], Status: channels.StatusUnavailable}}}, nil
	}
	return s.service.Search(ctx, names, q, done)
}

// What was looked up in time is kept, and the rest is left and not called missing.
func TestTimeLeavesTheRest(t *testing.T) {
	l := List{Name: "refs.bib"}
	l.Entries, _, _ = references.Parse(references.BibTeX,
		`@article{a, title={Mills of the old harbours}, doi={10.1000/1}} @misc{b, title={Quantum lanterns}} @misc{c, title={Fog}}`)
	synctest.Test(t, func(t *testing.T) {
		r, err := Run(t.Context(), Config{Search: &slow{service{records: harbours()}}, Channels: []string{"crossref"}, Time: time.Minute,
			Now: time.Now}, []List{l})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Entries) != 1 || r.Entries[0].Status != Verified || len(r.Left) != 2 || r.Left[0].Key != "b" || r.Left[1].Key != "c" ||
			r.Verdict != outcome.Undecided {
			t.Errorf("%+v", r)
		}
	})
}

func TestRetractionHasItsNotice(t *testing.T) {
	t.Parallel()
	r := run(t, &service{records: harbours()}, `@article{a, title={Salt in the blood of sailors}, doi={10.1000/2}}`)
	for _, want := range []string{"retracted on 2014-03-01", "https://doi.org/10.1000/22"} {
		if got := r.Entries[0].Because; !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
}

// A verified identifier needs no search.
func TestIdentifiersComeFirst(t *testing.T) {
	t.Parallel()
	s := &service{records: harbours()}
	if run(t, s, `@article{a, title={Mills of the old harbours}, doi={10.1000/1}}`); s.asked.Load() != 2 {
		t.Errorf("%d requests, want that of the DOI at Crossref and OpenAlex", s.asked.Load())
	}
}

// A service of books is asked for books only.
func TestBooksAreAskedForBooks(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]string{
		`@article{a, title={Quantum lanterns}}`:               "not found at crossref, openalex, datacite",
		`@book{a, title={Quantum lanterns}, author={Fog, K}}`: "not found at crossref, openalex, datacite, open-library",
	} {
		if r := run(t, &service{records: harbours()}, entry); r.Entries[0].Because != want {
			t.Errorf("%s: %s", entry, r.Entries[0].Because)
		}
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	list := "@article{a, title={Mills of the old harbours}, author={Weber <script>alert(1)</script>}, year=2019}\n@article{b, " +
		"title={Quantum lanterns and fog}}\n@article{c, title={Mills of the old harbours}, year=2012}"
	r := run(t, &service{records: harbours()}, list)
	for _, tt := range []struct {
		write func(io.Writer, *Result) error
		want  []string
	}{
		{WriteText, []string{"refs.bib:1: mismatch: ", "refs.bib:2: not_found: [b] Quantum lanterns",
			"fail: 3 references: 1 mismatch, 1 not found, 1 verified"}},
		{WriteJSON, []string{`"verdict": "fail"`, `"status": "verified"`}},
	} {
		var b bytes.Buffer
		if err := tt.write(&b, r); err != nil {
			t.Fatal(err)
		}
		for _, w := range tt.want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("lacks %q:\n%s", w, b.String())
			}
		}
	}
}
