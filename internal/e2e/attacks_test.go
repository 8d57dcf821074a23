//go:build unix

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// attack is an attempt on the built program. SECURITY.md lists them.
type attack struct {
	family, attempt string
	try             func(t *testing.T)
}

// attacks are run in the nightly lane, with CITELOOP_TEST_ATTACKS set.
func attacks() []attack {
	all := []attack{
		{"pull request", "a report that is a link out of the folder",
			leak(func(dir, outside string) string { return link(outside, dir, "a.md") })},
		{"pull request", "a report that is /proc/self/environ",
			leak(func(dir, _ string) string { return link("/proc/self/environ", dir, "a.md") })},
		{"pull request", "a corpus that is a link out of the folder", leak(func(dir, outside string) string {
			link(filepath.Dir(outside), dir, "papers")
			return put(dir, "a.md", "The key is short [s](papers/secret.md#L1).\n")
		}, "--corpus", "papers")},
		{"pull request", "a cited file that is a link to a hidden one", leak(func(dir, _ string) string {
			put(dir, ".git/config", "The key is "+secret+".\n")
			link(".git/config", dir, "s.md")
			return put(dir, "a.md", "The key is short [s](s.md#L1).\n")
		})},
		{"pull request", "a report that is a FIFO", leak(func(dir, _ string) string { return fifo(dir, "a.md") })},
		{"pull request", "a cited file that is a FIFO", leak(func(dir, _ string) string {
			fifo(dir, "s.md")
			return put(dir, "a.md", "The key is short [s](s.md#L1).\n")
		})},
		{"pull request", "an output that is a link out of the folder", func(t *testing.T) {
			dir, target := t.TempDir(), put(t.TempDir(), "target", secret)
			link(target, dir, "out.json")
			verifyIn(t, dir, "--format", "json=out.json", put(dir, "a.md", "The key is short [s](s.md#L1).\n"))
			if text, err := os.ReadFile(target); err != nil || string(text) != secret {
				t.Errorf("the file outside was changed: %q, %v", text, err)
			}
		}},
		{"pull request", "commands of five CI systems in texts", func(t *testing.T) {
			for _, format := range []string{"text", "github", "sarif", "json"} {
				dir, text := t.TempDir(), ""
				put(dir, "s.md", "Salt is white.\n\n"+strings.Join(commands(), "\n\n")+"\n")
				for i, c := range commands() {
					text += fmt.Sprintf("The salt of %d wells is white and %s [s](s.md#L1).\n\n%s in well %d [x](x%d.md#L1).\n\n", i, c, c,
						i, i)
				}
				requireNoCommand(t, verifyIn(t, dir, "--format", format, put(dir, "a.md", text)))
			}
		}},
		{"pull request", "commands of CI systems in names of files", func(t *testing.T) {
			dir := t.TempDir()
			for _, name := range []string{"::error title=x::y.md", "##[command]z.md", "##vso[task.x]y.md"} {
				requireNoCommand(t, verifyIn(t, dir, "./"+filepath.Base(put(dir, name, "The salt is white [s](nothing.md#L1).\n"))))
			}
		}},
		{"names", "escape codes in names of files", func(t *testing.T) {
			dir := t.TempDir()
			file := put(dir, "evil\x1b]0;owned\a\x1b[2J.md", "The salt is white and was weighed in the old town by the lake.\n")
			bad := put(dir, "bad\x1b[31m.pdf", "not a PDF")
			for _, args := range [][]string{{"fetch", file, bad}, {"verify", file, bad}, {"search", "--corpus", dir, "salt"}} {
				if out, _ := programIn(t, dir, nil, args...); strings.ContainsAny(out, "\x1b\a") {
					t.Errorf("%s writes escape codes: %q", args[0], out)
				}
			}
		}},
		{"processes", "SIGTERM while verify reads a page", func(t *testing.T) {
			page, arrived := slowPage(t)
			dir := t.TempDir()
			cmd := start(t, dir, []string{"CITELOOP_ALLOW_PRIVATE=" + strings.TrimPrefix(page, "http://")}, "verify",
				put(dir, "a.md", "The salt is white [s]("+page+"/x).\n"))
			<-arrived
			requireEnd(t, cmd, 5*time.Second)
		}},
		{"processes", "SIGTERM while serve reads a page", func(t *testing.T) {
			page, arrived := slowPage(t)
			url, cmd := serveHTTP(t, []string{"CITELOOP_ALLOW_PRIVATE=" + strings.TrimPrefix(page, "http://")})
			go func() {
				_, _ = send(url, "tools/call", object{"name": "fetch", "arguments": object{"url": page + "/x"}})
			}()
			<-arrived
			requireEnd(t, cmd, 30*time.Second) // it lets calls in progress finish, which take 25 s at most
		}},
		{"exhaustion", "3,000 initializations of 30 kB", func(t *testing.T) {
			url, cmd := serveHTTP(t, nil)
			var clients sync.WaitGroup
			for range 4 {
				clients.Go(func() {
					for range 750 {
						_, _ = send(url, "initialize", hello(strings.Repeat("x", 30_000)))
					}
				})
			}
			clients.Wait()
			requireMemory(t, cmd, 150)
		}},
		{"exhaustion", "a PDF of 1 kB whose pages refer to each other", func(t *testing.T) {
			dir, pdf := t.TempDir(), "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids["+strings.Repeat(
				"2 0 R ", 150)+"]/Count 99999999>>endobj\ntrailer<</Root 1 0 R>>\n"
			put(dir, "a.pdf", pdf)
			cache := []string{"XDG_CACHE_HOME=" + t.TempDir()}
			programIn(t, dir, cache, "fetch", "a.pdf") // compiles the reader of PDFs
			_, cmd := programIn(t, dir, cache, "fetch", "a.pdf")
			if used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); used > 1500*time.Millisecond {
				t.Errorf("%v of processor time", used)
			}
		}},
		{"exhaustion", "a page whose selectors look at all elements around", func(t *testing.T) {
			readStyled(t, strings.Repeat("*:has(u) ~ * ~ * ~ *{display:none}*:has(* *) * * * *{top:-9999px}", 1500),
				strings.Repeat("<b>x</b>", 20_000)+strings.Repeat("<i>", 400))
		}},
		{"exhaustion", "a page whose selectors look at long attributes", func(t *testing.T) {
			readStyled(t, strings.Repeat(`.a.z{display:none}p[title*="yy" i]{display:none}`, 20_000),
				"<p class='"+strings.Repeat("a ", 400_000)+"'>x</p><b class=z title=yy></b><p title='"+
					strings.Repeat("xY", 500_000)+"'>x</p>")
		}},
	}
	for _, x := range exhausting() {
		all = append(all, attack{"exhaustion", x.name, func(t *testing.T) { exhaust(t, x) }})
	}
	return all
}

