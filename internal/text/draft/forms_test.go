package draft

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// led writes the sentences of a draft with where their marks lead: [1] as "1>path" of the entry's address,
// "1>" for an entry without one, "1!" for no entry.
func led(d Draft) []string {
	mark := func(m Marker) string {
		e, ok := d.Entry(m)
		if m.Kind == MarkerLink || m.Kind == MarkerURL {
			return strings.TrimPrefix(m.Target, "https://")
		}
		if !ok {
			return m.Target + "!"
		}
		return m.Target + ">" + strings.TrimPrefix(e.URL, "https://a.example/")
	}
	var out []string
	for _, s := range d.Sentences {
		line := fmt.Sprintf("%d %s", s.Line, s.Text)
		if !s.IsClaim {
			line = fmt.Sprintf("%d - %s", s.Line, s.Text)
		}
		for _, m := range s.Markers {
			line += " {" + mark(m) + "}"
		}
		for _, m := range s.Covering {
			line += " (" + mark(m) + ")"
		}
		out = append(out, line)
	}
	for _, m := range d.Strays {
		out = append(out, fmt.Sprintf("%d stray {%s}", m.Line, mark(m)))
	}
	return out
}

type form struct {
	name, markdown string
	want           []string
}

// checkForms reads each draft with the list after it.
func checkForms(t *testing.T, list string, forms []form) {
	t.Helper()
	for _, tt := range forms {
		t.Run(tt.name, func(t *testing.T) {
			d := Parse(tt.markdown + list)
			if diff := cmp.Diff(tt.want, led(d)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			checkDraft(t, tt.markdown+list, d)
		})
	}
}

const numberedList = `

## References

[1] https://a.example/one - One
[2] https://a.example/two - Two
[3] https://a.example/three - Three
[4] https://a.example/four - Four
[5] https://a.example/five - Five
[6] https://a.example/six - Six
`

func TestDraftNumberForms(t *testing.T) {
	t.Parallel()
	checkForms(t, numberedList, []form{
		{"ranges and lists", "Otters swim [1, 4-6]. Herons wait [1–3]. Owls hunt [2 and 3]; pike bite [5; 6].", []string{
			"1 Otters swim. {1>one} {4>four} {5>five} {6>six}", "1 Herons wait. {1>one} {2>two} {3>three}",
			"1 Owls hunt; pike bite. {2>two} {3>three} {5>five} {6>six}"}},
		{"with words and pages", "Otters swim [3, p. 12]. Herons wait [Source 2]. Owls hunt [ref. 3]. Voles dig (Sources 1, 2 and 4). " +
			"Pike bite (see source 5). Moles see [6: 12]. Swans sing [1, line 3; 2, lines 4-5].", []string{
			"1 Otters swim. {3>three}", "1 Herons wait. {2>two}", "1 Owls hunt. {3>three}", "1 Voles dig. {1>one} {2>two} {4>four}",
			"1 Pike bite. {5>five}", "1 Moles see. {6>six}", "1 Swans sing. {1>one} {2>two}"}},
		{"as models write them", "Otters swim [citation:1]. Herons wait [web:2][ref_3]. Owls hunt 【4†L10-L12】【4:5†source】. " +
			"Voles dig [#6].",
			[]string{
				"1 Otters swim. {1>one}", "1 Herons wait. {2>two} {3>three}", "1 Owls hunt. {4>four} {5>five}", "1 Voles dig. {6>six}"}},
		{"escaped, full width, linked", "Otters swim \\[1\\]. Herons wait ［２］. Owls hunt 【3】. Voles dig [4](#ref4). Pike bite " +
			"[[5]](#cite-5). Moles dig 〔6〕.", []string{
			"1 Otters swim. {1>one}", "1 Herons wait. {2>two}", "1 Owls hunt. {3>three}", "1 Voles dig. {4>four}", "1 Pike bite. {5>five}",
			"1 Moles dig. {6>six}"}},
		{"raised", "Otters swim.¹ Herons wait.²,³ Owls¹ hunt. Voles dig.⁴⁻⁶ “We do,” they say.⁵", []string{
			"1 Otters swim. {1>one}", "1 Herons wait. {2>two} {3>three}", "1 Owls hunt. {1>one}", "1 Voles dig. {4>four} {5>five} {6>six}",
			"1 “We do,” they say. {5>five}"}},
		{"exponents and charges are none", "It is 20 km² of land and 5 m² of reed. MoO₄²⁻ is an ion, 10⁶ a number, R² a " +
			"measure. It moves 5 l min⁻¹.", []string{
			"1 It is 20 km² of land and 5 m² of reed.", "1 MoO₄²⁻ is an ion, 10⁶ a number, R² a measure.",
			"1 It moves 5 l min⁻¹."}},
		{"raised in HTML", "Otters swim.<sup>1</sup> Herons wait<sup>[2, 3]</sup>. Owls hunt.<sup><a href=\"#r4\">4</a></sup> The " +
			"pond has 5 m<sup>2</sup> of <b>reed</b> and 10<sup>9</sup> eggs. Voles dig.^5^", []string{
			"1 Otters swim. {1>one}", "1 Herons wait. {2>two} {3>three}", "1 Owls hunt. {4>four}", "1 The pond has 5 m2 of reed and " +
				"10⁹ eggs.",
			"1 Voles dig. {5>five}"}},
		{"Chinese", "水獭[1]会游泳［2］。苍鹭会等待。[3]鱼在水里（来源：4）；蛙在岸上【5】。" +
			"它们【6】吃鱼。", []string{
			"1 水獭会游泳。 {1>one} {2>two}", "1 苍鹭会等待。 {3>three}", "1 鱼在水里；蛙在岸上。 {4>four} " +
				"{5>five}", "1 它们吃鱼。 {6>six}"}},
		{"what is no mark", "An array[0] and [sic] and [12月] of [2020] or [1-2-3] is [citation needed] by x[i] for all of them.",
			[]string{
				"1 An array[0] and [sic] and [12月] of [2020] or [1-2-3] is [citation needed] by x[i] for all of them."}},
		{"behind the paragraph", "Otters swim all day. Herons wait long there. Owls hunt at night. [1]\n\nVoles dig all day. Moles " +
			"dig deep [2].\n\n[3]", []string{
			"1 Otters swim all day. (1>one)", "1 Herons wait long there. (1>one)", "1 Owls hunt at night. {1>one}", "3 Voles dig all day.",
			"3 Moles dig deep. {2>two} {3>three}"}},
		{"a line of sources", "Otters swim all day. Herons wait long there.\n*Source: [1]*\n\n- Voles dig all day\n" +
			"- Moles dig deep\n\nSource: [2]\n\nPike bite hard in May. Owls hunt at night. See [3].\n\n" +
			"Otters wait for fish. For details see [the log](u.md).", []string{
			"1 Otters swim all day. (1>one)", "1 Herons wait long there. {1>one}", "4 Voles dig all day (2>two)",
			"5 Moles dig deep {2>two}", "9 Pike bite hard in May. (3>three)", "9 Owls hunt at night. {3>three}",
			"11 Otters wait for fish. {u.md}"}},
		{"a statement on each line", "Otters swim all day [1]\nHerons wait long there [2],[3].\n**Owls** hunt at night ([4])\n\n" +
			"Voles dig all day [5]\nand the moles dig deep [6]", []string{
			"1 Otters swim all day {1>one}", "2 Herons wait long there. {2>two} {3>three}", "3 Owls hunt at night {4>four}",
			"5 Voles dig all day and the moles dig deep {5>five} {6>six}"}},
		{"headings and table heads", "Otters swim all day.\n\n## Herons [1]\n\n[2]\n\n| Animal [3] | Swims |\n|---|---|\n| Otter [4] " +
			"| yes |\n| Owl | no |", []string{
			"1 Otters swim all day.", "9 Animal: Otter; Swims: yes {4>four}", "10 - Animal: Owl; Swims: no", "3 stray {1>one}",
			"5 stray {2>two}", "7 stray {3>three}"}},
		{"quotations and lists in them", "> Otters swim very\n> well in rivers [1].\n> - They are fast there [2]\n>\n> [!NOTE]\n> " +
			"Herons wait a long time [3].", []string{
			"1 Otters swim very well in rivers. {1>one}", "3 They are fast there {2>two}", "6 Herons wait a long time. {3>three}"}},
		{"nested lists", "- Otters swim in all rivers.\n    - They swim in lakes [1].\n      They swim in fens too.\n  1. They swim " +
			"[2].\n\n(1) Herons wait a long time.\n（二）水獭在河里游得很快。[3]\n① 苍鹭会在河边等待很久。" +
			"\na) Owls hunt at night [4].", []string{
			"1 Otters swim in all rivers.", "2 They swim in lakes. {1>one}", "3 They swim in fens too.", "4 They swim. {2>two}",
			"6 Herons wait a long time.",
			"7 水獭在河里游得很快。 {3>three}", "8 苍鹭会在河边等待很久。", "9 Owls hunt at night. {4>four}"}},
		{"front matter, formulas, code", "---\ntitle: Otters [1]\n---\n\n$$\nx = [1] + otters swim very well here\n$$\n\n~~~\ncode " +
			"[2]\n~~~\n[3]\n\n## Head [4]\n\n```\ny = [5]\n```\n\nOtters swim in `a[1]` rivers.", []string{
			"20 Otters swim in a[1] rivers.", "12 stray {3>three}", "14 stray {4>four}"}},
	})
}

// A text that a model hands over in a block of code is the text; code is none.
func TestDraftInFence(t *testing.T) {
	t.Parallel()
	checkForms(t, "", []form{
		{"all of it in a block of code", "Here it is:\n\n```markdown\n# Otters\n\nOtters swim all day [S1].\n\n```sh\nls\n```\n\n" +
			"Herons wait long there [S2].\n```", []string{
			"1 - Here it is:", "6 Otters swim all day. {S1!}", "12 Herons wait long there. {S2!}"}},
		{"code", "```\n# Otters\nswim(4)\n```", nil},
		{"code at both ends", "```\na\n```\n\nOtters swim all day.\n\n```\nb\n```", []string{"5 Otters swim all day."}},
	})
}

// What leads to a citation goes with it, and a citation that the sentence needs stays.
func TestDraftTextAroundCitations(t *testing.T) {
	t.Parallel()
	checkForms(t, numberedList, []form{
		{"signs and words before it", "Otters swim — [1]. Herons wait, see [2]. Owls hunt: https://b.example/o. Voles dig " +
			"(cf. [3], [4]).", []string{"1 Otters swim. {1>one}", "1 Herons wait. {2>two}", "1 Owls hunt. {b.example/o}",
			"1 Voles dig. {3>three} {4>four}"}},
		{"the noun of the sentence", "As [1] shows, otters swim as in [2] and [3].\n\n[4] says what herons live with [5].", []string{
			"1 As [1] shows, otters swim as in [2] and [3]. {1>one} {2>two} {3>three}",
			"3 [4] says what herons live with. {4>four} {5>five}"}},
		{"ranges of brackets", "Otters swim [1]–[3]. Herons wait [4], [6].", []string{
			"1 Otters swim. {1>one} {2>two} {3>three}", "1 Herons wait. {4>four} {6>six}"}},
		{"numbers in round brackets", "Otters swim (1, 2). By equation (3), herons wait. All three (3). Owls hunt (9).", []string{
			"1 Otters swim. {1>one} {2>two}", "1 By equation (3), herons wait.", "1 - All three (3).", "1 - Owls hunt (9)."}},
		{"behind full stops, if one ends the paragraph", "Otters swim all day. (1) Herons wait. (2)\n\nIt has two reasons: hunger and " +
			"rest. (1) It is small. (2) It is big.", []string{"1 Otters swim all day. {1>one}", "1 Herons wait. {2>two}",
			"3 It has two reasons: hunger and rest.", "3 (1) It is small.", "3 (2) It is big."}},
		{"a lead behind a full stop", "Otters swim all day. (Source: [1]) Herons wait all night.", []string{
			"1 Otters swim all day. {1>one}", "1 Herons wait all night."}},
		{"marks that lead nowhere behind a full stop", "Otters swim all day.[citation needed] Herons wait long.[2] Owls hunt at night." +
			"[1]: 34 Voles dig a lot.[2]: 34 Pike bite all day.:contentReference[oaicite:0]{index=0} Moles dig deep." +
			"<grok:render a=\"b\"><c>1</c></grok:render> Bats fly.\ue200cite\ue202turn0\ue201 Foxes hunt \"a lot\": 12 hens [3].", []string{
			"1 Otters swim all day.[citation needed]", "1 Herons wait long. {2>two}", "1 Owls hunt at night. {1>one}",
			"1 Voles dig a lot. {2>two}", "1 Pike bite all day.", "1 - Moles dig deep.", "1 - Bats fly.",
			"1 Foxes hunt \"a lot\": 12 hens. {3>three}"}},
		{"years are not raised", "It fell in 1974<sup>1</sup>. It rose in 1974¹ and 1975⁽²⁾. It is 1974^3^, (4) or 5<sup>2</sup> " +
			"m. " +
			"It ended in 1974 (4). In 1974<sup>(5)</sup> it began.", []string{"1 It fell in 1974. {1>one}",
			"1 It rose in 1974 and 1975. {1>one} {2>two}", "1 It is 1974, (4) or 5² m. {3>three}", "1 It ended in 1974. {4>four}",
			"1 In 1974 it began. {5>five}"}},
		{"places in other words", "Выдры плавают [1, с. 3]. Цапли ждут [2, стр. 5–7; 3]. " +
			"Voles dig " +
			"[2, Theorem 2.1]. Pike bite [1، 2] [3 und 4] [5 to 6]. It is 12:30 [12:30] there, at [1:34].", []string{
			"1 Выдры плавают. {1>one}", "1 Цапли ждут. {2>two} {3>three}", "1 Voles dig. " +
				"{2>two}",
			"1 Pike bite. {1>one} {2>two} {3>three} {4>four} {5>five} {6>six}", "1 It is 12:30 [12:30] there, at [1:34]."}},
		{"other words for sources", "Otter schwimmen (Quelle 1) [vgl. 2] [Fuente 3] 水獭会游泳[出处4]，很快[注 5]。 She " +
			"said [注 9].", []string{
			"1 Otter schwimmen 水獭会游泳，很快。 {1>one} {2>two} {3>three} {4>four} {5>five}", "1 She said [注 9]."}},
		{"files behind a dagger", "Otters swim【4:1†weir.md】. Herons wait【4†source】. " +
			"Owls hunt【F:doc/weir.md†L3-L5】.", []string{
			"1 Otters swim. {weir.md}", "1 Herons wait. {4>four}", "1 Owls hunt. {doc/weir.md}"}},
		{"notes of other lists", "Otters swim [note 1] all day [note 9].", []string{"1 Otters swim all day [note 9]. {1>one}"}},
		{"links in one bracket", "Otters swim ([Otter](https://b.example/o), [Fen](https://b.example/f)). Herons ([tall](" +
			"https://b.example/h) birds) wait.", []string{"1 Otters swim. {b.example/o} {b.example/f}",
			"1 Herons (tall birds) wait. {b.example/h}"}},
		{"a link behind an item", "- Otters swim in rivers; [Otter](https://b.example/o)\n- Herons wait - [Heron](https://b.example/h)\n" +
			"- [x] They read the [Fen](https://b.example/f)", []string{"1 Otters swim in rivers {b.example/o}",
			"2 Herons wait {b.example/h}", "3 They read the Fen {b.example/f}"}},
		{"below an introduction", "The page says [1]:\n\n> Otters swim all day long. They rest at night.\n\nHerons wait a long time.",
			[]string{"1 - The page says: {1>one}", "3 Otters swim all day long. {1>one}", "3 They rest at night. {1>one}",
				"5 Herons wait a long time."}},
		{"a note in brackets", "Otters swim all day. (Fen notes, [2].) Herons wait.", []string{"1 Otters swim all day. {2>two}",
			"1 - Herons wait."}},
		{"other words for lines", "Otters swim (lines 3-4 of fen.md). Herons wait [fen.md, l. 5]. Owls hunt [fen.pdf, p. 2]. Voles dig " +
			"([notes](fen.md), line 4).\n\nAs fen.md (line 3) says, otters swim. Line 4 of `fen.md` says that herons wait.", []string{
			"1 Otters swim. {fen.md}", "1 Herons wait. {fen.md}", "1 Owls hunt. {fen.pdf}", "1 Voles dig. {fen.md}",
			"3 As fen.md says, otters swim. {fen.md}", "3 Line 4 of fen.md says that herons wait. {fen.md}"}},
		{"other languages", "Laut [1, S. 5] sind sie schnell. Selon [2], ils nagent. 根据[3]，水獭会游泳。Sie warten " +
			"(véase [5]).", []string{"1 Laut [1, S. 5] sind sie schnell. {1>one}", "1 Selon [2], ils nagent. {2>two}",
			"1 根据[3]，水獭会游泳。 {3>three}", "1 Sie warten. {5>five}"}},
		{"pages and lists", "Otters swim [1 (p. 4)]. Herons wait [1, 2, and 3]. Call f([7, 8, 9]) with three otters. Owls hunt [4]/[5].",
			[]string{"1 Otters swim. {1>one}", "1 Herons wait. {1>one} {2>two} {3>three}", "1 Call f([7, 8, 9]) with three otters.",
				"1 Owls hunt. {4>four} {5>five}"}},
		{"ids", "Otters swim (arXiv 1901.01234v3). Herons wait [PMID: 31234567; PMCID: PMC7654321].", []string{
			"1 Otters swim. {arxiv.org/abs/1901.01234v3}",
			"1 Herons wait. {pubmed.ncbi.nlm.nih.gov/31234567/} {pmc.ncbi.nlm.nih.gov/articles/PMC7654321/}"}},
		{"an index", "The vector v[7] = 3 of otters has no end.", []string{"1 The vector v[7] = 3 of otters has no end."}},
		{"a table of contents", "- The otters of the fen\n- Herons wait here [2]\n\n## 1. The otters of the fen\n\nOtters swim [1].",
			[]string{"1 - The otters of the fen", "2 Herons wait here {2>two}", "6 Otters swim. {1>one}"}},
		{"containers", "::: warning\nOtters swim all day [1].\n:::\n\n!!! note \"Otters weigh 12 kg in winter\"\n    Herons wait [2].",
			[]string{"2 Otters swim all day. {1>one}", "5 Otters weigh 12 kg in winter", "6 Herons wait. {2>two}"}},
	})
	checkForms(t, "\n\n## Literatur\n\n[Hol19] Holt, fen.md\n[@lee20]: https://a.example/lee\n", []form{
		{"labels and keys of the list", "Otters swim [Hol19, S. 3]. @lee20 says that herons wait [XY99].", []string{
			"1 Otters swim. {Hol19>fen.md}", "1 @lee20 says that herons wait [XY99]. {lee20>lee}"}},
	})
	checkForms(t, "\n\n## Źródła\n\n1. Fen, A. (1974). Log. [link](https://a.example/log)\n", []form{
		{"a list of another language", "Otters swim [1].", []string{"1 Otters swim. {1>log}"}},
	})
	checkForms(t, "\n\n## Findings\n\n- The weir at Moss was opened in 1974 [log](https://a.example/log).\n", []form{
		{"a last list of claims", "Otters swim [1].", []string{"1 Otters swim. {1!}",
			"5 The weir at Moss was opened in 1974. {a.example/log}"}},
	})
	for name, list := range map[string]string{
		"a sign":      "## 📚 References\n\n1. owl.md - Fen. Owls.\n2. `heron.md` - Fen. Herons.",
		"an id":       "## References {#refs}\n\n[1] owl.md\n\n[2] Fen. Herons.\n\n[herons](heron.md)",
		"a count":     "<details><summary>Sources (2)</summary>\n\n1. owl.md\n2. heron.md\n\n</details>",
		"raised":      "## Notes\n\n<sup>1</sup> Fen. [Owls](owl.md)\n\n<sup>2</sup> Fen. [Herons](heron.md)",
		"code":        "## References\n\n```\n[1] owl.md\n[2] heron.md\n```",
		"in one line": "Sources: [1] [Owls](owl.md), [2] [Herons](heron.md)",
	} {
		checkForms(t, "\n\n"+list, []form{{name, "Owls hunt at night [1]. Herons wait [2].", []string{"1 Owls hunt at night. {1>owl.md}",
			"1 Herons wait. {2>heron.md}"}}})
	}
	checkForms(t, "", []form{
		{"a citation before a quotation", "As the [harbour log](https://e.org/l) says: “Otters swim all day. Herons wait in the " +
			"reed. Owls hunt at night.”",
			[]string{"1 As the harbour log says: “Otters swim all day. {e.org/l}", "1 Herons wait in the reed. {e.org/l}",
				"1 Owls hunt at night.” {e.org/l}"}},
		{"a citation behind a block quotation", "> Otters swim all day. Herons wait in the reed.\n>\n> Owls hunt at night.\n\n" +
			"[log](https://e.org/l)", []string{"1 Otters swim all day. (e.org/l)", "1 Herons wait in the reed. (e.org/l)",
			"3 Owls hunt at night. {e.org/l}"}},
		{"links without words", "Otters swim [](https://e.org/a). Herons wait.[](https://e.org/b)[](https://e.org/c) Owls hunt.",
			[]string{"1 Otters swim. {e.org/a}", "1 Herons wait. {e.org/b} {e.org/c}", "1 - Owls hunt."}},
		{"addresses in HTML", "<aside>\nOtters swim. [https://e.org/a](https://e.org/a)\n</aside>\n\n<div>Herons wait " +
			"(<https://e.org/b>) a " +
			"lot.</div>", []string{"2 Otters swim. {e.org/a}", "5 Herons wait a lot. {e.org/b}"}},
		{"definitions behind numbers", "Otters swim<sup>[1][fen]</sup>. Herons wait [2][pond].\n\n[fen]: https://e.org/a\n[pond]: " +
			"https://e.org/b", []string{"1 Otters swim. {e.org/a}", "1 Herons wait. {e.org/b}"}},
		{"labels of footnotes", "Otters swim[^1_1]. Herons wait[^1-2][^1^].\n\n[^1_1]: https://a.example/a\n[^1-2]: https://a.example/b\n" +
			"[^1^]: https://a.example/c", []string{"1 Otters swim. {1_1>a}", "1 Herons wait. {1-2>b} {1^>c}"}},
		{"links that are marks", "Otters swim[fen log](a.md). Herons wait [【1】](b.md) 水獭[游泳](c.md)很快。", []string{
			"1 Otters swim. {a.md}", "1 Herons wait 水獭游泳很快。 {b.md} {c.md}"}},
		{"what says what the text is about", "This report explores how weirs were built. This review covers 340 studies of 12 % of all. " +
			"This report finds that the weirs were sold.", []string{"1 - This report explores how weirs were built.",
			"1 This review covers 340 studies of 12 % of all.", "1 This report finds that the weirs were sold."}},
		{"what leads to cited items", "The otters were counted in May:\n\n- 12 otters swim [a](a.md)\n- 3 wait [b](b.md)\n\n" +
			"The keeper wrote it in May:\n\nHerons wait long [c](c.md).\n\n[The herons were counted in June](d.md).", []string{
			"1 The otters were counted in May: (a.md) (b.md)", "3 12 otters swim {a.md}", "4 3 wait {b.md}",
			"6 The keeper wrote it in May: (c.md)", "8 Herons wait long. {c.md}", "10 The herons were counted in June. {d.md}"}},
		{"attributions", "> Otters swim all day. They never rest.\n\n— Ann Holt, *Otters*, [log](w.md)\n\n> Herons wait long.\n>\n" +
			"> — the keeper since 1931, [log](x.md)", []string{
			"1 Otters swim all day. {w.md}", "1 They never rest. {w.md}", "5 Herons wait long. {x.md}"}},
		{"HTML quotations", "<blockquote>\n\nOtters swim all day.\n\n— [log](w.md)\n\n</blockquote>\n\n" +
			"<blockquote><p>Herons wait long here.</p></blockquote> [h](h.md)", []string{"3 Otters swim all day. {w.md}",
			"9 Herons wait long here. {h.md}"}},
		{"whose a quotation is", "> Otters swim all day.\n>\n> — A. Holt, *Log of the fen* (2019), p. 3 [w](w.md)\n\n" +
			"> Herons wait long here. [h](h.md)\n> -- A. Holt, 2019", []string{"1 Otters swim all day. {w.md}",
			"5 Herons wait long here. {h.md}"}},
		{"behind closing marks", "It fell in 2011 for good. It is long (42 metres) [w](w.md).\n\nIt fell again that year. It says " +
			"“no.” " +
			"[w](w.md)", []string{"1 It fell in 2011 for good.", "1 It is long (42 metres). {w.md}", "3 It fell again that year. (w.md)",
			"3 It says “no.” {w.md}"}},
		{"short figures", "Sales fell 40%.\n\n- Cost: $1.2 million\n- Moss: the mill\n- 塔恩船闸建于1901年。", []string{
			"1 Sales fell 40%.", "3 Cost: $1.2 million", "4 - Moss: the mill", "5 塔恩船闸建于1901年。"}},
		{"a text in a fence", "Here is it:\n\n```markdown\n# Otters\n\nOtters swim all day [w](w.md).\n```\n", []string{"1 - Here is it:",
			"6 Otters swim all day. {w.md}"}},
		{"signs of emphasis in addresses", "Otters swim (https://e.org/__a__.html). Herons wait at https://e.org/*a*/b here. Owls " +
			"*hunt*/_eat_.",
			[]string{"1 Otters swim. {e.org/__a__.html}", "1 Herons wait at here. {e.org/*a*/b}", "1 - Owls hunt/eat."}},
		{"digits of other scripts", "موس کا بند 1974 میں کھولا گیا۔ ٹارن کا لاک لمبا ہے " +
			"[١]۔\n\n## المراجع\n\n١. https://a.example/w",
			[]string{"1 موس کا بند 1974 میں کھولا گیا۔", "1 ٹارن کا لاک لمبا ہے ۔ {1>w}"}},
		{"headings with one more word", "Otters swim [1].\n\n## Sources consulted\n\n1. [Fen](https://a.example/w)", []string{
			"1 Otters swim. {1>w}"}},
		{"numbers behind words in a text without a list", "The weir was opened in 1974[5] and closed by the keeper[7] in spring.",
			[]string{"1 The weir was opened in 1974 and closed by the keeper in spring. {5!} {7!}"}},
		{"brackets that open a sentence", "水坝很长，带来提升。[没有]丝毫怀疑它会这样。", []string{"1 " +
			"水坝很长，带来提升。", "1 [没有]丝毫怀疑它会这样。"}},
		{"intervals", "The mean was 4.2 otters (95% CI [3, 5]) in spring.", []string{"1 The mean was 4.2 otters (95% CI [3, 5]) in " +
			"spring."}},
		{"addresses as they are", "Otters swim [log](https://e.org/w?a=1&copy=2&amp;b=3). Herons wait [![log](w.png)](https://e.org/h). " +
			"Owls hunt [log](owl.md?plain=1#L3).", []string{"1 Otters swim. {e.org/w?a=1&copy=2&b=3}", "1 Herons wait. {e.org/h}",
			"1 Owls hunt. {owl.md}"}},
		{"files above in notes", "Otters swim[^a]. Herons wait[^b].\n\n[^a]: Fen log, ../notes/fen.md, lines 3-5.\n[^b]: ../fen.md\n",
			[]string{"1 Otters swim. {a>../notes/fen.md}", "1 Herons wait. {b>../fen.md}"}},
		{"underscores in addresses", "Otters swim (https://e.org/__future__.html). Herons wait in **https://e.org/*a*/b**. Owls hunt " +
			"[pkg/__init__.py:4]. Voles _dig_ __init__.py:3.", []string{"1 Otters swim. {e.org/__future__.html}",
			"1 Herons wait in. {e.org/*a*/b}", "1 Owls hunt. {pkg/__init__.py}", "1 Voles dig. {__init__.py}"}},
	})
	checkForms(t, "\n\nNotes\n\n¹ Fen survey, fen.md\n² Other, https://a.example/two\n", []form{
		{"a list of raised numbers", "Otters swim.¹ Herons wait.²", []string{"1 Otters swim. {1>fen.md}",
			"1 Herons wait. {2>two}", "3 - Notes"}},
	})
	checkForms(t, "", []form{
		{"files named in prose", "According to fen.md, otters swim far in spring. Herons wait for 12 days (see `owl.md`).", []string{
			"1 According to fen.md, otters swim far in spring. (fen.md)", "1 Herons wait for 12 days (see owl.md). (owl.md)"}},
		{"the source before", "Otters swim [fen.md:3]. Herons wait for 12 days (ibid.). Owls hunt for 9 days (ebd., S. 4). Tag (ID 12) " +
			"was lost in 2019.", []string{"1 Otters swim. {fen.md}", "1 Herons wait for 12 days (ibid.). (fen.md)",
			"1 Owls hunt for 9 days (ebd., S. 4). (fen.md)", "1 Tag (ID 12) was lost in 2019."}},
		{"a lead of a list", "The log gives these figures [fen.md]:\n\n- a width of 42.5 metres\n- a cost of $3 million", []string{
			"1 The log gives these figures: {fen.md}", "3 a width of 42.5 metres (fen.md)", "4 a cost of $3 million (fen.md)"}},
	})
	checkForms(t, "\n\n[^1]: Fen survey, fen.md\n\n[^2]: Ibid.\n", []form{
		{"ibid", "Otters swim.[^1] Herons wait.[^2]", []string{"1 Otters swim. {1>fen.md}", "1 Herons wait. {2>fen.md}"}},
	})
}

func TestDraftLinkForms(t *testing.T) {
	t.Parallel()
	checkForms(t, "", []form{
		{"in brackets", "Otters swim ([Otter Society](https://b.example/o)). Owls hunt (https://b.example/c).", []string{
			"1 Otters swim. {b.example/o}", "1 Owls hunt. {b.example/c}"}},
		{"behind the sentence", "Otters swim well. ([Otters](https://b.example/o)) Herons wait. [Herons](https://b.example/h), " +
			"[More](https://b.example/m)", []string{
			"1 Otters swim well. {b.example/o}", "1 Herons wait. {b.example/h} {b.example/m}"}},
		{"source lines", "Otters swim well.\nSource: [The Otter](https://b.example/o)\n\n- Herons wait " +
			"long.\n\n来源：https://b.example/h",
			[]string{
				"1 Otters swim well. {b.example/o}", "4 Herons wait long. {b.example/h}"}},
		{"numbers and arrows", "Otters swim [3](https://b.example/o). Herons wait [↗](https://b.example/h). Owls hunt <a " +
			"href=\"https://b.example/w\">at night</a>.", []string{
			"1 Otters swim. {b.example/o}", "1 Herons wait. {b.example/h}", "1 Owls hunt at night. {b.example/w}"}},
		{"references", "Otters swim [in rivers][riv]. They [wait][] a lot.\n\n[riv]: https://b.example/r \"Rivers\"\n[wait]: " +
			"<https://b.example/w>", []string{
			"1 Otters swim in rivers. {b.example/r}", "1 They wait a lot. {b.example/w}"}},
		{"links that lead nowhere", "Otters [swim](#swimming) and [wait](/herons) and ask [us](mailto:a@b.example) about it. " +
			"![x](https://b.example/x.png)", []string{
			"1 Otters swim and wait and ask us about it."}},
		{"lists of links", "- [Otter Society](https://b.example/o)\n- [Otters of the northern rivers swim at 12 km/h in " +
			"winter](https://b.example/w)", []string{
			"1 - Otter Society {b.example/o}", "2 Otters of the northern rivers swim at 12 km/h in winter {b.example/w}"}},
		{"addresses", "Otters swim www.b.example/o. 水獭游泳（https://b.example/w），也见https://b.example/z，再说。",
			[]string{
				"1 Otters swim. {www.b.example/o}", "1 水獭游泳，也见，再说。 {b.example/w} {b.example/z}"}},
		{"dois", "Otters swim (doi:10.1000/AB.1). Herons wait (https://doi.org/10.1000/x). Owls hunt doi.org/10.1000/y. Voles dig " +
			"(DOI 10.1000/z).", []string{
			"1 Otters swim. {10.1000/ab.1!}", "1 Herons wait. {doi.org/10.1000/x}", "1 Owls hunt. {10.1000/y!}",
			"1 Voles dig. {10.1000/z!}"}},
	})
}

func TestDraftReferenceForms(t *testing.T) {
	t.Parallel()
	tests := []struct{ line, want string }{
		{"[1] https://a.example/x - Otters | Fen Site", "1 a.example/x Otters | Fen Site"},
		{"[1] Otters of the north https://a.example/x", "1 a.example/x Otters of the north"},
		{"[1] [Otters](https://a.example/x)", "1 a.example/x Otters"},
		{"[1][Otters](https://a.example/x)", "1 a.example/x Otters"},
		{"[1](https://a.example/x) Otters", " a.example/x Otters"},
		{"[1]: https://a.example/x \"Otters\"", "1 a.example/x Otters"},
		{"- [1] Otters. https://a.example/x", "1 a.example/x Otters"},
		{"- **[1]** Otters, https://a.example/x", "1 a.example/x Otters"},
		{"**1.** [Otters](https://a.example/x)", "1 a.example/x Otters"},
		{"\\[1\\] Otters https://a.example/x", "1 a.example/x Otters"},
		{"1\\. Otters https://a.example/x", "1 a.example/x Otters"},
		{"1) Otters, https://a.example/x", "1 a.example/x Otters"},
		{"(1) Otters, https://a.example/x", "1 a.example/x Otters"},
		{"1、水獭，https://a.example/x", "1 a.example/x 水獭"},
		{"【1】水獭。https://a.example/x", "1 a.example/x 水獭"},
		{"［1］水獭：https://a.example/x", "1 a.example/x 水獭"},
		{"¹ Otters https://a.example/x", "1 a.example/x Otters"},
		{"S1: Otters — https://a.example/x", "S1 a.example/x Otters"},
		{"[S1] Otters <https://a.example/x>", "S1 a.example/x Otters"},
		{"[^1]: Otters, https://a.example/x", "1 a.example/x Otters"},
		{"| 1 | Otters | https://a.example/x |", "1 a.example/x Otters"},
		{"- [Otters](https://a.example/x)", " a.example/x Otters"},
		{"Smith, J. (2021a). Otters. https://a.example/x", " a.example/x Smith, J. (2021a). Otters"},
		{"Smith, John, and Ann Lee. 2021. “Otters.” https://a.example/x", " a.example/x Smith, John, and Ann Lee. 2021. “Otters"},
		{"Smith, John. “Otters.” Fen Review, 3 May 2021, www.a.example/x.",
			" www.a.example/x Smith, John. “Otters.” Fen Review, 3 May 2021"},
		{"[1] Smith J, Lee AB. Otters. Fen Rev. 2021;3:4. doi:10.1000/x", "1 doi.org/10.1000/x Smith J, Lee AB. Otters. Fen Rev. 2021;3:4"},
	}
	for _, tt := range tests {
		d := Parse("Otters swim.\n\n## References\n\n" + tt.line)
		got := "no entry"
		if len(d.References) == 1 {
			r := d.References[0]
			got = r.Number + " " + strings.TrimPrefix(r.URL, "https://") + " " + r.Title
		}
		if got != tt.want {
			t.Errorf("%s\n got %q\nwant %q", tt.line, got, tt.want)
		}
		if len(d.Sentences) != 1 {
			t.Errorf("%s: %d sentences, want the one before the list", tt.line, len(d.Sentences))
		}
	}
}

func TestDraftLists(t *testing.T) {
	t.Parallel()
	checkForms(t, "", []form{
		{"an entry with an address comes first", "Otters swim [1].\n\n## 参考文献\n\n1. 《水獭》，某报，" +
			"2020年\n\n参考文献：\n[1] https://a.example/x - 水獭",
			[]string{"1 Otters swim. {1>x}"}},
		{"the list of each chapter", "Otters swim [1].\n\nSources:\n[1] https://a.example/x\n\n## Herons\n\nHerons wait " +
			"[1].\n\nSources:\n[1] https://a.example/y", []string{"1 Otters swim. {1>x}", "8 Herons wait. {1>y}"}},
		{"circled numbers", "水坝在春天启用①。它包括①速度和②力量。\n\n## 注释\n\n① " +
			"莫斯：《水坝日志》，https://a.example/x", []string{
			"1 水坝在春天启用。 {1>x}", "1 它包括①速度和②力量。"}},
		{"entries that open with the mark", "Otters swim all day【4†source】.\n\n## References\n\n- 【4†source】 " +
			"[One](https://a.example/x)",
			[]string{"1 Otters swim all day. {4>x}"}},
		{"a list without numbers", "Otters swim [2]. Owls hunt [3].\n\n### Sources\n- [Otters](https://a.example/x)\n- Owls: " +
			"https://a.example/y", []string{"1 Otters swim. {2>y}", "1 Owls hunt. {3!}"}},
		{"a table", "Otters swim [2].\n\n## Sources\n\n| # | Title | Link |\n|--|--|--|\n| 1 | One | https://a.example/x |\n| 2 | Two " +
			"| [open](https://a.example/y) |", []string{"1 Otters swim. {2>y}"}},
		{"a numbered list that ends the text", "[cite_start]Otters swim [cite: 1]. Owls hunt [2].\n\n1. [One](https://a.example/x)\n" +
			"2. Two, https://a.example/y", []string{"1 Otters swim. {1>x}", "1 Owls hunt. {2>y}"}},
		{"a numbered list that ends a text without marks", "Otters swim all day.\n\n1. Owls: 12 ([x](x.md))\n2. Moles: 13 ([x](x.md))",
			[]string{"1 Otters swim all day.", "3 Owls: 12 {x.md}", "4 Moles: 13 {x.md}"}},
		{"columns of sources", "| Animal | Source | Lines |\n|---|---|---|\n| Otters swim all day | fen.md | 3-4 |\n" +
			"| Herons wait long | 1 | |\n\nOwls hunt [1].\n\n| # | Source |\n|---|---|\n" +
			"| 1 | [One](https://a.example/x) |\n| 2 | Two, https://a.example/y |", []string{
			"3 Animal: Otters swim all day {fen.md}", "4 Animal: Herons wait long {1>x}", "6 Owls hunt. {1>x}"}},
		{"the body behind a list", "Otters swim [1].\n\nSources:\n\n1. [One](https://a.example/x)\n\nThis paragraph goes on in the " +
			"body of the text [1].\n\n- An item of the body names otters.", []string{
			"1 Otters swim. {1>x}", "7 This paragraph goes on in the body of the text. {1>x}", "9 An item of the body names otters."}},
		{"other headings", "## Sources of water\n\nOtters drink from all rivers.\n\n## Data sources\n\nOtters are counted every " +
			"year.\n\n## 9. References and further reading\n\n- Otters of the northern rivers", []string{
			"3 Otters drink from all rivers.", "7 Otters are counted every year."}},
		{"definitions in items", "Otters swim [1]. Herons wait [2].\n\n### Citations\n* [1]: https://a.example/x\n" +
			"* [2]: [Y](https://a.example/y)",
			[]string{"1 Otters swim. {1>x}", "1 Herons wait. {2>y}"}},
		{"numbers that were raised", "Otters swim all day.1 Herons wait since 1931.2, 1\n\nIt is 3.1 m in Fig.2 The otter of no.1 " +
			"Brook.\n\n" +
			"#### Works cited\n\n1. One, https://a.example/x\n2. Two, https://a.example/y", []string{
			"1 Otters swim all day. {1>x}", "1 Herons wait since 1931. {2>y} {1>x}", "3 It is 3.1 m in Fig.2 The otter of no.1 Brook."}},
		{"letters", "Otters swim all day [a]. Herons wait long [b].\n\n## Sources\n\n[a] https://a.example/x\n[b] https://a.example/y",
			[]string{"1 Otters swim all day. {a>x}", "1 Herons wait long. {b>y}"}},
		{"remarks in footnotes", "Otters swim all day [1].[^a] Herons wait long [1].[^b]\n\n[^a]: Counted at low water only.\n" +
			"[^b]: Ann Holt, Otters of the fen\n\n## Sources\n\n[1] https://a.example/x", []string{
			"1 Otters swim all day. {1>x}", "1 Herons wait long. {1>x} {b>}"}},
		{"footnotes", "Otters swim [^a]. Herons wait[^2].\n\n[^a]: The otter page, https://a.example/x\n[^2]: https://a.example/y",
			[]string{"1 Otters swim. {a>x}", "1 Herons wait. {2>y}"}},
		{"ids", "Otters swim [S1] and [3].\n\nSources\n[S1] https://a.example/x\n[S3] https://a.example/y",
			[]string{"1 Otters swim and. {S1>x} {3>y}"}},
	})
}

func TestDraftQuoteForms(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, markdown string
		want           [][]string // of each sentence
	}{
		{"over two sentences", "He said: \"We swim all day. We never sleep at night.\" [1]",
			[][]string{{"We swim all day."}, {"We never sleep at night."}}},
		{"inches", "A 5\" screen and a 6\" phone are sold in all shops.", [][]string{nil}},
		{"of many languages", "«Nous nageons tous les jours», he wrote, „wir schwimmen jeden Tag“, ‘we swim every day’, " +
			"「我们每天游泳」.",
			[][]string{
				{"Nous nageons tous les jours", "wir schwimmen jeden Tag", "we swim every day", "我们每天游泳"}}},
		{"italics of wikis", "''We swim all day'', they say, with a 5'' screen and '' or '' in it.", [][]string{nil}},
		{"of more languages", "”12 otters swim”, »[We] swim every day«, ”… we swim”, ‘우리는 매일 " +
			"헤엄친다’라고, “we swim today“, ❝we swim now❞, " +
			"｢我们每天游泳｣, ״אנחנו בצה״ל שוחים״, “เราว่ายน้ำทุกวัน”.",
			[][]string{{"12 otters swim", "[We] swim every day", "… we swim", "우리는 매일 헤엄친다", "we swim today", "we " +
				"swim now", "我们每天游泳",
				"אנחנו בצה״ל שוחים", "เราว่ายน้ำทุกวัน"}}},
		{"tags", "The crew wrote that <blockquote>we swim all day</blockquote> [1]\n\nThey say:\n\n<blockquote>\n\nWe swim today.\n\n" +
			"</blockquote>\n\n[1]", [][]string{{"we swim all day"}, nil, {"We swim today."}}},
		{"none", "Otters of the '80s and '90s swim, the others' young as well.", [][]string{nil}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got [][]string
			for _, s := range Parse(tt.markdown).Sentences {
				got = append(got, s.Quotes)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A bracket may cite in several forms. Without one that no prose has, it is prose.
func TestMixedMarks(t *testing.T) {
	t.Parallel()
	for list, want := range map[string][]string{
		"[S1; Smith 2020]":                                         {"S1", "smith 2020"},
		"(Smith, Holt & Ames, 2020; S2:4)":                         {"smith 2020", "S2:4"},
		"[S1; @holt2020, p. 3; notes.md:3-5]":                      {"S1", "holt2020", "notes.md:3-5"},
		"[notes.md:3; S2]":                                         {"notes.md:3", "S2"},
		"[S1:3 (mill.md)], as [S2 (line 4)]":                       {"S1:3", "S2:4"},
		"[S1@3] (id S2:4), in (ID 12)":                             {"S1:3", "S2:4"},
		"[S1:3 - The Velden mill]":                                 {"S1:3"},
		`in [src\gate.py:2] and src\gate.py:3`:                     {"src/gate.py:2", "src/gate.py:3"},
		"(weir.md, Zeile 3) and [a.md#L3C2-L5C4]":                  {"weir.md:3", "a.md:3-5"},
		"there.<sup>weir.md:3</sup>":                               {"weir.md:3"},
		"there.$^{[1,2]}$":                                         {"1", "2"},
		"at 10$^{6}$ metres":                                       nil,
		"at {https://e.org/a} «https://e.org/b», https://e.org/c…": {"https://e.org/a", "https://e.org/b", "https://e.org/c"},
		"on log.example.org:514":                                   nil,
		"[Smith 2020; Holt 2021]":                                  nil,
		"[S1; see the appendix for the rest]":                      nil,
		"(January 2020; Smith would not agree)":                    nil,
	} {
		var got []string
		for _, m := range Parse("The tide rises twice a day " + list + ".").Sentences[0].Markers {
			if m.Lines != "" {
				m.Target += ":" + m.Lines
			}
			got = append(got, m.Target)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", list, got, want)
		}
	}
}
