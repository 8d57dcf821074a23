package hookrun_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/folder"
	"github.com/citeloop/citeloop/internal/hookrun"
	"github.com/citeloop/citeloop/internal/hooks"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
)

const (
	lighthouse = "The lighthouse at Cape Arden was built in 1874. Its first keeper was Maria Holt, who lit the lamp every evening for thirty years."
	tower      = "The lighthouse of Arden was built in 1874 by two brothers."
	towerAt    = "https://arden.example/tower"
)

// pages are the pages of the web, by address. Others are missing.
type pages struct {
	known map[string]fetch.Page
	asked int
}

func (p *pages) ReadAll(_ context.Context, urls []string, each func(int, fetch.Page)) []fetch.Page {
	out := make([]fetch.Page, len(urls))
	for i, url := range urls {
		p.asked++
		var ok bool
		if out[i], ok = p.known[url]; !ok {
			out[i] = fetch.Page{URL: url, Status: fetch.StatusNotFound, Reason: "no such page"}
		}
		each(i, out[i])
	}
	return out
}

func (p *pages) put(url, text string) {
	text += "\n\n" + strings.Repeat("Nothing else of interest is said on this page about anything. ", 6)
	p.known[url] = fetch.Page{URL: url, FinalURL: url, Status: fetch.StatusRead, Document: document.Document{Head: document.Head{ContentType: "text/html"}, Text: text, Chars: len(text)}}
}

// hooked is a client with a project and an open loop, whose hooks report to a service.
type hooked struct {
	t       testing.TB
	svc     *loops.Service
	web     *pages
	project string
	session hooks.Session
	loop    string
}

func newHooked(t testing.TB) *hooked {
	t.Helper()
	reader, err := fetch.New(fetch.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { reader.Close() })
	project, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "citeloop.db"), sqlite.Options{Unsynced: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	k := &hooked{t: t, web: &pages{known: map[string]fetch.Page{}}, project: project}
	k.svc = loops.New(loops.Config{Store: store, Owner: loops.LocalOwner, Reader: k.web, Opened: reader, Now: time.Now, NewID: uuid.NewString, Generator: "citeloop test",
		Folders: folder.New(folder.Config{Place: folder.Data, Data: filepath.Join(t.TempDir(), "data"), Now: time.Now, NewID: uuid.NewString})})
	started, err := k.svc.Start(t.Context(), loopstate.StartInput{Query: "What is at Cape Arden?"})
	if err != nil {
		t.Fatal(err)
	}
	k.loop = started.StateID
	k.session.Open(k.loop)
	return k
}

func (k *hooked) write(name, text string) string {
	k.t.Helper()
	path := filepath.Join(k.project, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		k.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		k.t.Fatal(err)
	}
	return path
}

func (k *hooked) hook(e hooks.Event) hooks.Answer {
	k.t.Helper()
	e.Dir, e.Raw = k.project, e.Name
	a, err := hookrun.Handle(k.t.Context(), k.svc, hookrun.Input{Event: e, Session: &k.session, Never: hooks.DefaultNever()})
	if err != nil {
		k.t.Fatal(err)
	}
	return a
}

func (k *hooked) reads(path string, start, lines int) string {
	k.t.Helper()
	return k.hook(hooks.Event{Name: hooks.ToolUsed, Tool: "Read", Input: hooks.Input{Path: path}, Response: hooks.Response{Start: start, Lines: lines}}).Model
}

func (k *hooked) runs(command, output string) string {
	k.t.Helper()
	return k.hook(hooks.Event{Name: hooks.ToolUsed, Tool: "Bash", Input: hooks.Input{Command: command}, Response: hooks.Response{Text: output}}).Model
}

// state returns the sources' names below the project, and how much of the first one was shown.
func (k *hooked) sources() (names []string, shown []int) {
	k.t.Helper()
	v, err := k.svc.State(k.t.Context(), loops.ViewInput{Loop: k.loop, View: "sources"})
	if err != nil {
		k.t.Fatal(err)
	}
	for _, src := range v.Sources {
		names, shown = append(names, strings.TrimPrefix(src.FinalURL, "file://"+filepath.ToSlash(k.project)+"/")), append(shown, src.ShownChars)
	}
	return names, shown
}

