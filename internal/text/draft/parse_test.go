package draft

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// outline writes a sentence as tests compare it: line:column, "claim" or "-", text, and the marks.
func outline(s Sentence) string {
	claim := "-"
	if s.IsClaim {
		claim = "claim"
	}
	out := fmt.Sprintf("%d:%d %s %s", s.Line, s.Column, claim, s.Text)
	for _, m := range s.Markers {
		out += fmt.Sprintf(" {%s %s}", m.Kind, m.Target)
	}
	return out
}

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, markdown string
		want           []string
	}{
		{"mark behind the full stop", "Otters swim. [1] Herons wait. [2]",
			[]string{"1:1 claim Otters swim. {number 1}", "1:18 claim Herons wait. {number 2}"}},
		{"links and addresses", "Otters [swim](https://a.example/x_(1)). See https://b.example/p. Then doi:10.1000/AB-1. " +
			"<https://c.example>", []string{
			"1:1 claim Otters swim. {link https://a.example/x_(1)} {url https://b.example/p}",
			"1:66 claim Then. {doi 10.1000/ab-1} {url https://c.example}"}},
		{"marks in a line of their own", "Otters swim well.\n\n[1]", []string{"1:1 claim Otters swim well. {number 1}"}},
		{"headings, code, rules, comments", "# Otters swim\n\n## Birds\n\n\n```\nx = a[1]\n```\n---\n<!-- note [1] -->\nOtters swim " +
			"in `a[1]` rivers.", []string{"11:1 claim Otters swim in a[1] rivers."}},
		{"questions and labels are no claims", "Do otters swim well? Otters at a glance:\n\n**Where they live**\n\nShort text.", []string{
			"1:1 - Do otters swim well?", "1:22 - Otters at a glance:", "3:1 - Where they live", "5:1 - Short text."}},
		{"HTML in a quotation", "> <div>\n> Otters swim well and\n> eat fish.\n> <img src=\"a.png\"\n> title=\"x\">\n> </div>",
			[]string{"2:3 claim Otters swim well and eat fish."}},
		{"talk in traditional characters", "請讓我繼續搜索水獭的资料。", []string{
			"1:1 - 請讓我繼續搜索水獭的资料。"}},
		{"talk about the work", "Let me search for more about otters. 我需要查找更多关于水獭的资料。\n\n接下来，" +
			"我将搜索。", []string{
			"1:1 - Let me search for more about otters.", "1:38 - 我需要查找更多关于水獭的资料。", "3:1 - 接下来，" +
				"我将搜索。"}},
		{"lists and wrapped lines", "- Otters swim very\n  well [1].\n- Herons wait a long time.\n1. Owls hunt at night [2].", []string{
			"1:3 claim Otters swim very well. {number 1}", "3:3 claim Herons wait a long time.",
			"4:4 claim Owls hunt at night. {number 2}"}},
		{"Chinese", "水獭游得很快。 [1][2] **苍鹭**会等待很久【3】。它们吃鱼吗？", []string{
			"1:1 claim 水獭游得很快。 {number 1} {number 2}", "1:16 claim 苍鹭会等待很久。 {number 3}",
			"1:31 - 它们吃鱼吗？"}},
		{"marks of programs at the beginning of an item", "- :contentReference[oaicite:0]{index=0} Otters swim very well.", []string{
			"1:3 claim :contentReference[oaicite:0]{index=0} Otters swim very well."}},
		{"images", "![otter [1]](https://a.example/o.png) Otters swim very well.", []string{"1:39 claim Otters swim very well."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			d := Parse(tt.markdown)
			for _, s := range d.Sentences {
				got = append(got, outline(s))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			checkDraft(t, tt.markdown, d)
		})
	}
}

func TestParseReferences(t *testing.T) {
	t.Parallel()
	markdown := `Otters swim [1]. Herons wait [^h].

[^h]: Heron Watch, https://h.example/w, 2020.

## References

[1] https://a.example/otters - Otters of the north
[2] Herons in winter https://b.example/(h)
3. [Owls](https://c.example "owls")
- Pike, J. Fish. doi:10.1000/Fish.1
Some title
https://d.example

# Appendix

Pike are fish of the lake.`
	want := []Reference{
		{Number: "h", URL: "https://h.example/w", Title: "Heron Watch, , 2020", Line: 3},
		{Number: "1", URL: "https://a.example/otters", Title: "Otters of the north", Line: 7},
		{Number: "2", URL: "https://b.example/(h)", Title: "Herons in winter", Line: 8},
		{Number: "3", URL: "https://c.example", Title: "Owls", Line: 9},
		{URL: "https://doi.org/10.1000/fish.1", Title: "Pike, J. Fish", Line: 10},
	}
	d := Parse(markdown)
	if diff := cmp.Diff(want, d.References, cmpopts.IgnoreUnexported(Reference{})); diff != "" {
		t.Errorf("references (-want +got):\n%s", diff)
	}
	var got []string
	for _, s := range d.Sentences {
		got = append(got, outline(s))
	}
	if diff := cmp.Diff([]string{"1:1 claim Otters swim. {number 1}", "1:18 claim Herons wait. {footnote h}",
		"16:1 claim Pike are fish of the lake."}, got); diff != "" {
		t.Errorf("sentences (-want +got):\n%s", diff)
	}
}

