package local

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/text/lines"
)

// proposals are invented files of the kinds that a folder of proposals has, by path.
var proposals = map[string]string{
	"EIPS/eip-7702.md": "---\neip: 7702\ntitle: Set code for accounts\nauthor: Cy Dow (@cydow)\nstatus: Final\ntype: Standards Track\n" +
		"created: 2024-05-07\n---\n\nAn account may point to code.\n",
	"EIPS/eip-90938.md": "---\neip: 90938\ntitle: Lamp account sponsoring\nstatus: Stagnant\nwithdrawal-reason: Superseded by EIP-7702\n" +
		"---\n\n## Abstract\n\nA keeper pays for the oil of a ship that has no account.\n\n## Rationale\n\nShips arrive without coins.\n",
	"keps/sig-node/2000-graceful-node-shutdown/README.md": "<!-- template -->\n# KEP-2000: Graceful Node Shutdown\n\n## Summary\n\n" +
		"The kubelet ends pods in order.\n",
	"keps/sig-node/2000-graceful-node-shutdown/kep.yaml": "title: Graceful node shutdown\nkep-number: 2000\nstatus: implementable\n" +
		"authors:\n  - \"@ann\"\n\n# The stage of this cycle.\nstage: beta\n",
	"keps/sig-node/2001-swap_of_memory/README.md": "# Swap\n\nAs KEP-2000 and its graceful-node-shutdown say, and swap_of_memory. " +
		"KEP-2000 again.\n",
	"rfc/rfc9110.txt": "Internet Engineering Task Force (IETF)                  R. Fielding, Ed.\nRequest for Comments: 9110    " +
		"                                     Adobe\nObsoletes: 80068                                           B. Wick\n" +
		"Category: Standards Track                                      June 2022\n\n\n" +
		"                             HTTP Semantics\n\nAbstract\n\n   The protocol is stateless.\n",
	"rfc/moved.txt": "Internet Engineering Task Force (IETF)                  R. Fielding, Ed.\nRequest for Comments: 9112      " +
		"                                   Adobe\nCategory: Standards Track                                      June 2022\n\n\n     " +
		"                        HTTP/1.1\n\nAbstract\n\n   Messages of it.\n",
	"site/history.md":   "+++\ntitle = \"A history of lamps\"\nstatus = \"Retired\"\n+++\n\n# Oil\n\nWhale oil came first.\n",
	"data/harbours.csv": "harbour,depth_m,lamps\nAldmoor,9,4\nBrinholt,7,2\n",
	"data/lamps.toml":   "[lamp.aldmoor]\nheight_m = 41\nfuel = \"colza\"\n",
	"src/lamp.go":       "package lamp\n\n// Trim cuts the wick.\nfunc Trim(length int) int {\n\treturn max(length, wickFloor)\n}\n",
	"Wickfile":          "trim:\n\tcut --to 3mm\n",
	"logs/night.jsonl":  "{\"at\": 1, \"event\": \"lamp doused by gale\"}\n{\"at\": 2, \"event\": \"lamp relit\"}\n",
	"pages/one.html": `<!doctype html><html lang="en"><head><title>One page</title><meta name="keywords" content="tide, mill"><meta ` +
		`property="og:site_name" content="The Mill"></head><body><article><h1>One page</h1><p>` +
		strings.Repeat("The mill turns with the tide. ", 20) + `</p></article></body></html>`,
	// Left out.
	"src/app.js": strings.Repeat("a=1;", 6_000), "pictures/a.png": "\x89PNG\r\n\x1a\n\x00\x00", "tool": "\x7fELF\x00\x01",
	"deploy.env": "KEY=hunter2", ".env": "KEY=hunter2", "big.json": strings.Repeat("[\"lamp\"]\n", 1<<18), "go.sum": "h1:lamp",
	"torn.docx": "no zip", "signing.yaml": "key: |\n  -----BEGIN PRIVATE KEY-----\n",
}

