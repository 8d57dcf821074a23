package loops_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	towerAt = "https://arden.example/tower"
	tower   = "The lighthouse of Arden was built in 1874 by two brothers."
)

// said returns all that a check says of its citations.
func said(v verify.Result) string {
	out := strings.Join(v.Flags, "\n")
	for _, x := range v.Hallucinated {
		out += "\n" + x.Why
	}
	return out
}

func TestVerifyClaims(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	v := h.check(loops.VerifyInput{Loop: loop, Claims: []verify.Claim{
		verify.New("The lighthouse was built in 1874 by Maria Holt.", "S1"),
		verify.New("The lighthouse was built in 1894 by Maria Holt.", "S1"),
		verify.New("The town council decided to restore the old customs hall.", "S1"),
	}})
	if v.Verdict != verify.Review || !v.Gate() || v.Cycle != 1 || v.Review.Pending != 3 {
		t.Errorf("verdict %s, gate %v, cycle %d", v.Verdict, v.Gate(), v.Cycle)
	}
	p := v.Claims[0].Passages[0]
	if text := []rune(h.web.pages["https://example.org/lighthouse"].Text); string(text[p.Start:p.End]) != p.Text {
		t.Errorf("passage %+v does not match its offsets", p)
	}
	if got := []string{v.Claims[0].ID, v.Claims[1].ID, v.Claims[2].ID}; cmp.Diff([]string{"C1", "C2", "C3"}, got) != "" {
		t.Errorf("claim ids %v", got)
	}
	v = h.check(loops.VerifyInput{Loop: loop, Claims: []verify.Claim{
		verify.New("The lighthouse was built in 1874 by Maria Holt.", "S1", "S9"),
		{Text: "The lamp is electric today.", Citations: []verify.Citation{{URL: "https://example.org/unread"}}},
		{Text: "No keeper lives on the cape.", Citations: []verify.Citation{{}}},
		{Text: "The lamp is electric."},
	}})
	var dead []string
	for _, h := range v.Hallucinated {
		dead = append(dead, h.Citation)
	}
	if cmp.Diff([]string{"S9", "https://example.org/unread", "(empty)"}, dead) != "" || v.Gate() || v.Verdict != verify.Fail ||
		len(v.Uncited) != 1 {
		t.Errorf("hallucinated %q, gate %v, verdict %s, uncited %+v", dead, v.Gate(), v.Verdict, v.Uncited)
	}
}