func TestHookRecordsFiles(t *testing.T) {
	k := newHooked(t)
	const text = "---\nstatus: Final\n---\n\n# Arden\n\nThe lighthouse was built in 1874.\nIts keeper was Maria Holt.\n"
	a := k.write("docs/a.md", text)
	if got := k.reads(a, 1, 3); got != "S1 = docs/a.md, 8 lines: cite [S1:8]" {
		t.Errorf("new: %q", got)
	}
	if _, shown := k.sources(); shown[0] != len("---\nstatus: Final\n---") {
		t.Errorf("shown %v", shown)
	}
	if got := k.reads(a, 7, 1) + k.reads(a, 7, 1) + k.runs("cat docs/a.md", text); got != "" {
		t.Errorf("repeats: %q", got)
	}
	if got := k.runs("cd docs && grep -n keeper a.md", "8:Its keeper was Maria Holt.\n"); got != "" {
		t.Errorf("repeated by grep: %q", got)
	}
	k.write("docs/b.yaml", "stage: beta\nowner: the parish of Arden\n")
	k.write("docs/c.md", "Another text about nothing.\n")
	if got := k.runs("grep -rn parish docs", "docs/b.yaml:2:owner: the parish of Arden\n"); got != "S2 = docs/b.yaml, 2 lines: cite [S2:2]" {
		t.Errorf("found by grep: %q", got)
	}
	if got := k.runs("cat docs/c.md", "cat: docs/c.md: Permission denied"); got != "" { // its text was not shown
		t.Errorf("not shown: %q", got)
	}
	k.write("docs/a.md", text+"A later line.\n")
	if got := k.reads(a, 1, 9); !strings.HasPrefix(got, "docs/a.md has changed since it was stored as S1: [S1:…] means the old lines, in ") {
		t.Errorf("changed: %q", got)
	}
	if got := k.reads(a, 1, 9); got != "" {
		t.Errorf("changed, again: %q", got)
	}
	if names, _ := k.sources(); !slices.Equal(names, []string{"docs/a.md", "docs/b.yaml"}) {
		t.Errorf("sources %v", names)
	}
	// What a hook acknowledged is on disk: another process has it.
	other := loops.New(k.svc.Config)
	if v, err := other.State(t.Context(), loops.ViewInput{Loop: k.loop, View: "sources"}); err != nil || len(v.Sources) != 2 {
		t.Errorf("another process sees %d sources, %v", len(v.Sources), err)
	}
	v, err := k.svc.Verify(t.Context(), loops.VerifyInput{Loop: k.loop, Draft: "The lighthouse was built in 1874 [S1:7]. Its keeper was Maria Holt (docs/a.md#L8)."})
	if err != nil || len(v.Hallucinated)+len(v.Uncited) > 0 || len(v.Claims) != 2 {
		t.Errorf("%+v, %v", v.Hallucinated, err)
	}
}

// TestHookRecordsMarkup: a shell shows tags and broken lines, where the stored text has whole paragraphs.
func TestHookRecordsMarkup(t *testing.T) {
	k := newHooked(t)
	const shown = "<p>The <i>lighthouse</i> at Arden was built in 1874,\nand its keeper was &quot;Maria Holt&quot; of the parish.</p>\n"
	k.write("docs/a.html", "<!doctype html><title>Arden</title><h1>Arden</h1>\n"+shown+"<p>The harbour came later, when the railway had reached the town.</p>\n")
	if got := k.runs("sed -n 2,3p docs/a.html", shown); !strings.HasPrefix(got, "S1 = docs/a.html, 5 lines") {
		t.Errorf("a page: %q", got)
	}
	if _, chars := k.sources(); len(chars) != 1 || chars[0] != len(`The lighthouse at Arden was built in 1874, and its keeper was "Maria Holt" of the parish.`) {
		t.Errorf("shown %v", chars)
	}
}

