package apps

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/views"
	"github.com/citeloop/citeloop/loopstate"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// aLoop returns a loop with every kind of item.
func aLoop() loops.LoopDetail {
	p := loops.LoopDetail{Closed: 2, UpdatedAt: time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)}
	p.StateID, p.Version, p.Query, p.AsOf, p.Status, p.Round = "0198c0de-1111-7000-8000-000000000001", 41, "Does a four-day week raise output?", "2026-11-20", "running", 2
	p.Progress.OpenGaps, p.Progress.Origins = 2, 2
	cost, seconds := 1.5, 610
	p.Remaining = loopstate.Remaining{Rounds: 3, Tokens: 1_234_567, CostUSD: &cost, LatencySeconds: &seconds}
	p.Decision = loopstate.Decision{NextAction: loopstate.SearchMore, Because: "2 material gaps are open, and 3 rounds are left", Target: "four-day week output randomized", TargetGap: "G2"}
	p.Rounds = []loopstate.Round{{Round: 1, Sources: 2, NewSources: 2, Claims: 1, OpenGaps: 3}, {Round: 2, Sources: 3, NewSources: 1, Claims: 3, OpenGaps: 2, SignOff: true}}
	p.Gaps = []loops.Gap{
		{Gap: loopstate.Gap{ID: "G2", Gap: "Is any trial randomized?", Material: true, Status: loopstate.GapOpen}, Tried: "searched in 1 round"},
		{Gap: loopstate.Gap{ID: "G3", Gap: "What do workers say?", Status: loopstate.GapOpen}},
		{Gap: loopstate.Gap{ID: "G1", Gap: "closed already", Status: loopstate.GapAnswered}},
	}
	p.Claims = []loopstate.Claim{
		{ID: "C1", Claim: "Output did not fall.", SourceIDs: []string{"S1", "S2"}, Check: &loopstate.ClaimCheck{Status: loopstate.Grounded, Basis: loopstate.BasisReview, Lines: "S1:12-14; S2:3"}},
		{ID: "C2", Claim: "Most firms kept it.", SourceIDs: []string{"S2"}, Check: &loopstate.ClaimCheck{Status: loopstate.Unsupported}, Gap: true},
		{ID: "C3", Claim: "It pays.", SourceIDs: []string{"S3"}},
	}
	p.Sources = []views.ViewedSource{
		{Source: loopstate.Source{ID: "S1", Title: "A trial", FinalURL: "https://example.org/trial?a=1&b=2", SourceType: "peer", PublishedAt: "2024"}},
		{Source: loopstate.Source{ID: "S2", Title: "A copy", FinalURL: "https://example.org/copy", DuplicateOf: "S1"}},
		{Source: loopstate.Source{ID: "S3", FinalURL: "file:///etc/passwd", Pasted: true, Flags: []string{"instructions: near the end"}}},
	}
	p.Contradictions = []loopstate.Contradiction{{ID: "X1"}, {ID: "X2", Resolution: "another year"}}
	p.Unseen = "About 5 sources are probably not found yet."
	return p
}

func page(t *testing.T, p loops.LoopDetail) string {
	t.Helper()
	got, err := Page(p)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// mainOf returns the part of a page about its loop.
func mainOf(t *testing.T, doc string) string {
	t.Helper()
	from, to := strings.Index(doc, "<main"), strings.Index(doc, "</main>")
	if from < 0 || to < from {
		t.Fatalf("a page without its main part: %s", doc)
	}
	return doc[from:to] + "</main>\n"
}

func TestGoldenPage(t *testing.T) {
	got := mainOf(t, page(t, aLoop()))
	path := filepath.Join("testdata", "loop.html")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run go test ./apps -update", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the page of a loop has changed (-want +got); if that is meant, run go test ./apps -update:\n%s", diff)
	}
}

