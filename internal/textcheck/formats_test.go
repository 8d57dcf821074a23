package textcheck

import (
	"bytes"
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// A draft with a finding of every kind. The verdicts are fixed here, so that these files do not change with package
// grounding.
const islandDraft = "# The tower of Arden\n" +
	"\n" +
	"The tower was built in 1874 by two brothers named Holt [1]. Eleven men lost their *lives* in a storm\n" +
	"while they built it [1, 2].\n" +
	"\n" +
	"- Its upkeep costs 700 crowns a year [2].\n" +
	"- 塔的维护费每年九百克朗。It is paid by two [parties](https://arden.example/cost).\n" +
	"\n" +
	"It never rains on the island in May. The storms are [famous](https://shut.example/paper), and so is its [ghost](https://arden.example/ghost).\n" +
	"The lamp is of brass [9].\n" +
	"\n" +
	"```\n" +
	"The code, [1].\n" +
	"```\n" +
	"\n" +
	"| what | crowns |\n" +
	"| --- | --- |\n" +
	"| upkeep a year | 900 [2] |\n" +
	"\n" +
	"## References\n" +
	"\n" +
	"[1] The tower of Arden. https://arden.example/tower\n" +
	"[2] What the tower costs. https://arden.example/cost\n"

// Hostile text that could end an annotation, a tag, a message or a line.
const hostileDraft = "The tower has a %0A::error::lamp, <script>alert(1)</script> & \"it\" said \u202eevil\u202c so [x](https://arden.example/cost).\n"

// sampler builds a result by hand.
type sampler struct {
	t *testing.T
	r *Result
	n int // the draft
}

func (s *sampler) draft(name, text string) {
	s.n = len(s.r.drafts)
	s.r.drafts = append(s.r.drafts, parsed{name: name, text: []rune(text), places: placesOf([]rune(text))})
}

// at returns the position of some words of the draft.
func (s *sampler) at(words string) (start, end int, place Place) {
	s.t.Helper()
	d := s.r.drafts[s.n]
	i := strings.Index(string(d.text), words)
	if i < 0 {
		s.t.Fatalf("%q is not in the draft", words)
	}
	start = len([]rune(string(d.text)[:i]))
	end = start + len([]rune(words))
	return start, end, d.places.place(d.name, start, end)
}

func (s *sampler) claim(words, text string, c Claim, cites ...Citation) {
	s.t.Helper()
	c.Claim, c.draft, c.dead = text, s.n, true
	c.start, c.end, c.Place = s.at(words)
	for _, cite := range cites {
		cite.start, cite.end, _ = s.at(cite.Marker)
		cite.source = -1
		for i, src := range s.r.Sources {
			if src.URL == cite.URL {
				cite.source, cite.Status, cite.Reason = i, src.Status, src.Reason
			}
		}
		if cite.source < 0 {
			_, _, place := s.at(cite.Marker)
			s.r.Hallucinated = append(s.r.Hallucinated, DeadCitation{Claim: text, Citation: cite.Marker, Why: cite.Reason, Place: place, draft: s.n})
		} else if cite.Status != statusNotFound {
			c.dead = false
		}
		c.Citations = append(c.Citations, cite)
	}
	s.r.Claims = append(s.r.Claims, c)
	s.r.deadLinks(&s.r.Claims[len(s.r.Claims)-1])
}

func (s *sampler) done() *Result {
	s.r.computeVerdicts()
	s.r.fill()
	return s.r
}

func sampleOf(t *testing.T) *sampler {
	at := noon.Add(-time.Hour)
	source := func(url, title, text string) Source {
		return Source{ID: url, URL: url, FinalURL: url, Status: statusRead, From: fromWeb, Title: title, SHA256: "5e8a" + strings.Repeat("0", 60), Chars: len(text), FetchedAt: &at, Cited: 2, text: text}
	}
	return &sampler{t: t, r: &Result{Threshold: 0.8, FailOn: DefaultFailOn(), GeneratedAt: noon, Generator: "citeloop 1.2.3", Sources: []Source{
		source("https://arden.example/tower", "The tower of Arden", towerText),
		source("https://arden.example/cost", "What the tower costs", costText),
		{ID: "https://shut.example/paper", URL: "https://shut.example/paper", Status: "paywalled", Reason: "the site asks for payment (HTTP 402)", Cited: 1},
		{ID: "https://arden.example/ghost", URL: "https://arden.example/ghost", Status: statusNotFound, Reason: "there is no page at this address (HTTP 404)", Cited: 1},
	}}}
}

func islandResult(t *testing.T, names ...string) *Result {
	s := sampleOf(t)
	tower := &Passage{"https://arden.example/tower", "https://arden.example/tower", 0, 63, towerText[:63], 0}
	cost := &Passage{"https://arden.example/cost", "https://arden.example/cost", 0, 54, costText[:54], 12}
	for _, name := range names {
		s.draft(name, islandDraft)
		s.claim("The tower was built in 1874 by two brothers named Holt [1].", "The tower was built in 1874 by two brothers named Holt.",
			Claim{Status: grounding.Grounded, Support: 0.91, Confidence: 0.91, Because: "The first sentence says it.", Passage: tower, IndependentOrigins: 1, Flags: []string{"single_source", "addresses_the_model: the passage of https://arden.example/tower holds or touches words that speak to a model (persona); they are the source's and no instructions"}},
			Citation{Marker: "[1]", URL: "https://arden.example/tower"})
		s.claim("Eleven men lost their *lives* in a storm\nwhile they built it [1, 2].", "Eleven men lost their lives in a storm while they built it.",
			Claim{Status: grounding.Inferred, Support: 0.4, Confidence: 0.5, Because: "Its parts stand apart.", Passage: tower, Missing: []string{"while"}},
			Citation{Marker: "[1, 2]", URL: "https://arden.example/tower"}, Citation{Marker: "[1, 2]", URL: "https://arden.example/cost"})
		s.claim("Its upkeep costs 700 crowns a year [2].", "Its upkeep costs 700 crowns a year.",
			Claim{Status: grounding.Unsupported, Support: 0.03, Confidence: 0.97, Because: "A number differs: 700 in the claim, 900 in https://arden.example/cost.", Passage: cost, Flags: []string{"number_mismatch: 700"}, Differences: []citing.Difference{{Kind: "number", Claim: "700", Source: "900", SourceID: "https://arden.example/cost", Start: 39, End: 42}}, BetterSource: "https://arden.example/tower"},
			Citation{Marker: "[2]", URL: "https://arden.example/cost"})
		s.claim("塔的维护费每年九百克朗。It is paid by two [parties](https://arden.example/cost).", "塔的维护费每年九百克朗。It is paid by two parties.",
			Claim{Status: grounding.Unsupported, Support: 0.1, Confidence: 0.8, Because: "Nothing in the cited text is about this.", Passage: cost, Flags: []string{"not_found"}},
			Citation{Marker: "[parties](https://arden.example/cost)", URL: "https://arden.example/cost"})
		s.claim("The storms are [famous](https://shut.example/paper), and so is its [ghost](https://arden.example/ghost).", "The storms are famous, and so is its ghost.",
			Claim{Status: NotChecked, Because: "Nothing that is cited could be read: the site asks for payment (HTTP 402)."},
			Citation{Marker: "[famous](https://shut.example/paper)", URL: "https://shut.example/paper"}, Citation{Marker: "[ghost](https://arden.example/ghost)", URL: "https://arden.example/ghost"})
		s.claim("The lamp is of brass [9].", "The lamp is of brass.",
			Claim{Status: grounding.Unsupported, Confidence: 1, Because: "Its citations lead to nothing: the list of references has no entry 9."},
			Citation{Marker: "[9]", Status: statusUnresolved, Reason: "the list of references has no entry 9"})
		start, end, place := s.at("It never rains on the island in May.")
		s.r.Uncited = append(s.r.Uncited, Sentence{Text: "It never rains on the island in May.", Place: place, draft: s.n, start: start, end: end})
		_, _, place = s.at("Its upkeep costs 700 crowns a year [2].")
		s.r.Conflicts = append(s.r.Conflicts, Disagreement{Topic: "upkeep crowns year", A: *cost, B: *tower, ValueA: "900", ValueB: "1,200", Because: "They say 900 and 1,200 of the same: upkeep crowns year.", Place: place, draft: s.n})
		_, _, place = s.at("The code, [1].")
		s.r.Hallucinated = append(s.r.Hallucinated, DeadCitation{Citation: "[7]", Why: "the list of references has no entry 7", Place: place, draft: s.n, stray: true})
		_, _, place = s.at("[2] What the tower costs. https://arden.example/cost")
		s.r.Mistitled = append(s.r.Mistitled, WrongTitle{URL: "https://arden.example/cost", Listed: "What the tower <costs>", Title: "A page on herrings", Place: place, draft: s.n})
	}
	return s.done()
}

func hostileResult(t *testing.T) *Result {
	s := sampleOf(t)
	s.r.Sources = s.r.Sources[1:2]
	s.r.Sources[0].Title = "</title><b onload=x>\u202e::warning::"
	s.draft("h,1:2%.md", hostileDraft)
	text := "The tower has a lamp.\x1b[31m <img src=x onerror=alert(1)> red &amp; tall\r\n::error::"
	s.claim(strings.TrimSpace(hostileDraft), "The tower has a %0A::error::lamp, alert(1) & \"it\" said \u202eevil\u202c so x.",
		Claim{Status: grounding.Unsupported, Because: "A word is missing: \u202e<b>\r\n::error::x", Passage: &Passage{"https://arden.example/cost", "https://arden.example/cost", 0, len(text), text, 0}, Flags: []string{"<i>"}},
		Citation{Marker: "[x](https://arden.example/cost)", URL: "https://arden.example/cost"})
	return s.done()
}

func results(t *testing.T) map[string]*Result {
	empty := sampleOf(t)
	empty.r.Sources = nil
	empty.draft("<stdin>", "")
	return map[string]*Result{"island": islandResult(t, "docs/island.md"), "two": islandResult(t, "a b,c:d.md", "/abs/e.md"), "hostile": hostileResult(t), "empty": empty.done()}
}

func TestGoldenFormats(t *testing.T) {
	all := results(t)
	for name, formats := range map[string][]string{"island": Formats(), "hostile": {Text, GitHub, HTML, SARIF}, "two": {GitHub, SARIF, Text}, "empty": {JSON, HTML, SARIF, Text}} {
		for _, format := range formats {
			t.Run(name+"."+format, func(t *testing.T) {
				var first, again bytes.Buffer
				if err := Write(&first, format, all[name]); err != nil {
					t.Fatal(err)
				}
				golden(t, name+"."+format, first.Bytes())
				if err := Write(&again, format, results(t)[name]); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(first.Bytes(), again.Bytes()) {
					t.Error("checked again, the bytes differ")
				}
			})
		}
	}
}

// Every kind of finding is in the golden files.
func TestGoldenFilesHaveEveryKind(t *testing.T) {
	found := map[Kind]bool{}
	for _, f := range results(t)["island"].Findings() {
		found[f.Kind] = true
	}
	for _, kind := range AllKinds() {
		if !found[kind] {
			t.Errorf("no finding is %s", kind)
		}
	}
}

var tag = regexp.MustCompile(`<[^>]*>`)

// The page shows every sentence and every finding, and untrusted text is not markup.
func TestPageShowsTheText(t *testing.T) {
	for name, r := range results(t) {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := Write(&out, HTML, r); err != nil {
				t.Fatal(err)
			}
			page := out.String()
			for _, bad := range []string{"<script", "<img", "onload=x>", "\x1b", "javascript:", "single_source", "<p dir=\"auto\"># "} {
				if strings.Contains(page, bad) {
					t.Errorf("the page has %q", bad)
				}
			}
			shown := html.UnescapeString(tag.ReplaceAllString(page, ""))
			plain := func(s string) string {
				return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, ""), func(r rune) bool { return unicode.IsSpace(r) || sanitize.ChangesDirection(r) }), "")
			}
			for _, c := range r.Claims {
				for _, words := range strings.Split(c.Claim, " ") {
					if !strings.Contains(plain(shown), plain(words)) {
						t.Errorf("the page lacks %q of %q", words, c.Claim)
					}
				}
			}
			for _, x := range r.Mistitled {
				if !strings.Contains(shown, x.Title) {
					t.Errorf("the page lacks the title %q", x.Title)
				}
			}
		})
	}
}