// readStyled reads a page with a style sheet and a body behind its text: at most 10 s of processor time.
func readStyled(t *testing.T, style, body string) {
	t.Helper()
	dir := t.TempDir()
	put(dir, "a.html", "<style>"+style+"</style><article><p>"+strings.Repeat("The tide is high at noon, wrote the keeper. ", 9)+
		"</p></article>"+body)
	out, cmd := programIn(t, dir, nil, "fetch", "a.html")
	if used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); used > 10*time.Second ||
		!strings.Contains(out, "The tide is high at noon") {
		t.Errorf("%v of processor time: %.200s", used, out)
	}
}

func TestAttacks(t *testing.T) {
	if os.Getenv("CITELOOP_TEST_ATTACKS") == "" {
		t.Skip("set CITELOOP_TEST_ATTACKS=1 to attack the built program, for some minutes")
	}
	for _, a := range attacks() {
		t.Run(a.family+": "+a.attempt, a.try)
	}
}

// The table of SECURITY.md is that of the attacks.
func TestSecurityListsTheAttacks(t *testing.T) {
	var want []string
	for _, a := range attacks() {
		want = append(want, "| "+a.family+" | "+a.attempt+" |")
	}
	security, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(security), "| family | attempt |\n| --- | --- |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(table), "\n")); diff != "" {
		t.Errorf("SECURITY.md differs (-attacks +table):\n%s", diff)
	}
}

// secret stands in files that a pull request must not reach.
const secret = "sk-live-7c1f-belongs-to-the-runner"

// commands to CI systems, which must not reach a log whole.
func commands() []string {
	return []string{"::set-output name=a::b", "::add-mask::x", "##[command]rm", "##vso[task.setvariable variable=a]b",
		"##teamcity[buildStatus status='SUCCESS']", "section_start:1:evil"}
}

func put(dir, name, text string) string {
	path := filepath.Join(dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		panic(err)
	}
	return path
}