// Untrusted text stays text: a page with hostile words has the same elements, attributes and addresses as one with
// harmless words.
func TestHostileWords(t *testing.T) {
	for name, words := range map[string]string{
		"markup":       `</main><script>alert(1)</script><img src=x onerror=alert(1)>`,
		"an attribute": `" onmouseover="alert(1)" x="`,
		"a comment":    `<!-- --><style>*{display:none}</style>`,
		"a template":   `{{.Script}} ${alert(1)} ` + "`",
		"svg":          `<svg><a href="javascript:alert(1)"><text>x</text></a></svg>`,
		"bad UTF-8":    "a\xff\xfe<b>\x00c",
		"entities":     `&lt;script&gt;&#x6a;avascript:`,
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(shape(t, page(t, spoken("harmless"))), shape(t, page(t, spoken(words)))); diff != "" {
				t.Errorf("the page has another shape (-harmless +hostile):\n%s", diff)
			}
		})
	}
}

// spoken returns a loop in which every text is words.
func spoken(words string) loops.LoopDetail {
	p := aLoop()
	p.Query, p.AsOf, p.Unseen, p.Abort = words, words, words, words
	p.Decision.Because, p.Decision.Target, p.Decision.StopReason, p.Decision.NextAction = words, words, words, words
	for i := range p.Gaps {
		p.Gaps[i].Gap.Gap, p.Gaps[i].Tried = words, words
	}
	for i := range p.Claims {
		p.Claims[i].Claim, p.Claims[i].SourceIDs = words, []string{words}
	}
	for i := range p.Sources {
		s := &p.Sources[i]
		s.Title, s.SourceType, s.PublishedAt, s.DuplicateOf, s.Flags = words, words, words, words, []string{words}
		s.FinalURL = "javascript:" + words
	}
	return p
}

// shape lists the elements of a document, the names of their attributes, and the values of attributes with an effect.
func shape(t *testing.T, doc string) []string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		said := n.Data
		for _, a := range n.Attr {
			if said += " " + a.Key; a.Key == "href" || a.Key == "src" || a.Key == "content" {
				said += "=" + a.Val
			}
		}
		out = append(out, said)
	}
	return out
}

func TestDirectionsAreDropped(t *testing.T) {
	got := mainOf(t, page(t, spoken("abc\u202edef\u2066g\ufeffh\u0007i")))
	if strings.ContainsAny(got, "\u202e\u2066\ufeff\u0007") || !strings.Contains(got, "abcdefghi") {
		t.Errorf("the page has direction or invisible characters: %q", got)
	}
}

// The size of a page is bounded for any loop and any untrusted text.
func TestPagesAreBounded(t *testing.T) {
	const most = 200_000 // bytes
	for name, words := range map[string]string{"words": strings.Repeat("word ", 400_000), "one word": strings.Repeat("x", 2_000_000), "Chinese": strings.Repeat("灯塔", 500_000), "to escape": strings.Repeat("&<\"", 500_000)} {
		t.Run(name, func(t *testing.T) {
			p := spoken(words)
			for i := range 2_000 {
				p.Gaps = append(p.Gaps, p.Gaps[0])
				p.Claims = append(p.Claims, p.Claims[0])
				s := p.Sources[0]
				s.ID = fmt.Sprintf("S%d", i+4)
				p.Sources = append(p.Sources, s)
				p.Rounds = append(p.Rounds, loopstate.Round{Round: i + 3, Sources: i, NewSources: 1})
			}
			p.Round = len(p.Rounds)
			got := page(t, p)
			if len(got) > most {
				t.Errorf("a page has %d bytes, want %d at most", len(got), most)
			}
			for _, said := range []string{">2003<", "and 1983 more", "the last 5 of 2002 rounds", ">S2003<"} {
				if !strings.Contains(got, said) {
					t.Errorf("the page does not say %q", said)
				}
			}
		})
	}
}