// Requirements of code scanning: regions from 1, known rules, and fingerprints that do not change with line numbers.
func TestSARIFFingerprints(t *testing.T) {
	type log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID              string
				RuleIndex           int
				PartialFingerprints map[string]string
				Locations           []struct {
					PhysicalLocation struct {
						Region struct{ StartLine, StartColumn, EndLine, EndColumn int }
					}
				}
			}
		}
	}
	prints := func(text string) map[string]int {
		var out bytes.Buffer
		if err := Write(&out, SARIF, check(t, config(island()), Draft{"a.md", text})); err != nil {
			t.Fatal(err)
		}
		var l log
		if err := json.Unmarshal(out.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		for _, res := range l.Runs[0].Results {
			if l.Runs[0].Tool.Driver.Rules[res.RuleIndex].ID != res.RuleID {
				t.Errorf("rule %d is not %s", res.RuleIndex, res.RuleID)
			}
			seen[res.PartialFingerprints[fingerprintName]]++
			if at := res.Locations[0].PhysicalLocation.Region; at.StartLine < 1 || at.StartColumn < 1 || at.EndLine < at.StartLine || at.EndLine == at.StartLine && at.EndColumn <= at.StartColumn {
				t.Errorf("region %+v", at)
			}
		}
		for print, n := range seen {
			if n != 1 {
				t.Errorf("fingerprint %s is used %d times", print, n)
			}
		}
		return seen
	}
	twice := islandDraft + "\nIt never rains on the island in May.\n"
	if diff := cmp.Diff(prints(twice), prints("A heading\n=========\n\n"+twice)); diff != "" {
		t.Errorf("the fingerprints change with the lines (-before +after):\n%s", diff)
	}
}

