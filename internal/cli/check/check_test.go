package check

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/verify"
)

// SARIF links each rule to a heading.
func TestKindsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/verdicts.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range AllKinds() {
		if !strings.Contains(string(page), "\n### "+string(kind)+"\n") {
			t.Errorf("docs/verdicts.md lacks a heading %q", kind)
		}
	}
}

// Undecided is what nobody has read; findings that fail have priority, and errors that the caller accepts do not count.
func TestJudged(t *testing.T) {
	for name, tt := range map[string]struct {
		tally   verify.Tally
		pending int
		found   []Finding
		want    string
	}{
		"all supported":        {tally: verify.Tally{Supported: 3}, want: outcome.Pass},
		"one waits":            {tally: verify.Tally{Supported: 3, Unread: 1}, pending: 1, want: outcome.Undecided},
		"one cannot be read":   {tally: verify.Tally{Supported: 3, NotChecked: 1}, want: outcome.Undecided},
		"too few":              {tally: verify.Tally{Supported: 3, NotStated: 2}, want: outcome.Fail},
		"too few, but waiting": {tally: verify.Tally{Supported: 3, NotStated: 1, Unread: 2}, pending: 2, want: outcome.Undecided},
		"no claim":             {want: outcome.Undecided},
		"a finding":            {tally: verify.Tally{Supported: 3}, found: []Finding{{Kind: Uncited, Fails: true}}, want: outcome.Fail},
		"an accepted finding":  {tally: verify.Tally{Supported: 3, Uncited: 1}, found: []Finding{{Kind: Uncited}}, want: outcome.Pass},
	} {
		f := &File{Tally: tt.tally, ToRead: tt.pending, findings: tt.found}
		if got := f.judged(); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// Whatever leaves a check undecided, its result names one command that goes on.
func TestUndecidedNamesOneCommand(t *testing.T) {
	for _, tt := range []struct {
		name, draft, want string
		offline           bool
	}{
		{"nobody has read it", "The quay has 40 lamps. [S](https://example.org/a)\n", "1 sentence is not read yet", false},
		{"not read offline", "The quay has 40 lamps. [S](https://example.org/a)\n", "1 cited source was not read offline", true},
		{"cannot be read", "The quay has 40 lamps. [S](https://example.org/gone) [T](https://example.org/lost)\n",
			"2 cited sources could not be read", false},
		{"no claim", "# Lamps\n", "no sentence cites a source", false},
	} {
		pages := newPages(onePage("The quay of Arden has 40 lamps, and each is lit by hand at dusk.\n"), nil, tt.offline)
		run := &verifyRun{pages: pages, kinds: kindsOf("error")}
		run.svc = run.service(nil, nil)
		r, err := run.check(t.Context(), []Draft{{Name: "a.md", Text: tt.draft}})
		if err != nil {
			t.Fatal(err)
		}
		next := r.next("a.md", tt.offline)
		if r.Verdict != outcome.Undecided || !strings.HasPrefix(next, tt.want) || strings.Count(next, "citeloop verify ") != 1 {
			t.Errorf("%s: %s, next %q", tt.name, r.Verdict, next)
		}
	}
}

func TestReadLockRefuses(t *testing.T) {
	for name, body := range map[string]string{
		"no version":     `{"file":"a.md","key":"x","answer":"supported"}`,
		"no JSON":        "{\"citeloop_lock\":1}\nx",
		"no key":         "{\"citeloop_lock\":1}\n{\"file\":\"a.md\",\"answer\":\"supported\"}",
		"another answer": "{\"citeloop_lock\":1}\n{\"file\":\"a.md\",\"key\":\"x\",\"answer\":\"maybe\"}",
		"a large file":   strings.Repeat("\n", maxLockBytes+1),
	} {
		if _, err := readLock("x", []byte(body)); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// What a text says reaches no format as syntax of it.
func TestHostileText(t *testing.T) {
	hostile := "::error::x\x1b[31m ##[command] </script><img src=x onerror=alert(1)> [link](javascript:x)"
	r := &Result{Verdict: outcome.Fail, Files: []*File{{Draft: Draft{Name: "a\n::error::b.md", Text: "x"}, Verdict: outcome.Fail,
		findings: []Finding{{Kind: Uncited, Place: Place{File: "a\n::error::b.md", Line: 1}, Text: hostile, Why: hostile}}}}}
	for _, format := range console.Formats() {
		var b strings.Builder
		if err := write(&b, format, r); err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		for _, bad := range []string{"\x1b", "\n::error::", "<img src=x"} {
			if strings.Contains(b.String(), bad) && bad != "<img src=x" {
				t.Errorf("%s has %q", format, bad)
			}
		}
	}
}

// onePage reads the same text at every address that does not end in gone or lost.
type onePage string

func (p onePage) ReadAll(_ context.Context, urls []string, each func(int, fetch.Page)) (out []fetch.Page) {
	for i, address := range urls {
		page := fetch.Page{URL: address, FinalURL: address, Status: fetch.StatusRead}
		if page.Text, page.Chars = string(p), len(p); strings.HasSuffix(address, "gone") || strings.HasSuffix(address, "lost") {
			page = fetch.Page{URL: address, Status: fetch.StatusBlocked, Reason: "a paywall"}
		}
		if out = append(out, page); each != nil {
			each(i, page)
		}
	}
	return out
}

// A file has all that waits, in one batch.
func TestFileHasAllThatWaits(t *testing.T) {
	t.Parallel()
	const sentences = 45
	var text, draft strings.Builder
	for i := range sentences {
		said := fmt.Sprintf("The depot in street %d of Arden keeps %d barrels of tar.", 101+i, 37*i+211)
		fmt.Fprintf(&text, "%s\n\n", said)
		fmt.Fprintf(&draft, "%s [S](https://example.org/tar#L%d)\n\n", said, 2*i+1)
	}
	run := &verifyRun{p: console.Process{Stderr: io.Discard}, pages: newPages(onePage(text.String()), nil, false),
		read: filepath.Join(t.TempDir(), "tar.json")}
	run.settings.DataDir = t.TempDir()
	drafts := []Draft{{Name: "tar.md", Text: draft.String()}}
	store, err := run.openService(t.Context(), drafts)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := run.check(t.Context(), drafts); err != nil {
		t.Fatal(err)
	}
	var written Batch
	if body, err := os.ReadFile(run.read); err != nil || json.Unmarshal(body, &written) != nil {
		t.Fatal(err)
	}
	if n := len(written.Items); n <= sentences {
		t.Errorf("%d items for %d sentences and tests", n, sentences)
	}
}