// Documents load nothing, and run only our script.
func TestDocumentsAreSelfContained(t *testing.T) {
	shell, err := Shell()
	if err != nil {
		t.Fatal(err)
	}
	for name, doc := range map[string]string{"shell": shell, "page": page(t, aLoop())} {
		t.Run(name, func(t *testing.T) {
			for _, m := range regexp.MustCompile(`(?i)<(link|img|iframe|script|object|embed|base|form|video|audio|source|use|image)\b[^>]*>`).FindAllString(doc, -1) {
				if m != "<script>" {
					t.Errorf("there is a %s", m)
				}
			}
			for _, bad := range []string{"url(", "@import", "@font-face", "fetch(", "XMLHttpRequest", "WebSocket", "EventSource", "eval(", "innerHTML", "insertAdjacent", "document.write", " style=", "localStorage"} {
				if strings.Contains(doc, bad) {
					t.Errorf("it has %q", bad)
				}
			}
			if n := strings.Count(doc, "</script>"); n != 1 {
				t.Errorf("%d scripts end in it", n)
			}
			policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(doc)
			if policy == nil || !strings.HasPrefix(html.UnescapeString(policy[1]), "default-src 'none'; style-src 'sha256-") || strings.Contains(policy[1], "unsafe") {
				t.Fatalf("policy %q", policy)
			}
			for _, tag := range []string{"style", "script"} {
				inside := regexp.MustCompile(`(?s)<` + tag + `>(.*)</` + tag + `>`).FindStringSubmatch(doc)
				if inside == nil || !strings.Contains(html.UnescapeString(policy[1]), tag+"-src "+digest(inside[1])) {
					t.Errorf("the policy does not allow our %s", tag)
				}
			}
		})
	}
	if len(shell) > 40_000 {
		t.Errorf("the shell has %d bytes", len(shell))
	}
}

// The shell copies only the elements and attributes that it lists; they must include those of our pages.
func TestShellCopiesThePage(t *testing.T) {
	known := func(name string) map[string]bool {
		m := regexp.MustCompile(name + ` = new Set\("([^"]*)"`).FindStringSubmatch(script)
		if m == nil {
			t.Fatalf("the script has no list of %s", name)
		}
		all := map[string]bool{}
		for _, w := range strings.Fields(m[1]) {
			all[strings.ToLower(w)] = true
		}
		return all
	}
	elements, attributes := known("elements"), known("attributes")
	for _, bad := range []string{"script", "style", "iframe", "img", "form", "input", "button", "template", "foreignobject", "use", "image", "animate", "set"} {
		if elements[bad] {
			t.Errorf("the shell copies %s", bad)
		}
	}
	for a := range attributes {
		if strings.HasPrefix(a, "on") || a == "style" || a == "href" || a == "src" {
			t.Errorf("the shell copies every %s", a)
		}
	}
	handled := map[string]bool{"href": true, "target": true, "rel": true, "xmlns": true} // set by the shell itself, or not needed
	for _, said := range shape(t, mainOf(t, page(t, aLoop()))) {
		words := strings.Fields(said)
		if words[0] == "html" || words[0] == "head" || words[0] == "body" {
			continue
		}
		if !elements[words[0]] {
			t.Errorf("the shell loses %s", words[0])
		}
		for _, a := range words[1:] {
			if a, _, _ = strings.Cut(a, "="); !attributes[strings.ToLower(a)] && !handled[a] {
				t.Errorf("the shell loses the attribute %s of %s", a, words[0])
			}
		}
	}
}

func TestAddresses(t *testing.T) {
	for uri, want := range map[string]string{
		URI("0198c0de-1111-7000-8000-000000000001"): "0198c0de-1111-7000-8000-000000000001",
		ShellURI:                     "",
		ShellURI + "/":               "",
		URI("a/b"):                   "",
		URI(".."):                    "",
		URI("a%2Fb"):                 "",
		URI("a?b"):                   "",
		"UI://citeloop/loop/a":       "",
		"citeloop://loops/a":         "",
		URI(strings.Repeat("a", 65)): "",
	} {
		if got, ok := LoopOf(uri); got != want || ok != (want != "") {
			t.Errorf("%q leads to %q, %v; want %q", uri, got, ok, want)
		}
	}
}

func TestDeclared(t *testing.T) {
	for raw, want := range map[string]bool{
		`{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}`: true,
		`{"io.modelcontextprotocol/ui":{"mimeTypes":[]}}`:                            false,
		`{"io.modelcontextprotocol/ui":{"mimeTypes":[null,3]}}`:                      false,
		`{"io.modelcontextprotocol/ui":null}`:                                        false,
		`null`:                                                                       false,
	} {
		var extensions map[string]any
		if err := json.Unmarshal([]byte(raw), &extensions); err != nil {
			t.Fatal(err)
		}
		if got := Declared(extensions); got != want {
			t.Errorf("%s declares %v", raw, got)
		}
	}
}