func TestCheckFormat(t *testing.T) {
	for _, tt := range []struct{ format, want string }{
		{"text", ""},
		{"xml", `unknown format "xml": use text, json, jsonl`},
		{"sarif", "format sarif needs a text with findings: use text, json, jsonl"},
	} {
		got := ""
		if err := CheckFormat(tt.format, RowFormats()); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.format, got, tt.want)
		}
	}
}

func TestParseKinds(t *testing.T) {
	for _, tt := range []struct {
		list, problem string
		want          []Kind
	}{
		{"none", "", []Kind{}},
		{"all", "", AllKinds()},
		{"uncited, unsupported,uncited", "", []Kind{Uncited, Unsupported}},
		{"uncite", `unknown finding "uncite": use hallucinated, contradicted, unsupported, uncited, conflict, mistitled, addresses_the_model, inferred, not_read, all or none`, nil},
		{"", `unknown finding "": use hallucinated, contradicted, unsupported, uncited, conflict, mistitled, addresses_the_model, inferred, not_read, all or none`, nil},
	} {
		got, err := ParseKinds(tt.list)
		problem := ""
		if err != nil {
			problem = err.Error()
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || problem != tt.problem {
			t.Errorf("%q: %q (-want +got):\n%s", tt.list, problem, diff)
		}
	}
}