func link(target, dir, name string) string {
	if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
		panic(err)
	}
	return filepath.Join(dir, name)
}

func fifo(dir, name string) string {
	if err := syscall.Mkfifo(filepath.Join(dir, name), 0o644); err != nil {
		panic(err)
	}
	return filepath.Join(dir, name)
}

// start starts the program in a folder; its output is that of both streams.
func start(t *testing.T, dir string, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd, out := command(t, dir, env, args...), &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// programIn runs the program to its end, within a minute, and returns what it wrote.
func programIn(t *testing.T, dir string, env []string, args ...string) (string, *exec.Cmd) {
	t.Helper()
	cmd := start(t, dir, env, args...)
	hangs := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait() // most attacks are an error
	if !hangs.Stop() {
		t.Errorf("citeloop %s hangs", strings.Join(args, " "))
	}
	return cmd.Stdout.(*bytes.Buffer).String(), cmd
}

func verifyIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	ci := []string{"CI=true", "GITHUB_ACTIONS=true", "GITLAB_CI=true", "TF_BUILD=True", "TEAMCITY_VERSION=2026.1"}
	out, _ := programIn(t, dir, ci, append([]string{"verify", "--offline"}, args...)...)
	return out
}

// leak runs verify on the text of a pull request, and looks for the secret in all that it writes.
func leak(lay func(dir, outside string) (text string), flags ...string) func(*testing.T) {
	return func(t *testing.T) {
		dir, outside := t.TempDir(), put(t.TempDir(), "secret.md", "The key is "+secret+".\n")
		args := append([]string{"--format", "sarif=out.sarif", "--format", "json=out.json"}, flags...)
		out := verifyIn(t, dir, append(args, lay(dir, outside))...)
		for _, name := range []string{"out.sarif", "out.json"} {
			if written, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				out += string(written)
			}
		}
		if strings.Contains(out, secret) || strings.Contains(out, "PATH=") {
			t.Errorf("it leaks: %.2000s", out)
		}
	}
}

func requireNoCommand(t *testing.T, out string) {
	t.Helper()
	if out == "" {
		t.Error("verify wrote nothing")
	}
	for _, c := range commands() {
		begins := regexp.MustCompile(`^(::[a-z-]+|##\[|##vso\[|##teamcity\[|section_start:)`).FindString(c)
		if strings.HasPrefix(begins, "::") { // a command only where a line begins with it
			begins = "\n" + begins
		}
		if strings.Contains("\n"+out, begins) {
			t.Errorf("the output has %q: %.2000s", begins, out)
		}
	}
}

// slowPage returns the address of pages that are never sent, and what a request for one sends to.
func slowPage(t *testing.T) (url string, arrived <-chan struct{}) {
	requests, leave := make(chan struct{}, 8), make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/x" {
			http.NotFound(w, r)
			return
		}
		requests <- struct{}{}
		select {
		case <-r.Context().Done():
		case <-leave:
		}
	}))
	t.Cleanup(func() { close(leave); web.Close() })
	return web.URL, requests
}

func requireEnd(t *testing.T, cmd *exec.Cmd, within time.Duration) {
	t.Helper()
	begun := time.Now()
	hangs := time.AfterFunc(within, func() { _ = cmd.Process.Kill() })
	_ = cmd.Process.Signal(syscall.SIGTERM)
	_ = cmd.Wait()
	if !hangs.Stop() {
		t.Errorf("it did not end within %v", time.Since(begun))
	}
}

func requireMemory(t *testing.T, cmd *exec.Cmd, most int) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("skipped in part: memory is measured on Linux")
	}
	m := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(status)
	if m == nil {
		t.Fatal("the server has ended")
	}
	if kb, _ := strconv.Atoi(string(m[1])); kb>>10 > most {
		t.Errorf("%d MB, at most %d are allowed", kb>>10, most)
	}
}

// request is one of at most 400 kB, made to exhaust a server.
type request struct {
	name, method string
	params       func(loop string) object
}

