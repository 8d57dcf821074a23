package cli

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
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
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v3"

	"github.com/citeloop/citeloop/internal/cli/check"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/loopstate"
)

// closestLine returns the line of the passages with the most words of a claim, without commas.
func closestLine(claim string, in []string) (closest string) {
	words, most := strings.Fields(strings.Trim(claim, ".")), -1
	for _, p := range in {
		for line := range strings.Lines(strings.ReplaceAll(p, ",", "")) {
			n := 0
			for _, w := range strings.Fields(strings.Trim(line, ".\n")) {
				if slices.Contains(words, w) {
					n++
				}
			}
			if n > most {
				closest, most = line, n
			}
		}
	}
	return closest
}

// TestVerifyScripts checks every format and exit code of verify against a local site.
func TestVerifyScripts(t *testing.T) {
	folder, files := "testdata/verify", []string(nil)
	if testing.Short() { // under the race detector: the one that reads pages side by side
		folder, files = "", []string{"testdata/verify/drafts.txt"}
	}
	testscript.Run(t, testscript.Params{
		Dir:                 folder,
		Files:               files,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("XDG_DATA_HOME", env.WorkDir+"/share")
			env.Setenv("NO_PROXY", "127.0.0.1")
			top, err := filepath.Abs(root)
			env.Setenv("ROOT", top)
			env.Setenv("CHECK", filepath.Join(top, "packaging", "action", "check"))
			return err
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"site": serveFolder,
			// exits CODE PROGRAM ARG... runs a program that must end with this code.
			"exits": func(ts *testscript.TestScript, neg bool, args []string) {
				want, err := strconv.Atoi(args[0])
				if neg || err != nil {
					ts.Fatalf("usage: exits CODE PROGRAM ARG...")
				}
				got := 0
				var ended *exec.ExitError
				if err := ts.Exec(args[1], args[2:]...); errors.As(err, &ended) {
					got = ended.ExitCode()
				} else if err != nil {
					ts.Fatalf("%v", err)
				}
				if got != want {
					ts.Fatalf("%s ended with %d, want %d\n%s%s", strings.Join(args[1:], " "), got, want, ts.ReadFile("stdout"),
						ts.ReadFile("stderr"))
				}
			},
			// stamp BATCH ANSWERS supports every item.
			"stamp": func(ts *testscript.TestScript, _ bool, args []string) {
				answerBatch(ts, args[0], args[1], "a stamp", func(check.Item) bool { return true })
			},
			// careful BATCH ANSWERS supports an item if all its numbers are in the line with most of its words.
			"careful": func(ts *testscript.TestScript, _ bool, args []string) {
				number := regexp.MustCompile(`[0-9]+`)
				answerBatch(ts, args[0], args[1], "a careful reader", func(it check.Item) bool {
					claim := strings.ReplaceAll(it.Claim, ",", "")
					in := number.FindAllString(closestLine(claim, it.Passages), -1)
					return !slices.ContainsFunc(number.FindAllString(claim, -1), func(n string) bool { return !slices.Contains(in, n) })
				})
			},
			// hex FILE BYTES writes a binary file.
			"hex": func(ts *testscript.TestScript, _ bool, args []string) {
				b, err := hex.DecodeString(args[1])
				ts.Check(err)
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o600))
			},
			// fill FILE... puts the site's address in place of SITE.
			"fill": func(ts *testscript.TestScript, _ bool, args []string) {
				for _, name := range args {
					text := strings.ReplaceAll(ts.ReadFile(name), "SITE", ts.Getenv("SITE"))
					text = strings.ReplaceAll(text, "WORK", ts.Getenv("WORK"))
					ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
				}
			},
		},
	})
}

// Ctrl-C ends a check at once, whatever a site is doing, and no output remains.
func TestVerifyInterrupted(t *testing.T) {
	asked, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		once.Do(func() { close(asked) })
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer slow.Close()
	defer close(release)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		<-asked
		cancel()
	}()
	out := t.TempDir() + "/out.txt"
	env := map[string]string{"CITELOOP_ALLOW_PRIVATE": strings.TrimPrefix(slow.URL, "http://"), "CITELOOP_DATA": t.TempDir()}
	code, stdout, stderr := ranWith(ctx, strings.NewReader("The tower is old "+slow.URL+"/tower\n"), env, "verify", "--format", "text="+out,
		"-")
	if code != console.ExitUndecided || !strings.Contains(stderr, "interrupted before the check was complete") || stdout != "" {
		t.Errorf("code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	if entries, err := os.ReadDir(strings.TrimSuffix(out, "/out.txt")); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// The hooks of the pre-commit example call verify with existing flags. testdata/verify/action.txt runs the other examples.
func TestExamplesCallVerify(t *testing.T) {
	var config struct {
		Repos []struct{ Hooks []struct{ Args []string } }
	}
	if err := yaml.Unmarshal(readFile(t, "../../examples/precommit/.pre-commit-config.yaml"), &config); err != nil ||
		len(config.Repos) != 1 {
		t.Fatalf("%v, %d repositories", err, len(config.Repos))
	}
	for _, hook := range config.Repos[0].Hooks {
		cmd := check.New(console.Process{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}, &setup.Options{})
		(&setup.Options{}).Register(cmd.Flags())
		if err := cmd.ParseFlags(hook.Args); err != nil {
			t.Errorf("%s: %v", hook.Args, err)
		}
	}
}

// answerBatch writes answers to a batch file: supported or contradicted, quoting the beginning of the first passage.
func answerBatch(ts *testscript.TestScript, from, to, reader string, supports func(check.Item) bool) {
	var batch check.Batch
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(from)), &batch))
	answers := check.Batch{Batch: batch.Batch, Reader: reader}
	texts := map[string]string{} // of the passages, which are in full with their first item, by place
	for _, it := range batch.Items {
		for i, p := range it.Passages {
			place, text, _ := strings.Cut(p, "\n")
			place, _, _ = strings.Cut(strings.Split(place, " (")[0], ", as in ")
			if texts[place] == "" {
				texts[place] = text
			}
			it.Passages[i] = texts[place]
		}
		a := loopstate.ReviewAnswer{Item: it.Item, Answer: loopstate.AnswerContradicted,
			Quote: strings.Join(strings.Fields(it.Passages[0])[:4], " ")}
		if supports(it) {
			a.Answer = loopstate.AnswerSupported
		}
		answers.Answers = append(answers.Answers, a)
	}
	body, err := json.Marshal(answers)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(to), body, 0o600))
}