// checkDraft holds what is promised of places.
func checkDraft(t *testing.T, markdown string, d Draft) {
	t.Helper()
	points := []rune(markdown)
	lines := strings.Count(markdown, "\n") + 1
	last := 0
	for _, s := range d.Sentences {
		if s.Start < last || s.End <= s.Start || s.End > len(points) || s.Line < 1 || s.Line > lines || s.Column < 1 || s.Text == "" {
			t.Fatalf("sentence %+v after %d", s, last)
		}
		last = s.Start
		for _, m := range slices.Concat(s.Markers, s.Covering, d.Strays) {
			if m.Start < 0 || m.End <= m.Start || m.End > len(points) || m.Target == "" || m.Line < 1 || m.Column < 1 {
				t.Fatalf("marker %+v", m)
			}
			if got := string(points[m.Start:m.End]); got != m.Raw && m.Kind != MarkerLink && m.Kind != MarkerURL {
				t.Fatalf("the draft has %q at %d, the marker says %q", got, m.Start, m.Raw)
			}
			if _, ok := d.Entry(m); ok != (m.entry > 0) {
				t.Fatalf("marker %+v has no entry", m)
			}
		}
		if len(s.Markers) > 0 && len(s.Covering) > 0 {
			t.Fatalf("a cited sentence is covered as well: %+v", s)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"Otters [1] swim [S2][^3]. [a](https://b.c/(d)) https://e.f. doi:10.1000/x",
		"# h\n\n```\n[1]\n``` [2]\n\n| a | b |\n|--|--|\n| c [1] | d |", "a `b [1]` **c** _d_ ![i](j)",
		"References\n[1] https://a.b - c\n- d\n\n[^e]: f", "【1†L2】（来源：3）。水。[4]", "[[[[]]]]((((", "- > 1. x\n  " +
			"y\\\nz  \n<!-- c\n-->",
		"\xff[1]\xfe.", "\xe3\x90000[1]", "\\[1] <a href=x> &", "0<a href=0>", "a\n---\n[1]",
		"A.¹ B²,³ c<sup>[4]</sup> ^5^ [x][y] [z](#a)\n\n[y]: https://b.c",
		"A (Smith, 2021a; Lee et al., 2020). Smith (2021b).\n\n# References\nSmith, J. (2021a). T. https://a.b",
		"a「b？」、c。 ([d](https://e.f)) \n> [!NOTE]\n> g\n> h [1]",
		"---\na: b\n---\n$$\nx\n$$\nA | b\n--|--\nc [1] | d\n\nSources:\n1. https://a.b\n\nThis paragraph goes on in the body of " +
			"it [1].",
		"[S1:4-5,7; S2] (S3:1) a.md#L4 [x](y.pdf#page=2) https://a.b#:~:text=c,%64&text=e-,f", "让我搜索。I'll look. This is it.",
		"张三（2020）说。\n参考文献\n张三, 李四. 题[J]. 刊, 2020", "References\n| 1 | a | https://b.c |\n¹ d\n**[2]** " +
			"e www.f.g",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, markdown string) {
		checkDraft(t, markdown, Parse(markdown))
	})
}

// A few words in bold that name what follows are no claim; a whole statement in bold is one.
func TestLeadIns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"**Where the manual disagrees with itself.** The page says five [S1:3].\n":                          1,
		"**Graceful shutdown (KEP-2000).** Pods end within 30 seconds [S1:3].\n":                            1,
		"**The harbour board paid nine hundred crowns for the quay in 1874.** Nobody objected [S1:3].\n":    2,
		"The board paid **nine hundred crowns** for the quay in all. It was glad of it [S1:3].\n":           2,
		"**Costs of the quay in crowns** were never published by the board of the harbour. It paid [S1:3].": 2,
	} {
		claims := 0
		for _, s := range Parse(text).Sentences {
			if s.IsClaim {
				claims++
			}
		}
		if claims != want {
			t.Errorf("%q: %d claims, want %d", text, claims, want)
		}
	}
}

func TestDepthOfBlocksIsBounded(t *testing.T) {
	t.Parallel()
	for _, sign := range []string{"> ", "- "} {
		for depth, wantColumn := range map[int]int{20: 41, 300: 0} {
			got := Parse(strings.Repeat(sign, depth) + "The tide is high at noon.").Sentences
			if len(got) != 1 || !strings.HasSuffix(got[0].Text, "The tide is high at noon.") || !got[0].IsClaim {
				t.Fatalf("%d times %q: %+v", depth, sign, got)
			}
			if wantColumn > 0 && got[0].Column != wantColumn || wantColumn == 0 && !strings.HasPrefix(got[0].Text, sign+sign) {
				t.Errorf("%d times %q: column %d, %.20q", depth, sign, got[0].Column, got[0].Text)
			}
		}
	}
}

// A row with a citation is one claim. The heads of the columns go with the words.
func TestRowsOfTables(t *testing.T) {
	t.Parallel()
	const heads = "| Option | Locks | Disk |\n|---|---|---|\n"
	for table, want := range map[string][]string{
		heads + "| VACUUM | shares | none [S1] |": {
			"Option: VACUUM; Locks: shares; Disk: none"},
		heads + "| VACUUM [S1] | shares [S2] | |": {"Option: VACUUM; Locks: shares"},
		heads + "| a\\|b | shares [S1] | none [S2] |": {
			"Option: a|b; Locks: shares; Disk: none"},
		heads + "| VACUUM | shares | none |":         nil,
		heads + "| VACUUM | was removed in 2019 | |": {"Option: VACUUM; Locks: was removed in 2019"},
		heads + "| VACUUM | takes | 90 % |":          {"Option: VACUUM; Locks: takes; Disk: 90 %"},
	} {
		var got []string
		for _, s := range Parse(table).Sentences {
			if s.IsClaim {
				got = append(got, s.Text)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q", table, got)
		}
	}
}