func exhausting() []request {
	const most = 398_000
	many := func(n int, form string) string {
		var b strings.Builder
		for i := 0; i < n && b.Len() < most; i++ {
			b.WriteString(strings.ReplaceAll(form, "%", strconv.Itoa(i)))
		}
		return b.String()[:min(b.Len(), most)]
	}
	call := func(name, tool string, arguments object) request {
		return request{name, "tools/call", func(loop string) object {
			arguments["state_id"] = loop
			return object{"name": tool, "arguments": arguments}
		}}
	}
	var out []request
	for _, d := range [][2]string{
		{"dead footnotes in one sentence", "The tide is high" + many(57_000, "[^%]") + ".\n"},
		{"lines of a source in one sentence", "The tide is high" + many(57_000, "[S1:%]") + ".\n"},
		{"one list of ids", "The tide is high [" + many(57_000, "S%, ") + "S1].\n"},
		{"sentences with 50 dead footnotes each", many(4_000, "The tide is high"+strings.Repeat("[^1]", 50)+" on day %. ")},
		{"sentences with a right line", many(20_000, "The tide % is high [S1:%]. ")},
		{"sentences that cite nothing", many(20_000, "The tide % is high. ")},
		{"quotations", many(20_000, `She said "the tide is % and high today" [S1:%]. `)},
		{"a reference list", "The tide is high [1].\n\n## References\n\n" + many(20_000, "%. [Title %](http://a.example/%)\n")},
		{"a table", "|a|b|\n|-|-|\n" + many(20_000, "|tide %|is high [S1:%]|\n")},
		{"rows of one letter", many(80_000, "|a\n|-\n")},
		{"nested quotations", strings.Repeat("> ", 190_000) + "The tide is high.\n"},
		{"nested lists", strings.Repeat("- ", 190_000) + "The tide is high.\n"},
		{"brackets", strings.Repeat("[", 190_000) + "S1" + strings.Repeat("]", 190_000)},
		{"numbers", many(40_000, "It was %.5 km and % km/h. [S1:%] ")},
	} {
		out = append(out, call("a draft of "+d[0], "verify_citations", object{"draft": d[1]}))
	}
	var claims []any
	for i := range 500 {
		claims = append(claims, object{"claim": fmt.Sprintf("The tide %d is high at %s", i, strings.Repeat("noon ", 90)),
			"source_ids": []string{"S1:" + strconv.Itoa(i+1), "S9"}})
	}
	long := strings.Repeat("tide high ", 38_000)
	return append(out, call("500 long claims", "verify_citations", object{"claims": claims}),
		call("a long search", "find_passages", object{"query": long, "claim": long}),
		call("a tool with a name of 380 kB", long, object{}),
		request{"a resource with an address of 380 kB", "resources/read", func(loop string) object {
			return object{"uri": "citeloop://loops/" + loop + "/" + long}
		}})
}

// exhaust sends a request alone and twenty times at once: at most 10 s of processor time and 300 MB, and every call ends in
// 25 s.
func exhaust(t *testing.T, x request) {
	url, cmd := serveHTTP(t, nil)
	made, err := send(url, "tools/call", object{"name": "loop_init",
		"arguments": object{"query": "How high is the tide at noon on the cape?"}})
	id := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).FindString(made)
	if err != nil || id == "" {
		t.Fatalf("loop_init: %v: %.300s", err, made)
	}
	var text strings.Builder
	for i := range 6_000 {
		fmt.Fprintf(&text, "The tide of day %d was %d cm high at noon, said the keeper.\n", i, i%90)
	}
	if _, err := send(url, "tools/call", object{"name": "fetch",
		"arguments": object{"state_id": id, "text": text.String(), "title": "Tides"}}); err != nil {
		t.Fatal(err)
	}
	params := x.params(id)
	for _, n := range []int{1, 20} {
		before, took := processorTime(t, cmd), make([]time.Duration, n)
		var clients sync.WaitGroup
		for i := range n {
			clients.Go(func() {
				begun := time.Now()
				if _, err := send(url, x.method, params); err != nil {
					t.Error(err)
				}
				took[i] = time.Since(begun)
			})
		}
		clients.Wait()
		if used := processorTime(t, cmd) - before; n == 1 && used > 10*time.Second {
			t.Errorf("%v of processor time", used)
		}
		if slowest := slices.Max(took); slowest > 27*time.Second {
			t.Errorf("%d at once: the slowest took %v", n, slowest)
		}
	}
	requireMemory(t, cmd, 300)
}

// processorTime is what a running process has used, in ticks of a hundredth of a second on Linux, elsewhere nothing.
func processorTime(t *testing.T, cmd *exec.Cmd) time.Duration {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	user, errUser := strconv.Atoi(fields[11])
	system, errSystem := strconv.Atoi(fields[12])
	if err := errors.Join(errUser, errSystem); err != nil {
		t.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}
