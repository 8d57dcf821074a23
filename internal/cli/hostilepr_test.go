//go:build unix

package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/cli/console"
)

// run runs the command line in the current folder.
func runIn(t *testing.T, env map[string]string, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	env = maps.Clone(env)
	if env == nil {
		env = map[string]string{}
	}
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "CITELOOP_DATA"} {
		env[name] = home
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return ranWith(ctx, strings.NewReader(stdin), env, args...)
}

const secret = "The extraheader is AUTHORIZATION basic c2VjcmV0LXRva2Vu and it is 42 characters long."

// A pull request cannot make verify read a file that its author cannot read, nor wait for one.
func TestHostileFilesOfAPullRequest(t *testing.T) {
	outside := t.TempDir()
	put(t, filepath.Join(outside, "secret.md"), secret)
	t.Setenv("HOSTILE_SECRET", secret)
	for name, tt := range map[string]struct {
		make func(t *testing.T)
		args []string
	}{
		"a link out": {func(t *testing.T) { link(t, filepath.Join(outside, "secret.md"), "docs/x.md") },
			[]string{"docs/x.md"}},
		"a link to a hidden file": {func(t *testing.T) { put(t, ".git/config", secret); link(t, "../.git/config", "docs/x.md") },
			[]string{"docs/x.md"}},
		"a link to /proc":         {func(t *testing.T) { link(t, "/proc/self/environ", "docs/x.md") }, []string{"docs/x.md"}},
		"a link to a device":      {func(t *testing.T) { link(t, "/dev/zero", "docs/x.md") }, []string{"docs/x.md"}},
		"a link to a descriptor":  {func(t *testing.T) { link(t, "/dev/fd/0", "docs/x.md") }, []string{"docs/x.md"}},
		"/proc itself":            {func(*testing.T) {}, []string{"/proc/self/environ"}},
		"a pipe":                  {func(t *testing.T) { pipe(t, "docs/x.md") }, []string{"docs/x.md"}},
		"a socket":                {func(t *testing.T) { socket(t, "x.md") }, []string{"x.md"}},
		"a folder that leads out": {func(t *testing.T) { link(t, outside, "docs") }, []string{"docs"}},
		"a file below such":       {func(t *testing.T) { link(t, outside, "docs") }, []string{"docs/secret.md"}},
		"a corpus that leads out": {func(t *testing.T) { put(t, "x.md", "A. [x](secret.md)"); link(t, outside, "papers") },
			[]string{"--corpus", "papers", "x.md"}},
		"a corpus that is hidden": {func(t *testing.T) {
			put(t, "x.md", "A.")
			put(t, ".git/config.md", secret)
			link(t, ".git",
				"papers")
		}, []string{"--corpus", "papers", "x.md"}},
		"a lock that is a pipe": {func(t *testing.T) { put(t, "x.md", "It is 42."); pipe(t, "citeloop.lock") }, []string{"x.md"}},
		"a lock that is a link": {func(t *testing.T) {
			put(t, "x.md", "It is 42.")
			link(t, filepath.Join(outside, "secret.md"), "citeloop.lock")
		}, []string{"x.md"}},
		"answers that are a pipe": {func(t *testing.T) { put(t, "x.md", "It is 42."); pipe(t, "a.json") },
			[]string{"--read=a.json", "x.md"}},
		"answers that are a link": {func(t *testing.T) {
			put(t, "x.md", "It is 42.")
			link(t, filepath.Join(outside, "secret.md"), "a.json")
		}, []string{"--read=a.json", "x.md"}},
		"a project file that is a link": {func(t *testing.T) {
			put(t, "x.md", "It is 42.")
			link(t, filepath.Join(outside, "secret.md"), "citeloop.toml")
		}, []string{"x.md"}},
		"a project file that is a pipe": {func(t *testing.T) { put(t, "x.md", "It is 42."); pipe(t, "citeloop.toml") }, []string{"x.md"}},
		"a project's corpus that leads out": {func(t *testing.T) {
			put(t, "x.md", "It is 42. [x](secret.md)")
			put(t, "citeloop.toml", "corpus = ['papers']")
			link(t, outside, "papers")
		}, []string{"x.md"}},
		"a project's corpus above": {func(t *testing.T) { put(t, "x.md", "It is 42."); put(t, "citeloop.toml", "corpus = ['../x']") },
			[]string{"x.md"}},
		"a project's corpus that is hidden": {func(t *testing.T) {
			put(t, ".git/config.md", secret)
			put(t, "x.md", "It is 42. [x](config.md)")
			put(t, "citeloop.toml", "corpus = ['papers']")
			link(t, ".git", "papers")
		}, []string{"x.md"}},
		"a project's texts that are links": {func(t *testing.T) {
			put(t, "citeloop.toml", "include = ['**']")
			link(t, filepath.Join(outside, "secret.md"), "docs/x.md")
		}, nil},
		"a project's endpoint": {func(t *testing.T) {
			put(t, "x.md", "It is 42.")
			put(t, "citeloop.toml", "reader = 'http://x.example/v1'")
		}, []string{"x.md"}},
		"an output folder": {func(t *testing.T) { put(t, "x.md", "It is 42."); link(t, outside, "out") },
			[]string{"--format", "json=out/new.json", "x.md"}},
		"an output pipe": {func(t *testing.T) { put(t, "x.md", "It is 42."); pipe(t, "out.json") },
			[]string{"--format", "json=out.json", "x.md"}},
	} {
		for _, format := range []string{"text", "json", "sarif"} {
			t.Run(name+"/"+format, func(t *testing.T) {
				t.Chdir(t.TempDir())
				tt.make(t)
				code, stdout, stderr := runIn(t, nil, "", append([]string{"verify", "--offline", "--format", format}, tt.args...)...)
				if code != console.ExitUsage {
					t.Errorf("exit %d, stderr %s", code, stderr)
				}
				if all := stdout + stderr; strings.Contains(all, "AUTHORIZATION") || strings.Contains(all, "c2VjcmV0") {
					t.Errorf("the secret is shown: %s", all)
				}
				if _, err := os.Stat(filepath.Join(outside, "new.json")); err == nil {
					t.Error("a file was written outside")
				}
			})
		}
	}
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}

