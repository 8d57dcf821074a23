package research_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/local"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/llm"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/research"
	"github.com/citeloop/citeloop/loopstate/sqlite"
	"github.com/citeloop/citeloop/server"
)

// documents returns the corpus.
func documents() map[string]string {
	return map[string]string{
		"tides.md": "# Tides of Port Arden\n\nThe tide at Port Arden rises 4 metres twice a day. Ships enter the harbour of Port " +
			"Arden at high water only, because the channel is shallow. The pilots keep a table of the tides for every day of the " +
			"year, and it hangs at the customs hall.\n",
		"storms.md": "# Storms at Port Arden\n\nIn a westerly storm the harbour of Port Arden is closed to all ships, and the pilots " +
			"do not go out. Six ships were lost on the bar between 1850 and 1900, all of them in winter. The bell on the mole is rung " +
			"as long as the harbour is closed.\n",
		"history.md": "# History of Port Arden\n\nThe harbour of Port Arden was dug in 1790 for the herring fleet, which had no " +
			"shelter on this coast before. Since 1921 ships of more than 3000 tonnes enter the harbour with a tug, and pay for it by " +
			"length. The tug lies at the northern quay.\n",
		"rules.md": "# Rules of the harbour master\n\nThe harbour master of Port Arden lets ships enter from two hours before high " +
			"water to one hour after it. Ships that carry explosives wait outside until the morning. A pilot must be on board of " +
			"every ship longer than 40 metres.\n",
	}
}

// accounts are further sentences with figures, to test a reader with.
func accounts(name string) string {
	var b strings.Builder
	for i, thing := range []string{"ropes", "anchors", "lamps", "sails", "nets", "barrels", "oars", "flags"} {
		fmt.Fprintf(&b, "In %d the clerk of the %s book bought %d %s for %d crowns at the fair.\n\n", 1801+7*i+3*len(name),
			strings.TrimSuffix(name, ".md"), 12+5*i, thing, 230+40*i+len(name))
	}
	return b.String()
}

func writeCorpus(t testing.TB) string {
	dir := t.TempDir()
	for name, text := range documents() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"+accounts(name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// fixture is the assembled server over a data folder and a corpus, as serve assembles it.
type fixture struct {
	t       testing.TB
	corpus  string
	service *loops.Service
}

var silent = slog.New(slog.DiscardHandler)

func newFixture(t testing.TB) *fixture {
	t.Helper()
	h, data := &fixture{t: t, corpus: writeCorpus(t)}, t.TempDir()
	reader, err := fetch.New(fetch.Config{UserAgent: "citeloop/test", Corpus: []string{h.corpus}, Now: time.Now, Logger: silent})
	failed := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	failed(err)
	documents, err := local.New(local.Config{Folders: []string{h.corpus}, Dir: filepath.Join(data, "corpus"), Edition: "test",
		Reader: reader, Logger: silent})
	failed(err)
	web := fetch.NewClient(fetch.ClientConfig{UserAgent: "citeloop/test"})
	registry, err := channels.New(channels.Config{UserAgent: "citeloop/test", Client: web, Pages: web, Logger: silent},
		source.All(documents))
	failed(err)
	store, err := sqlite.Open(t.Context(), filepath.Join(data, "citeloop.db"), sqlite.Options{Unsynced: true})
	failed(err)
	h.service = loops.New(loops.Config{Store: store, Owner: loops.LocalOwner, Searcher: registry, Reader: reader,
		ClaimReader: literalReader{}, Now: time.Now, Logger: silent, Generator: "citeloop test",
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() }})
	t.Cleanup(func() { _, _, _, _ = store.Close(), registry.Close(), documents.Close(), reader.Close() })
	return h
}

