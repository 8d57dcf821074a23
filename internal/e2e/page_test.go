package e2e

import (
	"bufio"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
)

// startWatcher starts the program and returns the page's link from its output.
func startWatcher(t *testing.T, pattern string, stdout bool, args ...string) string {
	t.Helper()
	binary, err := builtBinary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, args...)
	pipe := cmd.StderrPipe
	if stdout {
		pipe = cmd.StdoutPipe
	}
	said, err := pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	lines := make(chan string, 64)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(said); s.Scan(); {
			select {
			case lines <- s.Text():
			default: // the test stopped reading
			}
		}
	}()
	for line := range lines {
		if m := regexp.MustCompile(pattern).FindStringSubmatch(line); m != nil {
			return m[1]
		}
	}
	t.Fatalf("citeloop %s ended and did not say where its page is", args[0])
	return ""
}

// entrance is the one-time link to the page, in the output of the program.
const entrance = `(http://\S+/ui/enter\S+)`

// enter opens the link and returns the page's address.
func enter(tab *browsertest.Tab, link string) string {
	tab.Show(desk(), link)
	tab.Until("the list of loops", `location.pathname === "/ui/" && document.querySelector('form[action="/ui/start"]')`)
	base, _, _ := strings.Cut(link, "/ui/")
	return base + "/ui/"
}

// One process shows a loop and another one changes it, like a host. The page updates after each step.
func TestPageFollowsALoop(t *testing.T) {
	b, data := browsertest.Open(t), t.TempDir()
	link := startWatcher(t, entrance, true, "ui", "--no-open", "--data", data)
	host := startPeer(t, data, writeCorpus(t))
	host.initialize()
	tab := b.Tab(t)
	root := enter(tab, link)
	loop := host.mustTool("loop_init", map[string]any{"query": "Does reranking help?",
		"gaps": []any{"what latency it costs"}})["state_id"].(string)
	tab.Do(chromedp.Navigate(root + "loops/" + loop))
	tab.Until("the loop", `document.getElementById("loop")`)
	_ = browsertest.Ask[bool](tab, `window.loadedOnce = true`)
	tab.Forget()

	const claim = "On the first benchmark, reranking raised accuracy from 61 to 68 percent."
	for _, step := range []struct {
		name, tool string
		arguments  map[string]any
		says       string // on the page after the step
	}{
		{"a gap opens", "loop_add_gap", map[string]any{"gap": "whether it helps beyond English"}, "whether it helps beyond English"},
		{"a search with its outcome", "run_channel", map[string]any{"channel_name": "local", "query": "reranking benchmark accuracy"},
			`reranking benchmark accuracy local: \d hits`},
		{"a text is pasted", "fetch", map[string]any{"title": "A walled study",
			"text": claim + " " + strings.Repeat("The rerank step added 120 milliseconds on average. ", 6)}, `S1 A walled study`},
		{"a claim with its verdict", "verify_citations",
			map[string]any{"claims": []any{map[string]any{"claim": claim, "source_ids": []any{"S1"}}}}, `raised accuracy.* not read yet`},
		{"a gap closes", "loop_update", map[string]any{"answered_gaps": []any{"what latency it costs"}}, `1 closed gap`},
		{"a round ends and is signed off", "loop_reflect",
			map[string]any{"signoff": true, "answered_gaps": []any{"whether it helps beyond English"}}, `signed off`},
	} {
		step.arguments["state_id"] = loop
		if answer, fault := host.tool(step.tool, step.arguments); fault != "" && answer["verdict"] == nil {
			t.Fatalf("%s: %s", step.name, fault)
		}
		tab.Until(step.name, fmt.Sprintf(`/%s/.test(document.getElementById("loop").textContent.replace(/\s+/g, " "))`, step.says))
	}
	if !browsertest.Ask[bool](tab, `window.loadedOnce === true`) {
		t.Error("the page was reloaded")
	}
	tab.Quiet(func(url string) bool { return strings.HasPrefix(url, root) })
}