func pipe(t *testing.T, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(name, 0o644); err != nil {
		t.Fatal(err)
	}
}

func socket(t *testing.T, name string) {
	t.Helper()
	l, err := net.Listen("unix", name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
}

// Links within the folder, and files that the user names elsewhere, stay readable.
func TestLinksWithinTheFolder(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "y.md")
	t.Chdir(t.TempDir())
	put(t, "texts/x.md", "A sentence of 42 words is here.\n")
	put(t, elsewhere, "A sentence of 42 words is here.\n")
	link(t, "../texts/x.md", "docs/x.md")
	for _, name := range []string{"docs/x.md", elsewhere} {
		if code, stdout, stderr := runIn(t, nil, "", "verify", "--offline", name); code != console.ExitFailed ||
			!strings.Contains(stdout, "uncited") {
			t.Errorf("%s: exit %d: %s%s", name, code, stdout, stderr)
		}
	}
}

// commands are what four CI systems would run, as the words of a text.
var commands = []string{"##[set-output name=x]y", "##[command]x", "##vso[task.setvariable variable=x]y", "##VSO[task.complete]",
	"##teamcity[buildStatus text='x']", "section_start:1560896352:x", "section_end:1560896352:x"}

// obeyed finds what a CI system would take as a command in a log.
var obeyed = regexp.MustCompile(`(?im)^[ \t\r\f\v]*::(?:[a-z_-])[^\n]*::|##\[|##vso\[|##teamcity\[|section_(?:start|end):\d|\x1b|\x9b`)

func TestCommandsInALog(t *testing.T) {
	for _, system := range []string{"GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "TEAMCITY_VERSION", "CI"} {
		for _, format := range []string{"text", "json", "sarif", "github"} {
			t.Run(system+"/"+format, func(t *testing.T) {
				t.Chdir(t.TempDir())
				text := "::set-output name=a::b is 42 words long.\n\n  ::stop-commands::x is 43 words long.\n\n"
				for i, c := range commands {
					text += fmt.Sprintf("The value %s of 42 is %d. It is 7 %s [S%d].\n\n", c, i, c, i)
				}
				args := []string{"verify", "--offline", "--format", format, "--format", "text=copy.txt"}
				for i, name := range []string{"::set-output name=a::b.md", " ::stop-commands::x.md", "##[command]c.md",
					"##vso[task.complete]d.md", "##teamcity[x]e.md", "a\x1b[31mb\u009b2Jc.md", "x\n::error::y.md"} {
					put(t, "docs/"+name, text+fmt.Sprint(i))
					t.Chdir("docs") // so that the name begins the line
					args = append(args, name)
					t.Chdir("..")
				}
				t.Chdir("docs")
				code, stdout, stderr := runIn(t, map[string]string{system: "true"}, "", args...)
				if code != console.ExitFailed {
					t.Fatalf("exit %d: %s", code, stderr)
				}
				copied, err := os.ReadFile("copy.txt")
				if err != nil {
					t.Fatal(err)
				}
				for where, log := range map[string]string{"stdout": stdout, "stderr": stderr, "the copy": string(copied)} {
					if format == "github" && where == "stdout" { // its own commands
						log = regexp.MustCompile(`(?m)^::(?:error|warning|notice) file=[^:\n]*::`).ReplaceAllString(log, "own: ")
					}
					if found := obeyed.FindAllString(log, 5); len(found) > 0 {
						t.Errorf("%s has %q", where, found)
					}
				}
				if format == "json" || format == "sarif" {
					var v any
					if err := json.Unmarshal([]byte(stdout), &v); err != nil {
						t.Errorf("not JSON: %v", err)
					}
					if all := fmt.Sprint(v); format == "json" && !strings.Contains(all, "##vso[") {
						t.Error("the JSON has other words than the text")
					}
				}
			})
		}
	}
}

// Errors name files, too.
func TestCommandsInErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"::error::x.md", "##vso[task.complete]", "a\x1b[31mb", "x\n::error::y"} {
		for _, command := range []string{"verify", "extract", "fetch"} {
			_, stdout, stderr := runIn(t, map[string]string{"CI": "true"}, "", command, name)
			if found := obeyed.FindAllString(stdout+stderr, 5); len(found) > 0 {
				t.Errorf("%s %q: %q", command, name, found)
			}
		}
	}
}

// Names of files carry no escape codes to a terminal.
func TestNamesOfFilesOnATerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "f/a\x1b[31mb.md", strings.Repeat("The tide is high at noon. ", 20))
	put(t, "f/a\x1b[32mc.pdf", "no PDF")
	for _, args := range [][]string{{"extract", "f"}, {"extract", "f/a\x1b[31mb.md", "f/none\x1b[31m"},
		{"search", "tide", "--channel", "local", "--corpus", "f"}} {
		if _, stdout, stderr := runIn(t, nil, "", args...); strings.ContainsAny(stdout+stderr, "\x1b\u009b") {
			t.Errorf("%q: %q", args, stdout+stderr)
		}
	}
}