// connect returns a client with its own server over the loops of the fixture, like a separate process. wires may break
// the connection. With a shared server, a late cancellation by one client would end a call of the next client with the
// same id, because requests of 2026-07-28 have no session.
func (h *fixture) connect(wires ...func(transport.Interface) transport.Interface) *research.Server {
	h.t.Helper()
	srv, err := server.New(h.service, server.Config{Version: "test", Logger: silent})
	if err != nil {
		h.t.Fatal(err)
	}
	var wire transport.Interface = transport.NewInProcessTransport(srv.MCP)
	for _, w := range wires {
		wire = w(wire)
	}
	c := client.NewClient(wire)
	h.t.Cleanup(func() { c.Close() })
	s, err := research.Connect(context.WithoutCancel(h.t.Context()), c, "test", "1")
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

// state returns a view of a loop, without MCP.
func (h *fixture) state(id, view string) loops.View {
	h.t.Helper()
	v, err := h.service.State(context.WithoutCancel(h.t.Context()), loops.ViewInput{Loop: id, View: view})
	if err != nil {
		h.t.Fatal(err)
	}
	return v
}

// config configures a run with a scripted model.
func (h *fixture) config(model func(request) answer, out io.Writer) research.Config {
	h.t.Helper()
	e := httptest.NewServer(&endpoint{h.t, model})
	h.t.Cleanup(e.Close)
	m, err := llm.New(llm.Config{URL: e.URL, Model: "scripted-1", Key: "sk-test"})
	if err != nil {
		h.t.Fatal(err)
	}
	return research.Config{Question: "When can ships enter the harbour of Port Arden?", Channels: []string{"local"},
		OutDir: filepath.Join(h.t.TempDir(), "out"), Server: h.connect(), Model: m, Now: time.Now, Out: out}
}

// run runs a model over the fixture, and returns the transcript as well.
func (h *fixture) run(model func(request) answer, changes ...func(*research.Config)) (research.Result, string, error) {
	h.t.Helper()
	var out strings.Builder
	cfg := h.config(model, &out)
	for _, change := range changes {
		change(&cfg)
	}
	got, err := research.Run(h.t.Context(), cfg)
	return got, out.String(), err
}

type object = map[string]any

func encoded(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

var (
	aRound = regexp.MustCompile(`round (\d+)`)
	aFile  = regexp.MustCompile(`file://[^\s"<>)]+\.md`)
)

// honest answers as a model that follows its briefs, for the corpus above.
func honest(r request) answer {
	brief := r.Messages[1].Content
	switch r.role() {
	case "searcher":
		// Each angle finds another document first.
		query := map[string]string{"byEntity": "harbour master rules explosives", "byTimeWindow": "history herring fleet tug 1921",
			"bySourceType": "tides table high water", "byCounterArg": "westerly storm closed"}[r.angle()]
		if r.turns() == 0 {
			return answer{calls: []call{{"run_channel", encoded(object{"query": query})}}}
		}
		if url := aFile.FindString(r.last()); r.turns() == 1 && url != "" {
			return answer{calls: []call{{"fetch", encoded(object{"urls": []string{url}})}}}
		}
		return answer{text: "done"}
	case "synthesis":
		return once(r, "loop_update", encoded(object{"claims": claimsFor(brief)}))
	case "critic":
		if aRound.FindStringSubmatch(brief)[1] == "1" {
			return once(r, "loop_reflect", `{"gaps": [{"gap": "Nobody has looked for when the harbour is closed.", "kind": `+
				`"missing-counterarg", "query": "harbour closed storm", "priority": 2, "material": true}], "signoff": false}`)
		}
		return once(r, "loop_reflect", `{"answered_gaps": ["G1"], "signoff": true, "coverage": {"overall": 0.8, "reasoning": "Four `+
			`documents were read."}}`)
	}
	return answer{text: textFor(brief)}
}

// once makes a call and then stops.
func once(r request, name, arguments string) answer {
	if r.turns() > 0 {
		return answer{text: "done"}
	}
	return answer{calls: []call{{name, arguments}}}
}

// claimsFor claims the second sentence of each document that was read, in its words.
func claimsFor(brief string) (claims []object) {
	for _, text := range documents() {
		parts := strings.Split(text, "\n")
		title := strings.TrimPrefix(parts[0], "# ")
		if m := regexp.MustCompile(`(S\d+)[^\n]*` + title).FindStringSubmatch(brief); m != nil {
			sentence := strings.TrimSpace(strings.SplitAfter(parts[2], ". ")[1])
			claims = append(claims, object{"claim": sentence, "source_ids": []string{m[1]}})
		}
	}
	return claims
}

func textFor(brief string) string {
	var b strings.Builder
	b.WriteString("# When ships enter\n\n## Executive Summary\n")
	for _, c := range claimsFor(brief) {
		fmt.Fprintf(&b, "\n%s [%s].\n", strings.TrimSuffix(c["claim"].(string), "."), c["source_ids"].([]string)[0])
	}
	return b.String()
}