func TestHookRecordsNoSecrets(t *testing.T) {
	k := newHooked(t)
	k.write(".gitignore", "config/private.md\n*.log\n")
	if err := os.Mkdir(filepath.Join(k.project, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := k.write(".env", "PASSWORD=hunter2 and more\n")
	link := filepath.Join(k.project, "notes.md")
	if err := os.Symlink(env, link); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{env, link, k.write("config/private.md", "The codes of the harbour.\n"), k.write("deep/.ssh/config", "Host x\n"), k.write("id_rsa", "KEY\n"), k.project, filepath.Join(k.project, "none")} {
		if got := k.reads(path, 1, 1) + k.runs("cat "+path, "PASSWORD=hunter2 and more\nThe codes of the harbour.\n"); got != "" {
			t.Errorf("%s: %q", path, got)
		}
	}
	dir, err := k.svc.Folder(t.Context(), k.loop)
	if err != nil {
		t.Fatal(err)
	}
	k.reads(filepath.Join(dir, "index.md"), 1, 5)
	if names, _ := k.sources(); len(names) > 0 {
		t.Errorf("sources %v", names)
	}
	if got := k.reads(k.write("x.log", "A line of a log that is no secret.\n"), 1, 1); got == "" {
		t.Error("an ignored file that is no secret is not recorded")
	}
}

func TestHookReadsPagesAgain(t *testing.T) {
	k := newHooked(t)
	k.web.put("https://example.org/lighthouse", lighthouse)
	k.web.known["https://example.org/private"] = fetch.Page{Status: fetch.StatusRobots}
	fetches := func(url string) string {
		return k.hook(hooks.Event{Name: hooks.ToolUsed, Tool: "WebFetch", Input: hooks.Input{URL: url}}).Model
	}
	if got := fetches("https://example.org/lighthouse"); !strings.HasPrefix(got, "S1 = https://example.org/lighthouse, ") || !strings.Contains(got, "S1.md: cite [S1:") {
		t.Errorf("a page: %q", got)
	}
	if got := fetches("https://example.org/lighthouse") + fetches("https://example.org/private") + k.runs("curl -s https://example.org/lighthouse", "<html>"); got != "" {
		t.Errorf("a repeat and a page that must not be read: %q", got)
	}
	k.hook(hooks.Event{Name: hooks.ToolUsed, Tool: "WebSearch", Input: hooks.Input{Query: "keeper of Arden"}, Response: hooks.Response{Leads: []hooks.Lead{{Title: "Keepers of Arden", URL: "https://example.net/keepers"}}}})
	k.hook(hooks.Event{Name: hooks.ToolUsed, Tool: "WebSearch", Input: hooks.Input{Query: "keeper of Arden"}, Response: hooks.Response{Leads: []hooks.Lead{{Title: "Keepers of Arden", URL: "https://example.net/keepers"}}}})
	v, err := k.svc.State(t.Context(), loops.ViewInput{Loop: k.loop, View: "full"})
	if err != nil {
		t.Fatal(err)
	}
	if p := v.Progress; p.Sources != 1 || p.Evidence != 1 || p.BadURLs != 0 || v.Loop.Progress.Evidence[0].URL != "https://example.net/keepers" {
		t.Errorf("progress %+v", p)
	}
}

func TestHookChecksTheLastText(t *testing.T) {
	k := newHooked(t)
	k.reads(k.write("a.md", "# Arden\n\nThe lighthouse was built in 1874.\n"), 1, 3)
	stop := func(text string, active bool) hooks.Answer {
		return k.hook(hooks.Event{Name: hooks.Stopped, Last: text, Active: active})
	}
	for _, text := range []string{"", "The tests pass now.", "See [the page](https://example.org/x) for more about this."} {
		if got := stop(text, false); got != (hooks.Answer{}) {
			t.Errorf("%q cites nothing of the loop: %+v", text, got)
		}
	}
	const wrong = "The lighthouse was built in 1874 [S1:3]. Its lamp was lit in 1880 [S9]. The book says \"there was never any keeper here\" [S1:3]. The keeper was paid by the parish."
	got := stop(wrong, false)
	for _, want := range []string{"[S9]", "never any keeper", "The keeper was paid by the parish", "cites nothing"} {
		if !strings.Contains(got.GoOn, want) {
			t.Errorf("the list lacks %q:\n%s", want, got.GoOn)
		}
	}
	if got.User != "" || len([]rune(got.GoOn)) > hooks.MaxList {
		t.Errorf("%d characters, user %q", len([]rune(got.GoOn)), got.User)
	}
	if got := stop(wrong+" More.", true); got.GoOn != "" || !strings.Contains(got.User, "1 citation leads to nothing") {
		t.Errorf("went on already: %+v", got)
	}
	if got := stop(strings.Repeat("The parish paid the keeper in every year [S9]. ", 300), false); len([]rune(got.GoOn)) > hooks.MaxList || !strings.Contains(got.GoOn, " more\n") {
		t.Errorf("%d characters", len([]rune(got.GoOn)))
	}
	const right = "The lighthouse was built in 1874 [S1:3]."
	if got := stop(right, false); got.GoOn != "" || !strings.HasPrefix(got.User, "citeloop: review: 1 sentence is not read yet") || !strings.Contains(got.User, "report.md") {
		t.Errorf("right: %+v", got)
	}
	v, err := k.svc.State(t.Context(), loops.ViewInput{Loop: k.loop})
	if err != nil || v.Progress.Claims != 0 || v.Round != 0 {
		t.Errorf("the check changed the loop: %+v, %v", v.Progress, err)
	}
	if got := k.hook(hooks.Event{Name: hooks.SubagentEnded, Last: wrong}); got != (hooks.Answer{}) {
		t.Errorf("a compaction: %+v", got)
	}
	if got := k.hook(hooks.Event{Name: hooks.SubagentEnded, AgentType: "searcher", Last: wrong + " x"}); got.GoOn == "" {
		t.Error("a subagent's text is not checked")
	}
}

func TestHookChecksAWrittenReport(t *testing.T) {
	k := newHooked(t)
	k.reads(k.write("a.md", "# Arden\n\nThe lighthouse was built in 1874.\n"), 1, 3)
	writes := func(name, text string) hooks.Answer {
		return k.hook(hooks.Event{Name: hooks.ToolUsed, Tool: "Write", Input: hooks.Input{Path: k.write(name, text)}})
	}
	if got := writes("notes.md", "Nothing is cited here."); got != (hooks.Answer{}) {
		t.Errorf("%+v", got)
	}
	const wrong = "# Report\n\nThe lighthouse was built in 1874 [S1:30].\n"
	for i, want := range []bool{true, true, false} {
		if got := writes("report.md", wrong); strings.Contains(got.Model, "report.md") != want || want && !strings.Contains(got.Model, "S1 has 3 lines") || got.GoOn != "" {
			t.Errorf("%d: %+v", i, got)
		}
	}
	const right = "# Report\n\nThe lighthouse was built in 1874 [S1:3].\n"
	if got := writes("report.md", right); !strings.HasSuffix(got.User, "Report: "+filepath.Join(k.project, "report.md")) || got.Model != "" {
		t.Errorf("right: %+v", got)
	}
	if got := writes("report.md", right); got != (hooks.Answer{}) {
		t.Errorf("the same again: %+v", got)
	}
}

// Hooks do nothing without an open loop: none yet, deleted, aborted, or cleared; a finished one is not recorded to.
func TestHookNeedsAnOpenLoop(t *testing.T) {
	k := newHooked(t)
	a := k.write("a.md", "# Arden\n\nThe lighthouse was built in 1874.\n")
	k.hook(hooks.Event{Name: hooks.SessionStarted, Source: "compact"})
	if k.session.Loop() != k.loop {
		t.Error("a compaction closes the loop")
	}
	k.hook(hooks.Event{Name: hooks.SessionStarted, Source: "clear"})
	silent := func(name string) {
		t.Helper()
		if got := k.reads(a, 1, 3) + k.hook(hooks.Event{Name: hooks.Stopped, Last: "It was built in 1874 [S1:3]."}).User; got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
	silent("cleared")
	k.session.Open(k.loop)
	if _, err := k.svc.Update(t.Context(), k.loop, "", loopstate.UpdateInput{Abort: "enough"}); err != nil {
		t.Fatal(err)
	}
	silent("aborted")
	if err := k.svc.Delete(t.Context(), k.loop); err != nil {
		t.Fatal(err)
	}
	silent("deleted")
	if k.session.Loop() != "" {
		t.Error("a deleted loop is still open")
	}
}

// The hooks of a session of 240 calls that reads 60 files and cites wrongly at its end tell the model little, and nothing of
// what it has read before. Of eight calls, two read new files, three read known ones, one searches in a known one, and two
// touch nothing (chosen: a host that works on a folder).
func TestHooksTellLittle(t *testing.T) {
	const maxTold, maxToldCall = 40_000, 200 // code points
	k := newHooked(t)
	var known string
	all, lines := 0, 0
	for n := range 240 {
		told := ""
		switch n % 8 {
		case 0, 4:
			known = k.write(fmt.Sprintf("file-%d.md", n), fmt.Sprintf("# File %d\n\n", n)+strings.Repeat(fmt.Sprintf("Line of file %d about the light.\n", n*7919), 150))
			told = k.reads(known, 1, 40)
			lines++
		case 1, 2, 5:
			told = k.reads(known, 1, 40)
		case 3:
			told = k.runs("grep -n light "+known, fmt.Sprintf("3:Line of file %d about the light.\n", (n-3)*7919))
		default:
			told = k.runs("go test ./...", "ok\n")
		}
		if isNew := n%4 == 0; isNew != (told != "") || len([]rune(told)) > maxToldCall {
			t.Errorf("call %d tells %q", n, told)
		}
		all += len([]rune(told))
	}
	draft := strings.Repeat("The light was lit in 1880 [S99]. The board pays for it.\n\n", 50)
	for range 3 {
		answer := k.hook(hooks.Event{Name: hooks.Stopped, Last: draft})
		all += len([]rune(answer.Model + answer.GoOn))
	}
	if lines != 60 || all > maxTold {
		t.Errorf("the hooks tell %d lines, %d characters in all; want 60 lines, %d characters at most", lines, all, maxTold)
	}
}

// The last message of a session is read like a draft, if it links to what the loop found or read.
func TestHookReadsWhatIsCited(t *testing.T) {
	k := newHooked(t)
	k.web.put(towerAt, tower)
	stop := func(text string) hooks.Answer { return k.hook(hooks.Event{Name: hooks.Stopped, Last: text}) }
	said := tower + " [tower](" + towerAt + ") It has no door [b](https://arden.example/lost).\n"
	if a := stop(said); a != (hooks.Answer{}) || k.web.asked > 0 {
		t.Errorf("links of no research: %+v, %d requests", a, k.web.asked)
	}
	k.hook(hooks.Event{Name: hooks.ToolUsed, Tool: "WebSearch", Input: hooks.Input{Query: "lighthouse of Arden"}, Response: hooks.Response{Leads: []hooks.Lead{
		{Title: "The tower", URL: towerAt}, {Title: "Lost", URL: "https://arden.example/lost"}, {Title: "Closed", URL: "https://arden.example/closed"},
	}}})
	if a := stop(said); !strings.Contains(a.GoOn, "https://arden.example/lost: no such page") || strings.Contains(a.GoOn, towerAt) {
		t.Errorf("%+v", a)
	}
	if names, shown := k.sources(); len(names) != 1 || shown[0] != 0 {
		t.Errorf("%q, shown %v", names, shown)
	}
	k.web.known["https://arden.example/closed"] = fetch.Page{Status: fetch.StatusPaywalled}
	if a := stop(tower + " [tower](" + towerAt + ") Its door is green [c](https://arden.example/closed).\n"); a.GoOn != "" || !strings.Contains(a.User, "cited address") {
		t.Errorf("%+v", a)
	}
	before := k.web.asked
	if a := stop(tower + " [tower](" + towerAt + ") Its door is blue [d](https://thief.example/?said=the+door+is+blue).\n"); a.GoOn != "" || !strings.Contains(a.User, "cited address") || k.web.asked > before {
		t.Errorf("an address that nobody has found: %+v, %d requests", a, k.web.asked-before)
	}
}
