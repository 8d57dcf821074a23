package loops_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	towerAt = "https://arden.example/tower"
	tower   = "The lighthouse of Arden was built in 1874 by two brothers."
)

// requests returns how many requests the fake web got.
func (h *harness) requests() int {
	n := 0
	for _, times := range h.web.asked {
		n += times
	}
	return n
}

func flagOf(v verify.Result, begin string) string {
	for _, flag := range v.Flags {
		if strings.HasPrefix(flag, begin) {
			return flag
		}
	}
	return ""
}

// What was not read is read by the check. Only an address that leads nowhere is an error.
func TestCheckReadsWhatIsCited(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		page    fetch.Page
		dead    int
		unread  int
		verdict string
		says    string // in the flags, or why a citation is dead
		again   int    // requests after a second check
	}{
		{"read", fetch.Page{}, 0, 0, verify.Review, "read_at_check: 1 cited sources (S1) were read at the check", 1},
		{"no page", fetch.Page{Status: fetch.StatusNotFound, Reason: "there is no page at this address (HTTP 404)"}, 1, 0, verify.Fail,
			"there is no page at this address (HTTP 404); correct the address", 1},
		{"no host", fetch.Page{Status: fetch.StatusError, NoHost: true, Reason: "the host arden.example does not exist"}, 1, 0, verify.Fail,
			"the host arden.example does not exist; correct the address", 2},
		{"late", fetch.Page{Status: fetch.StatusTimeout, Reason: "the server is slow"}, 0, 1, verify.Review,
			"the server is slow; check again", 2},
		{"broken", fetch.Page{Status: fetch.StatusError, Reason: "the site failed to answer (HTTP 500)"}, 0, 1, verify.Review,
			"HTTP 500); check again", 2},
		{"robots", fetch.Page{Status: fetch.StatusRobots, Reason: "robots.txt forbids it"}, 0, 1, verify.Review,
			"robots.txt forbids it; have the user paste its text, or cite another source", 1},
		{"paywall", fetch.Page{Status: fetch.StatusPaywalled, Reason: "the site asks for money"}, 0, 1, verify.Review,
			"the site asks for money; have the user paste", 1},
		{"private", fetch.Page{Status: fetch.StatusBlocked, Reason: "the address is private"}, 0, 1, verify.Review,
			"the address is private; have the user", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHarness(t)
			loop := h.start("When was the lighthouse built?")
			h.web.put(towerAt, "The tower", tower)
			if tt.page.Status != "" {
				tt.page.URL = towerAt
				h.web.pages[towerAt] = tt.page
			}
			for range 2 {
				for name, in := range map[string]loops.VerifyInput{
					"draft":  {Loop: loop, Draft: tower[:len(tower)-1] + " [tower](" + towerAt + ").\n"},
					"claims": {Loop: loop, Claims: []verify.Claim{{Text: tower, Citations: []verify.Citation{{URL: towerAt}}}}},
				} {
					if name == "claims" && tt.again == 2 {
						continue // its requests would count, too
					}
					v := h.check(in)
					if v.Dead != tt.dead || v.Unread() != tt.unread || v.Verdict != tt.verdict {
						t.Errorf("%s: %d dead, %d unread, %s: %s", name, v.Dead, v.Unread(), v.Verdict, v.Cause())
					}
					said := strings.Join(v.Flags, "\n")
					for _, x := range v.Hallucinated {
						said += "\n" + x.Why
					}
					if !strings.Contains(said, tt.says) {
						t.Errorf("%s: %s", name, said)
					}
					if tt.page.Status == "" && (!v.Claims[0].Has(verify.FlagAtCheck) || !v.Claims[0].Pending() ||
						v.Claims[0].SourceIDs()[0] != "S1") {
						t.Errorf("%s: %+v", name, v.Claims[0])
					}
					if tt.unread > 0 && (v.Claims[0].Status != loopstate.Inferred || v.Tally.NotChecked != 1 || v.Review.Pending != 0) {
						t.Errorf("%s: %+v", name, v.Claims[0])
					}
				}
			}
			if n := h.web.asked[towerAt]; n != tt.again {
				t.Errorf("asked %d times, want %d", n, tt.again)
			}
		})
	}
}

