package local

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/docid"
)

// proposals is a corpus of a few hundred generated proposals with heads of several forms, read by fetch.
func proposals(t testing.TB) (*Corpus, string) {
	t.Helper()
	dir := t.TempDir()
	statuses := []string{"Final", "Draft", "Draft", "Withdrawn", "Last Call"}
	subjects := strings.Fields("delegation staking blob gas calldata signature nonce trie withdrawal beacon")
	for i := range 300 {
		n := 7 + 29*i
		write(t, dir, fmt.Sprintf("EIPS/eip-%d.md", n), fmt.Sprintf(
			"---\neip: %d\ntitle: The %s of %s, part %d\nauthor: Ann Lee (@ann), Bo Ek <bo@example.org>\nstatus: %s\ntype: "+
				"%s\nrequires: %d, 155\ncreated: 20%02d-03-0%d\n---\n\n## Abstract\n\nThis proposal changes the %s as EIP-%d did, and "+
				"asks for EIP-%d, EIP-%d and EIP-7702. %s\n",
			n, subjects[i%10], subjects[(i/10)%10], i, statuses[i%5], []string{"Standards Track", "Meta"}[i%2], n-29, 15+i%10, 1+i%9,
			subjects[i%10], n+29, n+58, n-29, strings.Repeat("It names EIP-7702 and 9110 again. ", i%7)))
	}
	write(t, dir, "EIPS/eip-7702.md", "---\neip: 7702\ntitle: Set code for accounts\nstatus: Final\ntype: Standards Track\ncreated: "+
		"2024-05-07\n---\n\nAn account may point to code.\n")
	write(t, dir, "keps/sig-node/2000-graceful-node-shutdown/README.md",
		"# KEP-2000: Graceful Node Shutdown\n\nThe kubelet ends pods in order.\n")
	write(t, dir, "keps/sig-node/2000-graceful-node-shutdown/kep.yaml",
		"title: Graceful node shutdown\nkep-number: 2000\nstatus: implementable\nstage: beta\nauthors:\n  - \"@ann\"\n")
	write(t, dir, "keps/sig-node/2001-swap_of_memory/README.md",
		"# Swap\n\nAs KEP-2000 and its graceful-node-shutdown say, and swap_of_memory. KEP-2000 again.\n")
	write(t, dir, "rfc/rfc9110.txt",
		"Internet Engineering Task Force (IETF)                  R. Fielding, Ed.\nRequest for Comments: 9110    "+
			"                                     Adobe\nCategory: Standards Track                                      June 2022\n\n\n   "+
			"                          HTTP Semantics\n\nAbstract\n\n   The protocol is stateless.\n")
	write(t, dir, "rfc/moved.txt",
		"Internet Engineering Task Force (IETF)                  R. Fielding, Ed.\nRequest for Comments: 9112      "+
			"                                   Adobe\nCategory: Standards Track                                      June 2022\n\n\n     "+
			"                        HTTP/1.1\n\nAbstract\n\n   Messages of it.\n")
	write(t, dir, "pages/one.html", `<!doctype html><html lang="en"><head><title>One page</title><meta name="keywords" content="tide, `+
		`mill"><meta property="og:site_name" content="The Mill"></head><body><article><h1>One page</h1><p>`+strings.Repeat("The mill "+
		"turns with the tide. ", 20)+`</p></article></body></html>`)
	c, _ := indexed(t, dir)
	return c, dir
}

