package research_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
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

const question = "When can ships enter the harbour of Port Arden?"

// documents returns the corpus. The query of each angle finds a different one first.
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

// notes give each text enough further sentences to test a reader with.
var notes = map[string]string{
	"tides.md": "The tide gauge was bought from a workshop in Nordhafen for 310 crowns. Its float hangs in a shaft of 14 metres " +
		"below the boat shed. A boy reads the gauge every 30 minutes and writes the figure down. The oldest of the gauge books begins " +
		"in the autumn of 1846. Two of these books were damaged by water and were copied in 1902. The council pays 25 crowns a " +
		"year for the paper.\n",
	"storms.md": "The bell was cast by the brothers Lindqvist and weighs 640 kilograms. It cracked in the frost of 1871 and was " +
		"mended with an iron ring. The bell ringer gets 18 crowns for every night of duty. A lantern with 6 candles stands beside the " +
		"rope of the bell. The lifeboat crew has 11 members and meets on Thursdays. Their boat house was moved by 50 metres after " +
		"the flood.\n",
	"history.md": "The first quay was built of larch and lasted for 34 years. A stone quay of 120 metres replaced it at a cost of " +
		"9,000 crowns. The old crane was sold to a shipyard in Estholm for scrap. In the census of 1860 the town had 2,150 people and " +
		"7 inns. The railway reached the town in 1888 from the south. A school of navigation opened beside the church with 23 " +
		"pupils.\n",
	"rules.md": "The office of the harbour master has 3 rooms above the market. It opens at 6 in the morning and closes at 9 in the " +
		"evening. A complaint must be written down and handed in within 14 days. The fee book is printed every spring by a printer in " +
		"Nordhafen. Fishermen of the town pay 2 crowns for a berth of 10 metres. The fire hoses on the quay are tested every month.\n",
}

// accounts are further sentences with figures.
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
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"+notes[name]+"\n"+accounts(name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// fixture is the assembled server over a data folder and a corpus, as serve assembles it.
type fixture struct {
	t       testing.TB
	data    string
	corpus  string
	now     func() time.Time
	service *loops.Service
	logger  *slog.Logger
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	h := &fixture{t: t, data: t.TempDir(), corpus: writeCorpus(t), now: time.Now}
	h.open()
	return h
}

func (h *fixture) open() {
	h.t.Helper()
	logger := slog.New(slog.NewTextHandler(io.Discard, nil))
	reader, err := fetch.New(fetch.Config{UserAgent: "citeloop/test", Corpus: []string{h.corpus}, Now: h.now, Logger: logger})
	if err != nil {
		h.t.Fatal(err)
	}
	web := fetch.NewClient(fetch.ClientConfig{UserAgent: "citeloop/test"})
	documents, err := local.New(local.Config{Folders: []string{h.corpus}, Dir: filepath.Join(h.data, "corpus"), Edition: "test",
		Reader: reader, Now: h.now, Logger: logger})
	if err != nil {
		h.t.Fatal(err)
	}
	registry, err := channels.New(channels.Config{UserAgent: "citeloop/test", Client: web, Pages: web, Logger: logger},
		source.All(documents))
	if err != nil {
		h.t.Fatal(err)
	}
	store, err := sqlite.Open(h.t.Context(), filepath.Join(h.data, "citeloop.db"), sqlite.Options{Unsynced: true})
	if err != nil {
		h.t.Fatal(err)
	}
	h.service = loops.New(loops.Config{Store: store, Owner: loops.LocalOwner, Searcher: registry, Reader: reader,
		ClaimReader: literalReader{}, Now: h.now, Logger: logger, Generator: "citeloop test",
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() }})
	h.logger = logger
	h.t.Cleanup(func() { _, _, _, _ = store.Close(), registry.Close(), documents.Close(), reader.Close() })
}

// connect returns a client with its own server over the loops of the fixture, like a separate process. wires may break
// the connection. With a shared server, a late cancellation by one client would end a call of the next client with the
// same id, because requests of 2026-07-28 have no session.
func (h *fixture) connect(wires ...func(transport.Interface) transport.Interface) *research.Server {
	h.t.Helper()
	srv, err := server.New(h.service, server.Config{Version: "test", Logger: h.logger})
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

// config configures a run with a scripted model at a URL.
func (h *fixture) config(url string, out io.Writer) research.Config {
	h.t.Helper()
	m, err := llm.New(llm.Config{URL: url, Model: "scripted-1", Key: "sk-test"})
	if err != nil {
		h.t.Fatal(err)
	}
	return research.Config{Question: question, Channels: []string{"local"}, OutDir: filepath.Join(h.t.TempDir(), "out"),
		Server: h.connect(), Model: m, Now: h.now, Out: out}
}

// run runs a model over the fixture, and returns the transcript as well.
func (h *fixture) run(model func(request) answer, changes ...func(*research.Config)) (research.Result, string, error) {
	h.t.Helper()
	var out strings.Builder
	e := &endpoint{t: h.t, key: "sk-test", model: model}
	cfg := h.config(e.start().URL, &out)
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

// queries returns the searchers' queries, by angle. Each finds another document first.
func queries() map[string]string {
	return map[string]string{"byEntity": "harbour master rules explosives", "byTimeWindow": "history herring fleet tug 1921",
		"bySourceType": "tides table high water", "byCounterArg": "westerly storm closed"}
}

// honest answers as a model that follows its briefs, for the corpus above.
func honest(r request) answer {
	brief := r.Messages[1].Content
	switch r.role() {
	case "searcher":
		for angle, query := range queries() {
			if strings.HasPrefix(brief, "You are the "+angle) && r.turns() == 0 {
				return answer{calls: []call{{"run_channel", encoded(object{"query": query})}}}
			}
		}
		if url := aFile.FindString(r.last().Content); r.turns() == 1 && url != "" {
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
	case "text":
		if r.turns() > 0 {
			return answer{text: textFor(brief)}
		}
		return answer{text: textFor(brief)}
	}
	return answer{text: "I do not know who I am."}
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
