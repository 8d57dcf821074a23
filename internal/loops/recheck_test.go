package loops_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/resilience"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// crossref answers like Crossref; a test changes the notices by DOI.
type crossref struct {
	notices map[string]string // DOI -> updated-by and relation, as JSON
	down    bool
}

func (c *crossref) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	doi, _ := url.PathUnescape(strings.TrimPrefix(r.URL.EscapedPath(), "/works/"))
	more, ok := c.notices[doi]
	switch {
	case c.down:
		w.WriteHeader(http.StatusServiceUnavailable)
	case !ok:
		http.NotFound(w, r)
	default:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"status":"ok","message":{"DOI":%q,"title":["A paper"],"type":"journal-article"%s}}`, doi, more)
	}
}

func notice(kind, doi string) string {
	return fmt.Sprintf(`,"updated-by":[{"type":%q,"DOI":%q,"updated":{"date-parts":[[2014,3,1]]}}]`, kind, doi)
}

// withCrossref returns a harness whose searcher is the real registry before a local Crossref.
func withCrossref(t *testing.T) (*harness, *crossref) {
	t.Helper()
	h, service := newHarness(t), &crossref{notices: map[string]string{}}
	srv := httptest.NewServer(service)
	t.Cleanup(srv.Close)
	at := must(url.Parse(srv.URL))(t)
	client := fetch.NewClient(fetch.ClientConfig{AllowPrivate: []string{at.Host}})
	hosts := resilience.NewHosts(resilience.HostsConfig{Sleep: func(context.Context, time.Duration) error { return nil }})
	registry := must(channels.New(channels.Config{URLs: map[string]string{"crossref": srv.URL + "/works"}, Hosts: hosts, Client: client},
		source.All(nil)))(t)
	t.Cleanup(func() { registry.Close() })
	cfg := h.Config
	cfg.Searcher, cfg.LookUp = registry, true
	h.Service = loops.New(cfg)
	return h, service
}

func flagsOf(t *testing.T, h *harness, loop string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, src := range h.stateOf(loop).Sources {
		out[src.ID] = src.Flags
	}
	return out
}

// Retractions, corrections and expressions of concern are flags of a source when it is fetched, and a claim that rests on
// retracted sources alone says so.
func TestRetractedSources(t *testing.T) {
	h, service := withCrossref(t)
	kinds := []struct{ crossref, flag string }{
		{"retraction", "retracted"}, {"retraction", "retracted"}, {"expression_of_concern", "expression_of_concern"},
		{"correction", "corrected"}, {"", ""},
	}
	var urls []string
	for i, k := range kinds {
		doi := fmt.Sprintf("10.1000/%d", i)
		if service.notices[doi] = ""; k.crossref != "" {
			service.notices[doi] = notice(k.crossref, fmt.Sprintf("10.1000/n%d", i))
		}
		urls = append(urls, "https://doi.org/"+doi)
		h.web.put(urls[i], fmt.Sprintf("Paper %d", i), fmt.Sprintf("Paper number %d found that tea of kind %d cures colds.", i, i))
	}
	loop := h.start("Does tea cure colds?")
	out := must(h.Read(t.Context(), loops.ReadInput{Loop: loop, URLs: urls}))(t)
	stored := flagsOf(t, h, loop)
	for i, k := range kinds {
		want := ""
		if k.flag != "" {
			want = fmt.Sprintf("%s: 2014-03-01, notice https://doi.org/10.1000/n%d (crossref)", k.flag, i)
		}
		for where, flags := range map[string][]string{"answer": out[i].Flags, "state": stored[out[i].ID]} {
			if got := strings.Join(flags, " | "); got != want {
				t.Errorf("paper %d, %s: flags %q, want %q", i, where, got, want)
			}
		}
		if out[i].Standing == nil {
			t.Errorf("paper %d was not looked up", i)
		}
	}
	v := h.check(loops.VerifyInput{Loop: loop, Claims: []verify.Claim{
		verify.New("Paper number 0 found that tea cures colds.", "S1"), verify.New("Papers found that tea cures colds.", "S1", "S3"),
		verify.New("Papers found that tea cures colds, twice.", "S1", "S5"), verify.New("Paper number 3 found that tea cures colds.", "S4"),
	}})
	for i, want := range []bool{true, true, false, false} {
		if c := v.Claims[i]; c.Has(loopstate.FlagRetracted) != want || strings.Contains(c.Because, "retracted") != want {
			t.Errorf("claim %d: flags %q, because %q, want the retraction: %v", i, c.Flags, c.Because, want)
		}
	}
	d := h.report(loops.ReportInput{Loop: loop, AllowUnverified: true, Draft: "Paper number 0 found that tea cures colds [S1]."})
	if text := written(t, report.Markdown, d); !strings.Contains(text, "retracted: 2014-03-01") || !strings.Contains(text, "10.1000/n0") {
		t.Errorf("the report does not say that S1 was retracted:\n%s", text)
	}
}

// A service that does not answer delays nothing and leaves the source as not looked up; the next recheck finds what it says.
// Pasted texts and files are never looked up.
func TestRecheckFindsRetraction(t *testing.T) {
	h, service := withCrossref(t)
	service.down, service.notices["10.1000/1"] = true, ""
	h.web.put("https://doi.org/10.1000/1", "A paper", "Tea cures colds within four days, as the trial of 1,204 adults has shown.")
	loop := h.start("Does tea cure colds?")
	h.read(loop, "https://doi.org/10.1000/1")
	h.check(loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New("Tea cures colds within four days.", "S1:1")}})
	recheck := func(code int, counts string) *loops.Recheck {
		t.Helper()
		r := must(h.Recheck(t.Context(), loop, nil))(t)
		if got := fmt.Sprint(r.Counts); got != counts || r.ExitCode() != code {
			t.Errorf("counts %s, code %d: %+v; want %s, %d", got, r.ExitCode(), r.Sources, counts, code)
		}
		return r
	}
	if r := recheck(0, "map[same:1]"); r.NotLooked != 1 {
		t.Errorf("%d not looked up, want 1", r.NotLooked)
	}
	service.down = false
	h.Service = loops.New(h.Config) // without the open circuit
	recheck(0, "map[same:1]")
	service.notices["10.1000/1"] = notice("retraction", "10.1000/n")
	r := recheck(1, "map[same:1]")
	if src := r.Sources[0]; !src.News || !strings.HasPrefix(src.Update, "retracted: 2014-03-01") {
		t.Errorf("after the retraction: %+v", src)
	}
	if src := recheck(1, "map[same:1]").Sources[0]; src.News {
		t.Errorf("the second time: %+v, want no news", src)
	}
	if flags := strings.Join(h.stateOf(loop).Claims[0].Check.Flags, " "); !strings.Contains(flags, loopstate.FlagRetracted) {
		t.Errorf("the recorded claim has the flags %q", flags)
	}
}

// Recheck compares pages with the stored texts and the cited lines, and records only what is new.
func TestRecheck(t *testing.T) {
	h, loop := newLoop(t, "What is at Cape Arden?")
	names := []string{"same", "elsewhere", "cited", "gone", "shut"}
	var urls []string
	for i, name := range names {
		urls = append(urls, "https://example.org/"+name)
		h.web.put(urls[i], name, lighthouse+"\n\nThis page is "+name+".")
	}
	h.read(loop, urls...)
	must(h.Read(t.Context(), loops.ReadInput{Loop: loop, Text: "Pasted. " + harbour, Title: "Pasted"}))(t)
	var claims []verify.Claim
	for i := range names {
		claims = append(claims, verify.New(fmt.Sprintf("The lighthouse has 198 steps, says page %d.", i), fmt.Sprintf("S%d:13", i+1)))
	}
	check := func() []string {
		t.Helper()
		var keys []string
		for _, c := range h.check(loops.VerifyInput{Loop: loop, Claims: claims}).Claims {
			keys = append(keys, c.Key)
		}
		return keys
	}
	before := check()
	version := func() int64 { return h.stateOf(loop).Seq }
	was := version()
	recheck := func(code int, want map[string]int) *loops.Recheck {
		t.Helper()
		r := must(h.Recheck(t.Context(), loop, nil))(t)
		if diff := cmp.Diff(want, r.Counts); diff != "" || r.ExitCode() != code || r.NotRead != 1 {
			t.Errorf("code %d, %d not read (-want +got):\n%s", r.ExitCode(), r.NotRead, diff)
		}
		return r
	}
	recheck(0, map[string]int{"same": 5})
	if version() != was {
		t.Error("a recheck without news was recorded")
	}
	h.web.fail(urls[4], fetch.StatusBlocked)
	recheck(3, map[string]int{"same": 4, "unreachable": 1})
	h.web.put(urls[1], "elsewhere", "A new first line.\n\n"+lighthouse+"\n\nThis page is elsewhere.")
	h.web.put(urls[2], "cited", strings.Replace(lighthouse, "198 steps", "211 steps", 1))
	h.web.fail(urls[3], fetch.StatusNotFound)
	r := recheck(1, map[string]int{"same": 1, "changed": 1, "cited_changed": 1, "gone": 1, "unreachable": 1})
	if len(r.Sentences) != 1 || r.Sentences[0].SourceID != "S3" || r.Sentences[0].ClaimID != "C3" {
		t.Errorf("sentences that wait: %+v", r.Sentences)
	}
	for _, src := range r.Sources {
		if src.News != (src.Result != "unreachable") {
			t.Errorf("%s is news: %v", src.SourceID, src.News)
		}
	}
	was = version()
	for _, src := range recheck(1, r.Counts).Sources {
		if src.News {
			t.Errorf("%s is news the second time", src.SourceID)
		}
	}
	if version() != was {
		t.Error("the second recheck was recorded, too")
	}
	flags := flagsOf(t, h, loop)
	for id, want := range map[string]string{"S1": "", "S2": "cited lines stand", "S3": "not there any more", "S4": "gone: ", "S5": ""} {
		if got := strings.Join(flags[id], " "); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: flags %q, want %q", id, got, want)
		}
	}
	for i, key := range check() {
		if changed := key != before[i]; changed != (i == 2) {
			t.Errorf("claim %d has another key: %v", i, changed)
		}
	}
	if page := h.readPage(loop, urls[2]); !strings.Contains(page.Text, "198 steps") {
		t.Error("the stored text is not the one that was read")
	}
}