// list lists all pages of a query.
func list(t testing.TB, c *Corpus, query string, limit int) (names []string, all []Hit, words string) {
	t.Helper()
	from, after := 0, uint32(0)
	for {
		l, _, err := c.List(t.Context(), query, from, after, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range l.Hits {
			names = append(names, filepath.Base(e.Path))
		}
		all, words = append(all, l.Hits...), l.Words
		if from = l.First + len(l.Hits); from >= l.Total || len(l.Hits) == 0 {
			return names, all, words
		}
		after = docid.Mark(fetch.FileAddress(all[len(all)-1].Path))
	}
}

func TestListFilters(t *testing.T) {
	c, _ := proposals(t)
	tests := []struct {
		query string
		want  int
		words string
	}{
		{"*", 307, "307 documents"},
		{"status:Final", 61, "61 of 307 documents have status:Final"},
		{"status: final", 61, "61 of 307 documents have status: final"},
		{"status: Last Call", 60, "60 of 307 documents have status: Last Call"},
		{"status: Last Call AND type:Meta", 30, "30 of 307 documents have status: Last Call AND type:Meta"},
		{`status:Final type:"Standards Track"`, 31, `31 of 307 documents have status:Final type:"Standards Track"`},
		{"type:standards -status:Final", 120, "120 of 307 documents have type:standards -status:Final"},
		{"requires:155 status:Draft", 120, "120 of 307 documents have requires:155 status:Draft"},
		{"author:lee", 300, "300 of 307 documents have author:lee"},
		{"created:2024", 31, "31 of 307 documents have created:2024"},
		{"shutdown", 2, "2 of 307 documents have shutdown"},
		{"path:keps stage:beta", 1, "1 of 307 documents have path:keps stage:beta"},
		{"kep-number:2000", 1, "1 of 307 documents have kep-number:2000"},
		{"publisher:\"the mill\"", 1, `1 of 307 documents have publisher:"the mill"`},
		{"category:\"standards track\"", 2, `2 of 307 documents have category:"standards track"`},
		{"type:html", 1, "1 of 307 documents have type:html"},
		{"statsu:Final", 0, "0 of 307 documents have statsu:Final; fields: author, authors, category, created, date, "},
		{"status:Finl", 0, "0 of 307 documents have status:Finl; fields: author, "},
	}
	for _, tt := range tests {
		names, _, words := list(t, c, tt.query, 50)
		if len(names) != tt.want || !strings.HasPrefix(words, tt.words) {
			t.Errorf("%s: %d documents, %q; want %d, %q", tt.query, len(names), words, tt.want, tt.words)
		}
	}
}

// A list is in the order of the names, each page goes on behind the last one, and its entries have what the heads state.
func TestListPages(t *testing.T) {
	c, dir := proposals(t)
	names, all, _ := list(t, c, "status:Final eip", 7)
	if len(names) != 61 || !slices.IsSortedFunc(names, func(a, b string) int { return strings.Compare(sortKey(a), sortKey(b)) }) ||
		len(slices.Compact(slices.Clone(names))) != 61 {
		t.Errorf("%d names: %v", len(names), names)
	}
	at := slices.Index(names, "eip-7702.md")
	want := Hit{About: About{Path: filepath.Join(dir, "EIPS", "eip-7702.md"), Title: "Set code for accounts", PublishedAt: "2024-05-07",
		Language: "en", Type: "markdown", Bytes: 133, Head: all[at].About.Head},
		Passage: "133 bytes; eip: 7702; status: Final; type: Standards Track; created: 2024-05-07"}
	if diff := cmp.Diff(want, all[at]); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	// A document that vanishes between two pages moves nothing.
	first, _, err := c.List(t.Context(), "status:Final eip", 0, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(first.Hits[0].Path); err != nil {
		t.Fatal(err)
	}
	<-c.start(0)
	next, _, err := c.List(t.Context(), "status:Final eip", 10, docid.Mark(fetch.FileAddress(first.Hits[9].Path)), 10)
	if err != nil || len(next.Hits) != 10 || filepath.Base(next.Hits[0].Path) != names[10] {
		t.Errorf("the second page begins with %v, want %s (%v)", next.Hits[:min(1, len(next.Hits))], names[10], err)
	}
}

// A document's number and name find it first, among hundreds that mention it.
func TestNameFindsItsDocument(t *testing.T) {
	c, _ := proposals(t)
	for query, want := range map[string]string{
		"EIP-7702": "EIPS/eip-7702.md", "eip-7702.md": "EIPS/eip-7702.md", "7702": "EIPS/eip-7702.md", "eip 7702": "EIPS/eip-7702.md",
		"eip7702": "EIPS/eip-7702.md", "EIP-36": "EIPS/eip-36.md", "EIP-0036": "EIPS/eip-36.md",
		"KEP-2000":                    "keps/sig-node/2000-graceful-node-shutdown/README.md",
		"kep 2000":                    "keps/sig-node/2000-graceful-node-shutdown/README.md",
		"2000-graceful-node-shutdown": "keps/sig-node/2000-graceful-node-shutdown/README.md",
		"graceful-node-shutdown":      "keps/sig-node/2000-graceful-node-shutdown/README.md",
		"swap_of_memory":              "keps/sig-node/2001-swap_of_memory/README.md",
		"rfc 9110":                    "rfc/rfc9110.txt", "RFC9110": "rfc/rfc9110.txt", "9110": "rfc/rfc9110.txt",
		"rfc 9112": "rfc/moved.txt", "9112": "rfc/moved.txt",
		"what does EIP 7702 say of accounts?": "EIPS/eip-7702.md", "stateless HTTP (RFC 9110)": "rfc/rfc9110.txt",
	} {
		hits, _, err := c.Search(t.Context(), query, 10)
		if err != nil || len(hits) == 0 || !strings.HasSuffix(filepath.ToSlash(hits[0].Path), "/"+want) {
			t.Errorf("%q finds %v first, want %s (%v)", query, paths(hits), want, err)
			continue
		}
		if hits[0].Passage == "" || len(hits) > 1 && hits[1].Score > hits[0].Score {
			t.Errorf("%q: %+v", query, hits[0])
		}
		if found := paths(hits); len(slices.Compact(slices.Sorted(slices.Values(found)))) != len(found) {
			t.Errorf("%q finds a document twice: %v", query, found)
		}
	}
}

func paths(hits []Hit) (out []string) {
	for _, h := range hits {
		out = append(out, h.Path)
	}
	return out
}

func FuzzFilters(f *testing.F) {
	for _, q := range []string{"*", `status:Final type:"Standards Track" -x`, `a: b c: "d`, ":::", `"`} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, query string) {
		filters := filtersOf(query)
		if len(filters) > maxTokens {
			t.Errorf("%d filters", len(filters))
		}
		for _, f := range filters {
			if f.value == "" {
				t.Errorf("%q has a filter without a value", query)
			}
		}
		if n, ok := nameIn(query); ok && strings.TrimSpace(n.words) == "" {
			t.Errorf("%q is a name without words", query)
		}
	})
}
