package agents

import (
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/citeloop/citeloop/tools"
)

// CITELOOP_TEST_NPM names the folder in which .ci/npm installed the clients, CITELOOP_TEST_BINARY a program named citeloop.
func TestClients(t *testing.T) {
	npm, citeloop := os.Getenv("CITELOOP_TEST_NPM"), os.Getenv("CITELOOP_TEST_BINARY")
	if npm == "" || citeloop == "" {
		t.Skip("skipped: CITELOOP_TEST_NPM does not name the folder in which npm installed the clients (.ci/npm does), or " +
			"CITELOOP_TEST_BINARY no citeloop")
	}
	root, err := filepath.Abs("../../..") // has .claude-plugin/marketplace.json
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	corpus := writeCorpus(t, filepath.Join(work, "corpus"))
	for _, a := range agents(root) {
		a.npm, a.citeloop, a.dir = npm, citeloop, filepath.Join(work, a.name)
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			a.prepare(t)
			t.Log(strings.TrimSpace(tail(a.client(t, []string{"--version"}))))
			a.run(t, citeloop, []string{"install", a.name, "--corpus", corpus})
			a.requireListed(t, a.listed)
			a.checkLoop(t, a.converse(t, loop(corpus)))
			if a.plugin != nil {
				a.checkPlugin(t)
			}
		})
	}
}

func (a *agent) requireListed(t *testing.T, pattern string) {
	t.Helper()
	if listed := a.client(t, []string{"mcp", "list"}); !regexp.MustCompile(pattern).MatchString(listed) {
		t.Fatalf("mcp list does not have citeloop as %q:\n%s", pattern, listed)
	}
}

// maxAnswerChars bounds an answer, as in docs/install.md.
const maxAnswerChars = 16_000

// checkLoop compares what the model of a loop was shown with what citeloop serves.
func (a *agent) checkLoop(t *testing.T, m *model) {
	t.Helper()
	first := m.shown()
	instructions, err := os.ReadFile("../../../server/instructions.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(first.Text, strings.TrimSpace(string(instructions))) {
		t.Error("the instructions do not reach the model whole")
	}
	all, err := tools.All(nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	plain := strings.NewReplacer("…", "...") // as Claude Code writes it
	for _, want := range all {
		offered, ok := first.find(want.Tool.Name)
		switch {
		case !ok:
			t.Errorf("the tool %s does not reach the model", want.Tool.Name)
		case offered.Deferred:
			t.Errorf("the model has to search for the tool %s", want.Tool.Name)
		case !strings.Contains(plain.Replace(offered.Description), plain.Replace(want.Tool.Description)):
			t.Errorf("the description of %s is cut: %.80q", want.Tool.Name, offered.Description)
		}
	}
	for i, c := range m.calls {
		answer := m.results[i]
		n := utf8.RuneCountInString(answer)
		switch whole := c.Args["max_chars"] != nil; {
		case whole && a.whole && n < 90_000:
			t.Errorf("of a page of 90,000 characters, asked for in full, the model gets %d", n)
		case !whole && n > maxAnswerChars:
			t.Errorf("the answer of %s has %d characters, want %d at most", c.Tool, n, maxAnswerChars)
		case !strings.Contains(answer, c.has):
			t.Errorf("the answer of %s does not have %q: %.400s", c.Tool, c.has, answer)
		}
	}
}

// checkPlugin installs the plugin with the client's own commands and ends a turn with a wrong citation: the model is told its errors
// once, and gives the message again. In Claude Code, it gets the loop's brief after a compaction.
func (a *agent) checkPlugin(t *testing.T) {
	t.Helper()
	a.run(t, a.citeloop, []string{"uninstall", a.name})
	for _, args := range a.plugin {
		a.client(t, args)
	}
	m := a.converse(t, lighthouse(), a.trust...)
	seen := m.requests[len(m.requests)-1].Text
	for _, want := range []string{"no source of the loop has the id S9", "cites nothing"} {
		if n := strings.Count(seen, want); n != 1 {
			t.Errorf("the hook of the last message: the model sees %d times %q in\n%s", n, want, tail(seen))
		}
	}
	if a.name == "claude-code" {
		a.requireListed(t, "plugin:citeloop:citeloop: .*Connected")
		a.checkCompaction(t, m.answered("loop_init", "state_id"))
	}
}

// checkCompaction compacts the conversation about a loop and goes on.
func (a *agent) checkCompaction(t *testing.T, loop string) {
	t.Helper()
	m := startModel(a.protocol, nil)
	defer m.Close()
	for _, prompt := range []string{"/compact", "Go on."} {
		a.client(t, []string{"-p", prompt, "--continue", "--output-format", "json"}, anthropic(m.URL)...)
	}
	for _, r := range m.requests {
		if len(r.Results) > 0 || !strings.Contains(r.Text, "Go on.") { // the whole conversation, to be compacted
			continue
		}
		for _, want := range []string{"worked on citeloop's loop " + loop, "Was it automated?", "Who keeps the lighthouse of Skerrow?"} {
			if !strings.Contains(r.Text, want) {
				t.Errorf("after the compaction the model does not see %q:\n%s", want, tail(r.Text))
			}
		}
		return
	}
	t.Errorf("of %d requests none is the one after the compaction", len(m.requests))
}