// One sentence with thousands of citations that lead to nothing once took 7 GB: each of them kept the sentence.
func TestDeadCitationsAreBounded(t *testing.T) {
	h, loop := withSources(t)
	const n = 3_000
	for _, mark := range []string{"[^%d]", "[S%d]", "[S1:%d]"} {
		draft := "The lighthouse was built in 1874"
		for i := range n {
			draft += fmt.Sprintf(mark, i+100)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		v := h.check(loops.VerifyInput{Loop: loop, Draft: draft + ".\n"})
		runtime.ReadMemStats(&after)
		log := h.log(loop)
		if logged := len(log[len(log)-1].Data); v.Dead != n || v.Gate() || len(v.Hallucinated) > 100 || logged > 100<<10 {
			t.Errorf("%s: %d dead citations, %d listed, gate %v, %d kB logged", mark, v.Dead, len(v.Hallucinated), v.Gate(), logged>>10)
		}
		// The race detector allocates as well.
		if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; allocated > 60 && !testing.Short() {
			t.Errorf("%s: %d MB allocated for a draft of %d kB", mark, allocated, len(draft)>>10)
		}
	}
}

// What was not read is read by the check. Only an address that leads nowhere is an error.
func TestCheckReadsWhatIsCited(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		page    fetch.Page
		dead    int
		unread  int
		verdict string
		says    string // in the flags, or why a citation is dead
		again   int    // requests after a second check
	}{
		"read": {fetch.Page{}, 0, 0, verify.Review, "", 1},
		"no page": {fetch.Page{Status: fetch.StatusNotFound, Reason: "there is no page (HTTP 404)"}, 1, 0, verify.Fail,
			"there is no page (HTTP 404); correct the address", 1},
		"no host": {fetch.Page{Status: fetch.StatusError, NoHost: true, Reason: "no such host"}, 1, 0, verify.Fail,
			"no such host; correct the address", 2},
		"late": {fetch.Page{Status: fetch.StatusTimeout, Reason: "the server is slow"}, 0, 1, verify.Review,
			"the server is slow; check again", 2},
		"broken": {fetch.Page{Status: fetch.StatusError, Reason: "HTTP 500"}, 0, 1, verify.Review, "HTTP 500; check again", 2},
		"robots": {fetch.Page{Status: fetch.StatusRobots, Reason: "robots.txt forbids it"}, 0, 1, verify.Review,
			"robots.txt forbids it; have the user paste its text, or cite another source", 1},
	} {
		t.Run(name, func(t *testing.T) {
			h, loop := newLoop(t, "When was the lighthouse built?")
			h.web.put(towerAt, "The tower", tower)
			if tt.page.Status != "" {
				tt.page.URL = towerAt
				h.web.pages[towerAt] = tt.page
			}
			inputs := []loops.VerifyInput{{Loop: loop, Draft: tower[:len(tower)-1] + " [tower](" + towerAt + ").\n"},
				{Loop: loop, Claims: []verify.Claim{{Text: tower, Citations: []verify.Citation{{URL: towerAt}}}}}}
			for i, in := range inputs {
				v := h.check(in)
				if v.Dead != tt.dead || v.Unread() != tt.unread || v.Verdict != tt.verdict ||
					!strings.Contains(said(v), tt.says) && (i == 0 || tt.page.Status != "") {
					t.Errorf("%d dead, %d unread, %s: %s\n%s", v.Dead, v.Unread(), v.Verdict, v.Cause(), said(v))
				}
				c := v.Claims[0]
				if tt.page.Status == "" && (!c.Pending() || c.SourceIDs()[0] != "S1") {
					t.Errorf("%+v", c)
				}
				if tt.unread > 0 && (c.Status != loopstate.Inferred || v.Tally.NotChecked != 1 || v.Review.Pending != 0) {
					t.Errorf("%+v", c)
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
	h.web.put(towerAt, "The tower", tower)
	h.web.fail("https://arden.example/late", fetch.StatusTimeout)
	v := h.check(loops.VerifyInput{Draft: `The board called it "a ruinous folly of the pilots" in its records [a](` + towerAt +
		`) [b](https://arden.example/late).`})
	if c := v.Claims[0]; v.Verdict != verify.Review || c.Status != loopstate.Inferred || c.Has(verify.FlagQuoteAbsent) ||
		!strings.Contains(c.Because, "https://arden.example/late could not be read") ||
		!strings.Contains(v.Cause(), "1 cited source could not be read") {
		t.Errorf("%s (%s): %+v", v.Verdict, v.Cause(), c.Finding)
	}
	v = h.check(loops.VerifyInput{Draft: tower + " [a](none.md) [b](https://arden.example/other).\n"})
	if !strings.Contains(said(v), "none.md was never read in this loop") || v.Unread() > 0 {
		t.Errorf("a file that is not there, beside an address that is read: %s", said(v))
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

// A check reads twenty addresses, and the next one goes on. A hostile draft makes no more requests.
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
		if n := h.requests(); n != want.requests || read != want.read || v.Dead > 0 || v.Unread() != 60-read {
			t.Errorf("%d requests, %d read, %d unread, %d dead; want %+v", n, read, v.Unread(), v.Dead, want)
		}
		const left = "a check reads 20 addresses; check again"
		if want.requests == 20 && !strings.Contains(said(v), left) {
			t.Errorf("%q", v.Flags)
		}
	}
	before := h.requests()
	v := h.check(loops.VerifyInput{Draft: strings.ReplaceAll(linksOf(2_000), "t.example", "x.example")})
	if n := h.requests() - before; n != loops.MaxURLs || v.Dead != loops.MaxURLs || v.Unread() != 2_000-loops.MaxURLs || len(v.Flags) > 40 {
		t.Errorf("%d requests, %d dead, %d unread, %d flags", n, v.Dead, v.Unread(), len(v.Flags))
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
	if st := h.stateOf(v.StateID); st.Query != "Check of a draft: Lighthouses of Arden" || st.Complexity != "simple" {
		t.Errorf("%q", st.Query)
	}
	refusal(t, errOf(h.Verify(t.Context(), loops.VerifyInput{Draft: " \n"})), "claims", loopstate.CodeMissing)
	refusal(t, errOf(h.Verify(t.Context(), loops.VerifyInput{Draft: strings.Repeat("a ", 300_000)})), "draft", loopstate.CodeTooLong)
	refusal(t, errOf(h.Verify(t.Context(), loops.VerifyInput{Draft: "A.", Judge: loops.JudgeModel})), "judge", loopstate.CodeNoJudge)
}

// A scratch check reads and checks as another does, with readings from elsewhere, and leaves no trace: in the loop, or without one.
func TestScratchLeavesNoTrace(t *testing.T) {
	t.Parallel()
	h, loop := newLoop(t, "How important is the bridge at Port Arden?")
	h.web.put("https://example.org/bridge", "The bridge", bridgeText)
	h.web.put("https://mirror.example/bridge", "The bridge", bridgeText)
	draft := "The cables were replaced in 2006 [a](https://example.org/bridge) [b](https://mirror.example/bridge).\n"
	for _, in := range []loops.VerifyInput{{Loop: loop, Draft: draft, Scratch: true}, {Draft: draft, Scratch: true}} {
		v := h.check(in)
		if v.Dead > 0 || len(v.Pending) != 1 || v.Claims[0].Origins != 1 {
			t.Errorf("loop %q: %d dead, %d wait, %d origins: %v", in.Loop, v.Dead, len(v.Pending), v.Claims[0].Origins, v.Flags)
		}
		in.Known = func(c verify.Claim) (loopstate.Reading, bool) {
			return loopstate.Reading{Item: "a lock", Answer: loopstate.AnswerSupported}, c.Key != ""
		}
		if v = h.check(in); v.Verdict != verify.Pass || v.Claims[0].Confidence != 0 {
			t.Errorf("a known reading: %s, confidence %v", v.Verdict, v.Claims[0].Confidence)
		}
	}
	if n := len(must(h.Heads(t.Context()))(t)); n != 1 || len(h.log(loop)) != 1 {
		t.Errorf("%d loops; the loop has %d events", n, len(h.log(loop)))
	}
}

// Files are read inside the user's folders only, and hidden ones and keys never.
func TestCheckReadsFiles(t *testing.T) {
	t.Parallel()
	folder, outside := t.TempDir(), filepath.Join(t.TempDir(), "outside.md")
	for _, name := range []string{filepath.Join(folder, "notes", "my tower.md"), filepath.Join(folder, ".env.md"),
		filepath.Join(folder, ".git", "a.md"), outside} {
		noError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		noError(t, os.WriteFile(name, []byte(tower+"\n"), 0o644))
	}
	reader := must(fetch.New(fetch.Config{Corpus: []string{folder}}))(t)
	t.Cleanup(func() { reader.Close() })
	h := newHarness(t)
	h.Reader, h.Corpus = reader, []string{folder}
	file := func(path string) string {
		return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
	}
	for link, want := range map[string]string{
		"notes/my%20tower.md":                               "",
		file(filepath.Join(folder, "notes", "my tower.md")): "",
		".env.md":                                "hidden files",
		file(filepath.Join(folder, ".git/a.md")): "hidden files",
		file(outside):                            "files are read only inside corpus folders",
		outside:                                  "files are read only inside corpus folders",
		file(outside + ".none"):                  "files are read only inside corpus folders",
		"../outside.md":                          "was never read in this loop",
		"none.md":                                "was never read in this loop",
		file(filepath.Join(folder, "none.md")):   "no such file",
	} {
		v := h.check(loops.VerifyInput{Draft: tower + " [a](" + link + ")\n"})
		if read := v.Review.Pending == 1; read != (want == "") || !strings.Contains(said(v), want) {
			t.Errorf("%s: %d pending, %s", link, v.Review.Pending, said(v))
		}
	}
	out := done(h, h.Read, loops.ReadInput{URLs: []string{"notes/my tower.md", "../outside.md"}})
	if out[0].Status != fetch.StatusRead || out[1].Status == fetch.StatusRead {
		t.Errorf("read by their names in the folder: %+v", out)
	}
}
