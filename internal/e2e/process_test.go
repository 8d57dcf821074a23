package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func writeCorpus(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"survey.md": "# A survey of retrieval augmentation\n\nRetrieval augmentation gives a language model passages that were " +
			"found by a search. The survey of 2026 compares 41 systems, and finds that reranking helps most.\n\nThe authors measured " +
			"latency as well: a rerank step added 120 milliseconds on average, which some deployments could not afford.\n",
		"benchmarks.md": "# Benchmarks\n\nThree benchmarks are in common use for retrieval augmentation. None of them covers " +
			"languages other than English, and the authors call that the largest gap of the field.\n\nOn the first benchmark, " +
			"reranking raised accuracy from 61 to 68 percent.\n",
		"deployments.txt": "Industry deployment case studies are rare. One bank reported in 2025 that its assistant answered 70 " +
			"percent of questions from its own handbook, after its staff had removed 900 outdated pages. A hospital gave up its pilot " +
			"because citations pointed to the wrong leaflet.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A recorded script of tool calls runs line by line, with kill -9 in the middle.
func TestSeedScriptSurvivesKill(t *testing.T) {
	t.Parallel()
	data, corpus := t.TempDir(), writeCorpus(t)
	p := startPeer(t, "--data", data, "--corpus", corpus)
	state := p.mustTool("loop_init", object{"query": "What is at Cape Arden?"}).Get("state_id").Str
	const survey = "retrieval augmentation survey 2026"
	evidence := p.mustTool("run_channel", object{"channel_name": "local", "query": survey}).Get("evidence")
	for _, hit := range evidence.Array() {
		if hit.Get("title").Str == "" || hit.Get("url").Str == "" || hit.Get("source").Str != "local" {
			t.Errorf("hit %s", hit)
		}
	}
	found := evidence.Get("#").Int()
	added := p.mustTool("loop_update", object{"state_id": state, "evidence": evidence.Value(), "query": survey})
	if added.Get("added.evidence").Int() != found || found == 0 {
		t.Errorf("added %s, want %d hits", added, found)
	}
	if gaps := p.mustTool("loop_get_gaps", object{"state_id": state}).Get("gaps"); gaps.Raw != "[]" {
		t.Errorf("gaps %s", gaps)
	}
	p.mustTool("loop_add_gap", object{"state_id": state, "gap": "no industry deployment case studies"})
	kill(p.cmd)

	p = startPeer(t, "--data", data, "--corpus", corpus)
	gaps := p.mustTool("loop_get_gaps", object{"state_id": state}).Get("gaps")
	if gaps.Raw != `["no industry deployment case studies"]` {
		t.Fatalf("gaps after kill -9: %s", gaps)
	}
	for _, gap := range gaps.Array() {
		more := p.mustTool("run_channel", object{"channel_name": "local", "query": gap.Str}).Get("evidence").Value()
		p.mustTool("loop_update", object{"state_id": state, "evidence": more, "query": gap.Str})
	}
	bank := p.mustTool("run_channel", object{"channel_name": "local", "query": "bank assistant handbook", "state_id": state})
	page := p.mustTool("fetch", object{"url": bank.Get("evidence.0.url").Str, "state_id": state}).Get("sources.0")
	if page.Get("source_id").Str != "S1" || page.Get("status").Str != "read" {
		t.Fatalf("fetch: %s", page)
	}
	const sentence = "One bank reported in 2025 that its assistant answered 70 percent of questions from its own handbook"
	good := object{"claim": sentence + ".", "source_ids": []any{"S1"}}
	v := p.mustTool("verify_citations", object{"state_id": state, "all": true, "claims": []any{good}})
	if v.Get("verdict").Str != "review" { // nobody has read it
		t.Errorf("verdict: %s", v)
	}
	passage := v.Get("verified_claims.0.passage")
	stored := []rune(regexp.MustCompile(`(?m)^\d+\| `).ReplaceAllString(page.Get("text").Str, "")) // without the numbers of lines
	if got := string(stored[passage.Get("start").Int():passage.Get("end").Int()]); got != passage.Get("text").Str {
		t.Errorf("offsets lead to %q: %s", got, passage)
	}
	invented := object{"claim": "The bank is happy.", "source_ids": []any{"S7"}}
	v, fault := p.tool("verify_citations", object{"state_id": state, "all": true, "claims": []any{good, invented}})
	if fault == "" || v.Get("hallucinated_citations.#").Int() != 1 || v.Get("verified_claims.#").Int() != 2 {
		t.Errorf("an invented citation: fault %q, verdict %s; want isError with the whole verdict", fault, v)
	}
	url, _ := serveHTTP(t, nil, "--data", data)
	text, err := send(url, "tools/call", object{"name": "loop_get_state", "arguments": object{"state_id": state}})
	if err != nil || !strings.Contains(text, "Cape Arden") || strings.Contains(text, `"folder"`) {
		t.Errorf("a client over HTTP, which may be elsewhere, is told of a folder: %v: %.400s", err, text)
	}
	report := p.mustTool("loop_report", object{"state_id": state, "draft": "# Deployments\n\n" + sentence + " [S1].\n", "format": "html",
		"inline": true})
	if !strings.Contains(report.Get("report").Str, "70 percent") || report.Get("verdict").Str != "review" {
		t.Errorf("report: %s", report)
	}
}

// Acknowledged writes are on disk: after servers are killed while writing, every acknowledged gap is stored exactly
// once.
func TestKilledWhileWriting(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := startPeer(t, "--data", data)
	state := p.mustTool("loop_init", object{"query": "What is at Cape Arden?"}).Get("state_id").Str
	var acknowledged []string
	for life := range 4 {
		if life > 0 {
			p = startPeer(t, "--data", data)
		}
		for i := range 10 + 7*life {
			gap := fmt.Sprintf("gap %d of life %d", i, life)
			p.mustTool("loop_add_gap", object{"state_id": state, "gap": gap})
			acknowledged = append(acknowledged, gap)
		}
		for i := range 5 { // in progress when the server is killed: may be stored or not
			arguments := object{"state_id": state, "gap": fmt.Sprintf("unanswered %d of life %d", i, life)}
			p.send(object{"jsonrpc": "2.0", "id": 10_000 + i, "method": "tools/call",
				"params": object{"name": "loop_add_gap", "arguments": arguments}})
		}
		kill(p.cmd)
	}
	count := map[string]int{}
	for _, gap := range startPeer(t, "--data", data).mustTool("loop_get_gaps", object{"state_id": state}).Get("gaps").Array() {
		count[gap.Str]++
	}
	for _, gap := range acknowledged {
		if count[gap] != 1 {
			t.Errorf("%q is there %d times, want once", gap, count[gap])
		}
	}
}
