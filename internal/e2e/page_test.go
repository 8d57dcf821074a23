package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
)

// entrance is the one-time link to the page, in the output of the program.
const entrance = `(http://\S+/ui/enter\S+)`

// openUI starts the page over a data folder and returns its entrance.
func openUI(t *testing.T, data string) string {
	t.Helper()
	cmd := command(t, "", nil, "ui", "--no-open", "--data", data)
	return begin(t, cmd, cmd.StdoutPipe, entrance)
}

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
	link := openUI(t, data)
	host := startPeer(t, "--data", data, "--corpus", writeCorpus(t))
	tab := b.Tab(t)
	root := enter(tab, link)
	loop := host.mustTool("loop_init", object{"query": "Does reranking help?", "gaps": []any{"what latency it costs"}}).Get("state_id").Str
	tab.Do(chromedp.Navigate(root + "loops/" + loop))
	tab.Until("the loop", `document.getElementById("loop")`)
	_ = browsertest.Ask[bool](tab, `window.loadedOnce = true`)
	tab.Forget()

	const claim = "On the first benchmark, reranking raised accuracy from 61 to 68 percent."
	for _, step := range []struct {
		name, tool string
		arguments  object
		says       string // on the page after the step
	}{
		{"a gap opens", "loop_add_gap", object{"gap": "whether it helps beyond English"}, "whether it helps beyond English"},
		{"a search with its outcome", "run_channel", object{"channel_name": "local", "query": "reranking benchmark accuracy"},
			`reranking benchmark accuracy local: \d hits`},
		{"a text is pasted", "fetch", object{"title": "A walled study",
			"text": claim + " " + strings.Repeat("The rerank step added 120 milliseconds on average. ", 6)}, `S1 A walled study`},
		{"a claim with its verdict", "verify_citations",
			object{"claims": []any{object{"claim": claim, "source_ids": []any{"S1"}}}}, `raised accuracy.* not read yet`},
		{"a gap closes", "loop_update", object{"answered_gaps": []any{"what latency it costs"}}, `1 closed gap`},
		{"a round ends and is signed off", "loop_reflect",
			object{"signoff": true, "answered_gaps": []any{"whether it helps beyond English"}}, `signed off`},
	} {
		step.arguments["state_id"] = loop
		if answer, fault := host.tool(step.tool, step.arguments); fault != "" && !answer.Get("verdict").Exists() {
			t.Fatalf("%s: %s", step.name, fault)
		}
		tab.Until(step.name, fmt.Sprintf(`/%s/.test(document.getElementById("loop").textContent.replace(/\s+/g, " "))`, step.says))
	}
	if !browsertest.Ask[bool](tab, `window.loadedOnce === true`) {
		t.Error("the page was reloaded")
	}
	tab.Quiet(func(url string) bool { return strings.HasPrefix(url, root) })
}