// A text that was not read may say what the texts that were read do not.
func TestUnreadTextMaySayIt(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("q")
	h.web.put(towerAt, "The tower", tower)
	h.web.fail("https://arden.example/late", fetch.StatusTimeout)
	v := h.check(loops.VerifyInput{Loop: loop, Draft: `The board called it "a ruinous folly of the pilots" in its records [a](` + towerAt +
		`) [b](https://arden.example/late).`})
	if c := v.Claims[0]; v.Verdict != verify.Review || c.Status != loopstate.Inferred || c.Has(verify.FlagQuoteAbsent) ||
		!strings.Contains(c.Because, "https://arden.example/late could not be read") {
		t.Errorf("%s: %+v", v.Verdict, c.Finding)
	}
	if !strings.Contains(v.Cause(), "1 cited address was not read") {
		t.Error(v.Cause())
	}
}

// A report has no citation of what was never read, whatever a check could find out about it.
func TestReportReadsNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("q")
	h.web.put(towerAt, "The tower", tower)
	draft := tower + " [tower](" + towerAt + ")\n"
	if _, err := h.Report(t.Context(), loops.ReportInput{Loop: loop, Draft: draft}); err == nil ||
		!strings.Contains(err.Error(), "was never read in this loop") || h.requests() > 0 {
		t.Errorf("%v, %d requests", err, h.requests())
	}
	h.check(loops.VerifyInput{Loop: loop, Draft: draft})
	d, err := h.Report(t.Context(), loops.ReportInput{Loop: loop, Draft: draft})
	if err != nil || len(d.Sources) != 1 || !d.Sources[0].AtCheck || !strings.HasPrefix(strings.Join(d.Sentences[0].Flags, " "),
		"single_source") || d.Sentences[0].Flags[1] != "read_at_check: S1" {
		t.Errorf("%+v, %+v, %v", d.Sources, d.Sentences, err)
	}
}

// linksOf returns a draft with a sentence for each of n addresses.
func linksOf(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Tower %d is %d metres high [t](https://t.example/%d).\n", i, i, i)
	}
	return b.String()
}

func TestCheckReadsTwentyAddresses(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	for i := range 60 {
		h.web.put(fmt.Sprintf("https://t.example/%d", i), "A tower", fmt.Sprintf("Tower %d is %d metres high.", i, i))
	}
	for _, i := range []int{0, 3, 5} { // these come too late, and are asked for each time
		h.web.fail(fmt.Sprintf("https://t.example/%d", i), fetch.StatusTimeout)
	}
	loop := h.start("q")
	for _, want := range []struct{ requests, read int }{{20, 17}, {40, 34}, {60, 51}} {
		v := h.check(loops.VerifyInput{Loop: loop, Draft: linksOf(60)})
		read := 0
		for _, c := range v.Claims {
			read += len(c.SourceIDs())
		}
		if n := h.requests(); n != want.requests || read != want.read {
			t.Errorf("%d requests, %d read, %d unread; want %+v", n, read, v.Unread(), want)
		}
		if v.Dead > 0 || v.Unread() != 60-read {
			t.Errorf("%d dead, %d unread of %d", v.Dead, v.Unread(), 60-read)
		}
		if want.requests == 20 && !strings.Contains(strings.Join(v.Flags, "\n"),
			"not_read: 40 cited addresses are left, because one check reads 20; check again") {
			t.Errorf("%q", v.Flags)
		}
	}
}

// A hostile draft makes no more requests than another one, and no larger events.
func TestCheckOfManyLinks(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	draft := linksOf(6_000)
	if len(draft) < 300_000 {
		t.Fatalf("%d bytes", len(draft))
	}
	v := h.check(loops.VerifyInput{Draft: draft})
	if n := h.requests(); n != loops.MaxURLs || v.Dead != loops.MaxURLs || v.Unread() != 6_000-loops.MaxURLs || len(v.Flags) > 40 {
		t.Errorf("%d requests, %d dead, %d unread, %d flags", n, v.Dead, v.Unread(), len(v.Flags))
	}
	for e, err := range h.Store.Load(t.Context(), v.StateID, 0) {
		if err != nil || len(e.Data) > 100_000 && e.Kind == "pages.read" {
			t.Errorf("%s: %d bytes, %v", e.Kind, len(e.Data), err)
		}
	}
}

