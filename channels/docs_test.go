package channels_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/internal/docid"
)

var update = flag.Bool("update", false, "write docs/channels.md and the results in testdata")

const (
	tableBegins = "<!-- channels: written by `go test ./channels -run TestDocs -update` -->\n"
	tableEnds   = "<!-- channels end -->\n"
)

// The table of docs/channels.md is generated from the descriptions of the channels.
func TestDocs(t *testing.T) {
	path := filepath.Join("..", "docs", "channels.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), tableBegins)
	_, after, ok2 := strings.Cut(rest, tableEnds)
	if !ok || !ok2 {
		t.Fatalf("%s has no marks for the table", path)
	}
	r := registry(t, newClock(), channels.Config{}, nil)
	want := before + tableBegins + "\n" + table(r.List()) + "\n" + tableEnds + after
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(page) {
		t.Errorf("%s is out of date; run: go test ./channels -run TestDocs -update", path)
	}
}

// The file in docs/channels.md is valid.
func TestCustomChannelDocs(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "channels.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```json\n")
	file, _, _ := strings.Cut(rest, "```")
	own, err := source.ReadFile("channels.json", []byte(file), func(string) (string, bool) { return "secret", true }, source.Names())
	if err != nil || len(own) != 2 || own[0].Missing+own[1].Missing != "" {
		t.Errorf("%+v, %v", own, err)
	}
	for _, k := range channels.Kinds {
		if !strings.Contains(string(page), "`"+string(k)+"`") {
			t.Errorf("the page does not name the kind %q", k)
		}
	}
}

func table(infos []channels.Info) string {
	var b strings.Builder
	b.WriteString("| channel | what | good for | results are | key | pace, at once | filters by | tested with |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, i := range infos {
		what := i.Description.Description
		if _, rest, ok := strings.Cut(what, ": "); ok && !strings.Contains(rest, ": ") {
			what = rest
		}
		tested := i.Tested
		if i.Experimental {
			tested = "experimental: " + tested
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s | %s |\n", i.Name, what, strings.Join(i.GoodFor, "; "),
			cmp.Or(strings.Join(i.SourceTypes, ", "), "–"), keyWords(i), pace.Replace(i.RateLimit),
			cmp.Or(filterWords(i.Honours), "–"), tested)
	}
	return b.String()
}

var pace = strings.NewReplacer(" requests per second", "/s", " request per second", "/s", " at once", "×")

func keyWords(i channels.Info) string {
	words := "none"
	switch variable := "`CITELOOP_" + channels.EnvName(i.Name) + "_KEY`"; {
	case i.NeedsKey:
		words = variable + " (" + i.KeyFrom + ")"
	case i.KeyFrom != "":
		words = "optional: " + variable + " (" + strings.TrimPrefix(strings.TrimPrefix(i.KeyFrom, "optional: "), "optional, ") + ")"
	}
	if i.BestEffort {
		words = strings.TrimPrefix(words+"; off by default", "none; ")
	}
	return words
}

func filterWords(f channels.Filters) string {
	return map[channels.Filters]string{{Dates: true}: "dates", {Language: true}: "language", {true, true}: "dates, language"}[f]
}

// Every channel of the catalog has a row in webSources, or tests of its own, and says what it is.
func TestEveryChannelIsTested(t *testing.T) {
	recorded, err := os.ReadFile(recordedFile)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{} // by recorded answers
	for line := range strings.Lines(string(recorded)) {
		if fields := strings.Fields(line); fields[2] == string(channels.StatusOK) {
			found[fields[0]] = true
		}
	}
	tested := map[string]bool{"local": true, "wayback": true} // wayback: see outcomes_test.go
	for _, s := range webSources() {
		tested[s.name] = true
	}
	for _, info := range registry(t, newClock(), channels.Config{}, nil).List() {
		switch {
		case !tested[info.Name]:
			t.Errorf("%s has no row among webSources", info.Name)
		case info.Experimental == (info.Live || found[info.Name]):
			t.Errorf("%s: experimental %v", info.Name, info.Experimental)
		case info.Description.Description == "" || len(info.GoodFor) == 0 || info.Tested == "" || len(info.Hosts) == 0 &&
			info.Name != "local":
			t.Errorf("%s lacks a description, or its hosts", info.Name)
		case slices.ContainsFunc(info.SourceTypes, func(s string) bool { return !docid.ValidSourceType(s) }):
			t.Errorf("%s: source types %q", info.Name, info.SourceTypes)
		}
	}
}