// searchable is a corpus of proposals and of 300 generated ones, read by fetch.
func searchable(t testing.TB) (*Corpus, *fetch.Reader, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range proposals {
		writeFile(t, filepath.Join(dir, name), body)
	}
	subjects := strings.Fields("delegation staking blob gas calldata signature nonce trie withdrawal beacon")
	for i := range 300 {
		n := 7 + 29*i
		writeFile(t, filepath.Join(dir, fmt.Sprintf("EIPS/eip-%d.md", n)), fmt.Sprintf(
			"---\neip: %d\ntitle: The %s of %s, part %d\nauthor: Ann Lee (@ann), Bo Ek <bo@example.org>\nstatus: %s\ntype: "+
				"%s\nrequires: %d, 155\ncreated: 20%02d-03-0%d\n---\n\n## Abstract\n\nThis proposal changes the %s as EIP-%d did, and "+
				"asks for EIP-%d, EIP-%d and EIP-7702. %s\n",
			n, subjects[i%10], subjects[(i/10)%10], i, []string{"Final", "Draft", "Draft", "Withdrawn", "Last Call"}[i%5],
			[]string{"Standards Track", "Meta"}[i%2], n-29, 15+i%10, 1+i%9,
			subjects[i%10], n+29, n+58, n-29, strings.Repeat("Its status is final, and it names EIP-7702 and 9110 again. ", i%7)))
	}
	reader, err := fetch.New(fetch.Config{Corpus: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(Config{Folders: []string{dir}, Dir: t.TempDir(), Reader: reader, Patience: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(c.Close(), reader.Close()); err != nil {
			t.Error(err)
		}
	})
	return c, reader, dir
}

// What a document states of itself, its number and its name find it first, among hundreds that mention it; its lines are those of the
// file, and fetch reads the same text.
func TestSearchFinds(t *testing.T) {
	c, reader, _ := searchable(t)
	const kep, swap = "2000-graceful-node-shutdown/README.md", "2001-swap_of_memory/README.md"
	for _, tt := range []struct{ query, path, line, section string }{
		{"status: Stagnant", "eip-90938.md", "status: Stagnant", ""}, {"status:implementable", "kep.yaml", "status: implementable", ""},
		{"withdrawal-reason: Superseded", "eip-90938.md", "withdrawal-reason: Superseded by EIP-7702", ""},
		{"status: Retired", "site/history.md", "status = \"Retired\"", ""}, {"stage: beta", "kep.yaml", "stage: beta", ""},
		{"Obsoletes: 80068", "rfc9110.txt", "Obsoletes: 80068                                           B. Wick", ""},
		{"author:fielding stateless", "rfc9110.txt", "   The protocol is stateless.", "Abstract"},
		{"author:Dow", "eip-7702.md", "", ""}, {"Brinholt depth", "harbours.csv", "Brinholt,7,2", ""},
		{"colza fuel", "lamps.toml", "fuel = \"colza\"", ""}, {"wickFloor", "lamp.go", "\treturn max(length, wickFloor)", ""},
		{"lamp doused gale", "night.jsonl", "{\"at\": 1, \"event\": \"lamp doused by gale\"}", ""}, {"wickfile", "Wickfile", "", ""},
		{"who pays for oil by EIP-90938?", "eip-90938.md", "A keeper pays for the oil of a ship that has no account.", "Abstract"},
		{`type:"Standards Track" accounts`, "eip-7702.md", "", ""}, {"ext:csv lamps", "harbours.csv", "", ""},
		{"graceful kubelet pods", kep, "The kubelet ends pods in order.", "KEP-2000: Graceful Node Shutdown > Summary"},
		{"EIP-7702", "eip-7702.md", "", ""}, {"eip-7702.md", "eip-7702.md", "", ""}, {"7702", "eip-7702.md", "", ""},
		{"eip 7702", "eip-7702.md", "", ""}, {"eip7702", "eip-7702.md", "", ""}, {"EIP-36", "eip-36.md", "", ""},
		{"EIP-0036", "eip-36.md", "", ""}, {"KEP-2000", kep, "", ""}, {"kep 2000", kep, "", ""},
		{"2000-graceful-node-shutdown", kep, "", ""}, {"graceful-node-shutdown", kep, "", ""}, {"swap_of_memory", swap, "", ""},
		{"rfc 9110", "rfc9110.txt", "", ""}, {"RFC9110", "rfc9110.txt", "", ""}, {"9110", "rfc9110.txt", "", ""},
		{"rfc 9112", "moved.txt", "", ""}, {"9112", "moved.txt", "", ""},
		{"what does EIP 7702 say of accounts?", "eip-7702.md", "An account may point to code.", ""},
		{"stateless HTTP (RFC 9110)", "rfc9110.txt", "", ""},
	} {
		hits, _, err := c.Search(t.Context(), tt.query, 10)
		if err != nil || len(hits) == 0 || !strings.HasSuffix(filepath.ToSlash(hits[0].Path), "/"+tt.path) {
			t.Errorf("%q finds %v first, want %s (%v)", tt.query, paths(hits), tt.path, err)
			continue
		}
		first, found := hits[0], paths(hits)
		if first.Passage == "" || len(hits) > 1 && hits[1].Score > first.Score ||
			len(slices.Compact(slices.Sorted(slices.Values(found)))) != len(found) {
			t.Errorf("%q: %+v first of %v", tt.query, first, found)
		}
		cited, ok := lines.ParseRanges(first.Lines)
		page := reader.Read(t.Context(), fetch.FileAddress(first.Path))
		if !ok || page.Status != fetch.StatusRead {
			t.Errorf("%q: lines %q, %s, %s", tt.query, first.Lines, page.Status, page.Reason)
			continue
		}
		_, _, text := lines.New(page.Text).Span(cited[0])
		if !strings.Contains("\n"+text+"\n", "\n"+tt.line+"\n") && tt.line != "" || tt.section != "" && first.Section != tt.section {
			t.Errorf("%q: lines %s are %q below %q, want %q below %q", tt.query, first.Lines, text, first.Section, tt.line, tt.section)
		}
	}
	for _, secret := range []string{"hunter2", "PRIVATE KEY"} {
		if hits, _, _ := c.Search(t.Context(), secret, 5); len(hits) > 0 && strings.Contains(hits[0].Passage, secret) {
			t.Errorf("%s is found: %+v", secret, hits)
		}
	}
	if got, want := c.Words(), "314 files; left out: may hold secrets (2: .env, deploy.env), binary files (1), generated or minified (1), "+
		"images (1), larger than 2 MB (1), lock files (1), unreadable (1: torn.docx (cannot be read: "; !strings.HasPrefix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

func paths(hits []Hit) (out []string) {
	for _, h := range hits {
		out = append(out, h.Path)
	}
	return out
}

func TestList(t *testing.T) {
	c, _, dir := searchable(t)
	for _, tt := range []struct {
		query string
		want  int
		words string
	}{
		{"*", 314, "314 documents"}, {"status:Final", 61, "61 of 314 documents have status: Final"},
		{"status: final", 61, "61 of 314 documents have status: final"},
		{"status: Last Call AND type:Meta", 30, "30 of 314 documents have status: Last Call and type: Meta"},
		{`status:Final type:"Standards Track"`, 31, "31 of 314 documents have status: Final and type: Standards Track"},
		{"type:standards -status:Final", 120, `120 of 314 documents have type containing "standards" and not status: Final`},
		{"requires:155 status:Draft", 120, "120 of 314 documents have requires: 155 and status: Draft"},
		{"author:lee", 300, `300 of 314 documents have author containing "lee"`},
		{"created:2024", 31, `31 of 314 documents have created containing "2024"`},
		{"shutdown", 2, `2 of 314 documents have "shutdown" in path or title`},
		{"path:keps stage:beta", 1, `1 of 314 documents have path containing "keps" and stage: beta`},
		{"publisher:\"the mill\"", 1, "1 of 314 documents have publisher: the mill"},
		{"category:\"standards track\"", 2, "2 of 314 documents have category: standards track"},
		{"type:html", 1, "1 of 314 documents have type: html"},
		{"statsu:Final", 0, `no document has the field "statsu"; fields: title (314), type (314), `},
		{"eip:9999999", 0, "no document has eip: 9999999; eip has 302 different values, such as 7 (1), 36 (1), 65 (1), and 299 more"},
		{"status:Finl", 0, "no document has status: Finl; values of status: Draft (120), Final (61), Last Call (60), Withdrawn (60), "},
	} {
		l, _, err := c.List(t.Context(), tt.query, 0, 500)
		if err != nil || l.Total != tt.want || len(l.Entries) != tt.want || !strings.HasPrefix(l.Words, tt.words) {
			t.Errorf("%s: %d documents, %q, %v; want %d, %q", tt.query, len(l.Entries), l.Words, err, tt.want, tt.words)
		}
	}
	// The order is that of the names, with numbers as numbers.
	l, _, err := c.List(t.Context(), "status:Final eip", 53, 4)
	var names []string
	for _, e := range l.Entries {
		names = append(names, filepath.Base(e.Path))
	}
	page := []string{"eip-7692.md", "eip-7702.md", "eip-7837.md", "eip-7982.md"}
	if diff := cmp.Diff(page, names); diff != "" || err != nil || l.First != 53 {
		t.Fatalf("page from %d, %v (-want +got)\n%s", l.First, err, diff)
	}
	want := Entry{About{Path: filepath.Join(dir, "EIPS", "eip-7702.md"), Title: "Set code for accounts", Authors: []string{"Cy Dow"},
		PublishedAt: "2024-05-07", Type: "markdown", Bytes: 157},
		"status: Final; 157 bytes; eip: 7702; author: Cy Dow (@cydow); type: Standards Track; created: 2024-05-07"}
	if diff := cmp.Diff(want, l.Entries[1], cmpopts.IgnoreUnexported(About{}), cmpopts.IgnoreFields(About{}, "States")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func FuzzFilters(f *testing.F) {
	for _, q := range []string{"*", `status:Final type:"Standards Track" -x`, `a: b c: "d`, ":::", `"`} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, query string) {
		filters := filtersOf(query)
		if len(filters) > maxQueryFields || slices.ContainsFunc(filters, func(f filter) bool { return f.value == "" }) {
			t.Errorf("%q has %d filters, or one without a value", query, len(filters))
		}
		if n, ok := nameIn(query); ok && len(n.tokens) == 0 {
			t.Errorf("%q is a name without words", query)
		}
	})
}