// What a check reads is in the loop, but decides nothing before the host has seen some of it.
func TestCheckedSourcesDecideNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.web.put(towerAt, "The tower", tower)
	h.web.put("https://arden.example/other", "Another tower", "The lighthouse of Arden has a green door.")
	loop := h.start("When was the lighthouse of Arden built?")
	done(h, h.Search, loops.SearchInput{Loop: loop, Channels: []string{"fakeWeb"}, Query: channels.Query{Text: "lighthouse"}})
	detail := func(s *loops.Service) *loopstate.State {
		t.Helper()
		return must(s.Snapshot(t.Context(), loop, 0))(t)
	}
	before := detail(h.Service)
	if wording.DecisionOf(before).NextAction != loopstate.FetchMore || len(wording.DecisionOf(before).NextURLsToFetch) != 2 {
		t.Fatalf("%+v", wording.DecisionOf(before))
	}
	h.check(loops.VerifyInput{Loop: loop, Draft: tower + " [a](" + towerAt + ") [b](https://arden.example/lost)\n"})
	for name, svc := range map[string]*loops.Service{"the same process": h.Service, "another": h.service()} {
		after := detail(svc)
		if len(after.Sources) != 1 || !after.Sources[0].AtCheck || len(after.Claims) != 0 || len(after.Bad) != 1 {
			t.Errorf("%s: %+v", name, after.Sources)
		}
		if !reflect.DeepEqual(wording.DecisionOf(after), wording.DecisionOf(before)) {
			t.Errorf("%s: %+v, before %+v", name, wording.DecisionOf(after), wording.DecisionOf(before))
		}
	}
	requests := h.requests()
	h.read(loop, towerAt)
	for name, svc := range map[string]*loops.Service{"the same process": h.Service, "another": h.service()} {
		d := detail(svc)
		if d.Sources[0].AtCheck || wording.DecisionOf(d).NextAction == loopstate.FetchMore || h.requests() != requests {
			t.Errorf("%s, shown: %+v, %+v", name, d.Sources[0].AtCheck, wording.DecisionOf(d))
		}
	}
	if v := h.check(loops.VerifyInput{Loop: loop, Draft: tower + " [a](" + towerAt + ")\n"}); v.Claims[0].Has(verify.FlagAtCheck) {
		t.Errorf("%q", v.Claims[0].Flags)
	}
}

// A repeated call asks for nothing again, also in another process.
func TestRepeatedCheckReadsNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.web.put(towerAt, "The tower", tower)
	h.web.fail("https://arden.example/late", fetch.StatusTimeout)
	draft := "# Lighthouses of *Arden*\n\n" + tower + " [a](" + towerAt + ")\n\nIt has a green door [b](https://arden.example/late).\n"
	for name, loop := range map[string]string{"with a loop": h.start("q"), "without": ""} {
		in := loops.VerifyInput{Loop: loop, Draft: draft, Operation: "op-" + name}
		first := h.check(in)
		requests := h.requests()
		for _, svc := range []*loops.Service{h.Service, h.service()} {
			again, err := svc.Verify(t.Context(), in)
			if err != nil || again.StateID != first.StateID || again.Cycle != first.Cycle || again.Verdict != first.Verdict ||
				h.requests() != requests {
				t.Errorf("%s: %s of %s in cycle %d, %d requests, %v", name, again.Verdict, again.StateID, again.Cycle,
					h.requests()-requests, err)
			}
			if !strings.Contains(flagOf(again, "not_read"), "a repeated call reads nothing again") {
				t.Errorf("%s: %q", name, again.Flags)
			}
		}
	}
}

