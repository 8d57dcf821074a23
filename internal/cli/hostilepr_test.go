//go:build unix

package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/cli/console"
)

// runIn runs the command line in the current folder, with more of the environment.
func runIn(t *testing.T, more map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	home := t.TempDir()
	env := map[string]string{"HOME": home, "XDG_DATA_HOME": home, "XDG_CACHE_HOME": home, "CITELOOP_DATA": home}
	maps.Copy(env, more)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return ran(ctx, env, args...)
}

const secret = "The extraheader is AUTHORIZATION basic c2VjcmV0LXRva2Vu and it is 42 characters long."

// A pull request cannot make verify read a file that its author cannot read, nor wait for one. Its files are "name: text", "name > target"
// for links, "name |" for pipes.
func TestHostileFilesOfAPullRequest(t *testing.T) {
	outside := t.TempDir()
	put(t, filepath.Join(outside, "secret.md"), secret)
	t.Setenv("HOSTILE_SECRET", secret)
	for _, tt := range []struct{ name, files, args string }{
		{"a link out", "docs/x.md > OUT/secret.md", "docs/x.md"},
		{"a link to a hidden file", ".git/config: SECRET; docs/x.md > ../.git/config", "docs/x.md"},
		{"a link to /proc", "docs/x.md > /proc/self/environ", "docs/x.md"},
		{"a link to a device", "docs/x.md > /dev/zero", "docs/x.md"},
		{"a link to a descriptor", "docs/x.md > /dev/fd/0", "docs/x.md"},
		{"/proc itself", "", "/proc/self/environ"},
		{"a pipe", "docs/x.md |", "docs/x.md"},
		{"a folder that leads out", "docs > OUT", "docs"},
		{"a file below such", "docs > OUT", "docs/secret.md"},
		{"a corpus that leads out", "x.md: A. [x](secret.md); papers > OUT", "--corpus papers x.md"},
		{"a corpus that is hidden", "x.md: A.; .git/config.md: SECRET; papers > .git", "--corpus papers x.md"},
		{"a lock that is a pipe", "x.md: It is 42.; citeloop.lock |", "x.md"},
		{"a lock that is a link", "x.md: It is 42.; citeloop.lock > OUT/secret.md", "x.md"},
		{"answers that are a pipe", "x.md: It is 42.; a.json |", "--read=a.json x.md"},
		{"answers that are a link", "x.md: It is 42.; a.json > OUT/secret.md", "--read=a.json x.md"},
		{"a project file that is a link", "x.md: It is 42.; citeloop.toml > OUT/secret.md", "x.md"},
		{"a project file that is a pipe", "x.md: It is 42.; citeloop.toml |", "x.md"},
		{"a project's corpus that leads out", "x.md: It is 42. [x](secret.md); citeloop.toml: corpus = ['papers']; papers > OUT", "x.md"},
		{"a project's corpus above", "x.md: It is 42.; citeloop.toml: corpus = ['../x']", "x.md"},
		{"a project's corpus that is hidden",
			".git/config.md: SECRET; x.md: It is 42. [x](config.md); citeloop.toml: corpus = ['papers']; papers > .git", "x.md"},
		{"a project's texts that are links", "citeloop.toml: include = ['**']; docs/x.md > OUT/secret.md", ""},
		{"a project's endpoint", "x.md: It is 42.; citeloop.toml: reader = 'http://x.example/v1'", "x.md"},
		{"an output folder", "x.md: It is 42.; out > OUT", "--format json=out/new.json x.md"},
		{"an output pipe", "x.md: It is 42.; out.json |", "--format json=out.json x.md"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for file := range strings.SplitSeq(tt.files, "; ") {
				hostile(t, strings.NewReplacer("OUT", outside, "SECRET", secret).Replace(file))
			}
			code, stdout, stderr := runIn(t, nil, append([]string{"verify", "--offline"}, strings.Fields(tt.args)...)...)
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

// hostile makes a file, a link or a pipe.
func hostile(t *testing.T, file string) {
	t.Helper()
	if name, to, ok := strings.Cut(file, " > "); ok {
		link(t, to, name)
	} else if name, ok := strings.CutSuffix(file, " |"); ok {
		_ = os.MkdirAll(filepath.Dir(name), 0o755) // Mkfifo says what is wrong
		if err := syscall.Mkfifo(name, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if name, text, ok := strings.Cut(file, ": "); ok {
		put(t, name, text)
	}
}

func link(t *testing.T, to, name string) {
	t.Helper()
	_ = os.MkdirAll(filepath.Dir(name), 0o755) // Symlink says what is wrong
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}

// Links within the folder, and files that the user names elsewhere, stay readable.
func TestLinksWithinTheFolder(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "y.md")
	t.Chdir(t.TempDir())
	put(t, "texts/x.md", "A sentence of 42 words is here.\n")
	put(t, elsewhere, "A sentence of 42 words is here.\n")
	link(t, "../texts/x.md", "docs/x.md")
	for _, name := range []string{"docs/x.md", elsewhere} {
		if code, stdout, stderr := runIn(t, nil, "verify", "--offline", name); code != console.ExitFailed ||
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
				code, stdout, stderr := runIn(t, map[string]string{system: "true"}, args...)
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
			_, stdout, stderr := runIn(t, map[string]string{"CI": "true"}, command, name)
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
		if _, stdout, stderr := runIn(t, nil, args...); strings.ContainsAny(stdout+stderr, "\x1b\u009b") {
			t.Errorf("%q: %q", args, stdout+stderr)
		}
	}
}