// The shortest use is one call: a draft without a loop gets one.
func TestCheckWithoutLoop(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.web.put(towerAt, "The tower", tower)
	v := h.check(loops.VerifyInput{Draft: "# Lighthouses of Arden\n\n" + tower + " [a](" + towerAt + ")\n"})
	if v.Verdict != verify.Review || v.Review.Pending != 1 || v.StateID == "" {
		t.Fatalf("%+v", v)
	}
	d, err := h.Snapshot(t.Context(), v.StateID, 0)
	if err != nil || d.Query != "Check of a draft: Lighthouses of Arden" || d.Complexity != "simple" {
		t.Errorf("%q, %v", d.Query, err)
	}
	if _, err := h.Snapshot(loops.WithOwner(t.Context(), "somebody else"), v.StateID, 0); !loopstate.Has(err, loopstate.CodeUnknownLoop) {
		t.Errorf("another owner: %v", err)
	}
	_, err = h.Verify(t.Context(), loops.VerifyInput{Draft: " \n"})
	refusal(t, err, "claims", loopstate.CodeMissing)
	cfg := h.Config
	cfg.MaxLoops, cfg.Owner = 1, ""
	limited, other := loops.New(cfg), loops.WithOwner(t.Context(), "somebody else")
	if _, err := limited.Verify(t.Context(), loops.VerifyInput{Draft: tower}); !loopstate.Has(err, loopstate.CodeNoOwner) {
		t.Errorf("without an owner: %v", err)
	}
	if _, err := limited.Verify(other, loops.VerifyInput{Draft: tower}); err != nil {
		t.Error(err)
	}
	if _, err := limited.Verify(other, loops.VerifyInput{Draft: tower}); !loopstate.Has(err, loopstate.CodeTooManyLoops) {
		t.Errorf("a second loop: %v", err)
	}
	if list, err := h.List(t.Context(), ""); err != nil || len(list.Loops) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}

// Files are read inside the user's folders only, and hidden ones and keys never.
func TestCheckReadsFiles(t *testing.T) {
	t.Parallel()
	folder, outside := t.TempDir(), filepath.Join(t.TempDir(), "outside.md")
	for name, text := range map[string]string{filepath.Join(folder, "notes", "my tower.md"): tower, filepath.Join(folder, ".env.md"): tower,
		filepath.Join(folder, ".git", "a.md"): tower, outside: tower} {
		noError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		noError(t, os.WriteFile(name, []byte(text+"\n"), 0o644))
	}
	reader := must(fetch.New(fetch.Config{Corpus: []string{folder}}))(t)
	t.Cleanup(func() { reader.Close() })
	h := newHarness(t)
	cfg := h.Config
	cfg.Reader, cfg.Corpus = reader, []string{folder}
	svc := loops.New(cfg)
	file := func(path string) string {
		return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
	}
	for link, want := range map[string]string{
		"notes/my%20tower.md":                               "",
		file(filepath.Join(folder, "notes", "my tower.md")): "",
		".env.md":                                "hidden files",
		file(filepath.Join(folder, ".env.md")):   "hidden files",
		file(filepath.Join(folder, ".git/a.md")): "hidden files",
		file(outside):                            "files are read only inside corpus folders",
		outside:                                  "files are read only inside corpus folders",
		file(outside + ".none"):                  "files are read only inside corpus folders",
		"../outside.md":                          "was never read in this loop",
		"none.md":                                "was never read in this loop",
		file(filepath.Join(folder, "none.md")):   "no such file",
	} {
		v := done(h, svc.Verify, loops.VerifyInput{Draft: tower + " [a](" + link + ")\n"})
		said := strings.Join(v.Flags, "\n")
		for _, x := range v.Hallucinated {
			said += "\n" + x.Why
		}
		if read := v.Review.Pending == 1; read != (want == "") || !strings.Contains(said, want) {
			t.Errorf("%s: %d pending, %s", link, v.Review.Pending, said)
		}
	}
	out, err := svc.Read(t.Context(), loops.ReadInput{URLs: []string{"notes/my tower.md", "../outside.md"}})
	if err != nil || out[0].Status != fetch.StatusRead || out[1].Status == fetch.StatusRead {
		t.Errorf("read by their names in the folder: %+v, %v", out, err)
	}
}
