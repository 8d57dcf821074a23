package grounding

import (
	"fmt"
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
			d := ParseDraft(tt.markdown + list)
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
	checkForms(t, numberedList, []form{
		{"ranges and lists", "Otters swim [1, 4-6]. Herons wait [1–3]. Owls hunt [2 and 3]; pike bite [5; 6].", []string{
			"1 Otters swim. {1>one} {4>four} {5>five} {6>six}", "1 Herons wait. {1>one} {2>two} {3>three}", "1 Owls hunt; pike bite. {2>two} {3>three} {5>five} {6>six}"}},
		{"with words and pages", "Otters swim [3, p. 12]. Herons wait [Source 2]. Owls hunt [ref. 3]. Voles dig (Sources 1, 2 and 4). Pike bite (see source 5).", []string{
			"1 Otters swim. {3>three}", "1 Herons wait. {2>two}", "1 Owls hunt. {3>three}", "1 Voles dig. {1>one} {2>two} {4>four}", "1 Pike bite. {5>five}"}},
		{"as models write them", "Otters swim [citation:1]. Herons wait [web:2][ref_3]. Owls hunt 【4†L10-L12】【4:5†source】. Voles dig [#6].", []string{
			"1 Otters swim. {1>one}", "1 Herons wait. {2>two} {3>three}", "1 Owls hunt. {4>four} {5>five}", "1 Voles dig. {6>six}"}},
		{"escaped, full width, linked", "Otters swim \\[1\\]. Herons wait ［２］. Owls hunt 【3】. Voles dig [4](#ref4). Pike bite [[5]](#cite-5). Moles dig 〔6〕.", []string{
			"1 Otters swim. {1>one}", "1 Herons wait. {2>two}", "1 Owls hunt. {3>three}", "1 Voles dig. {4>four}", "1 Pike bite. {5>five}", "1 Moles dig. {6>six}"}},
		{"raised", "Otters swim.¹ Herons wait.²,³ Owls¹ hunt. Voles dig.⁴⁻⁶ “We do,” they say.⁵", []string{
			"1 Otters swim. {1>one}", "1 Herons wait. {2>two} {3>three}", "1 Owls hunt. {1>one}", "1 Voles dig. {4>four} {5>five} {6>six}", "1 “We do,” they say. {5>five}"}},
		{"exponents and charges are none", "It is 20 km² of land and 5 m² of reed. MoO₄²⁻ is an ion, 10⁶ a number, R² a measure.", []string{
			"1 It is 20 km² of land and 5 m² of reed.", "1 MoO₄²⁻ is an ion, 10⁶ a number, R² a measure."}},
		{"raised in HTML", "Otters swim.<sup>1</sup> Herons wait<sup>[2, 3]</sup>. Owls hunt.<sup><a href=\"#r4\">4</a></sup> The pond has 5 m<sup>2</sup> of <b>reed</b>. Voles dig.^5^", []string{
			"1 Otters swim. {1>one}", "1 Herons wait. {2>two} {3>three}", "1 Owls hunt. {4>four}", "1 The pond has 5 m2 of reed.", "1 Voles dig. {5>five}"}},
		{"Chinese", "水獭[1]会游泳［2］。苍鹭会等待。[3]鱼在水里（来源：4）；蛙在岸上【5】。它们【6】吃鱼。", []string{
			"1 水獭会游泳。 {1>one} {2>two}", "1 苍鹭会等待。 {3>three}", "1 鱼在水里；蛙在岸上。 {4>four} {5>five}", "1 它们吃鱼。 {6>six}"}},
		{"what is no mark", "An array[0] and [sic] and [12月] of [2020] or [1-2-3] is [citation needed] by x[i] for all of them.", []string{
			"1 An array[0] and [sic] and [12月] of [2020] or [1-2-3] is [citation needed] by x[i] for all of them."}},
		{"wrong numbers", "Otters swim [7]. Herons wait [3, 9].", []string{"1 Otters swim. {7!}", "1 Herons wait. {3>three} {9!}"}},
		{"behind the paragraph", "Otters swim all day. Herons wait long there. Owls hunt at night. [1]\n\nVoles dig all day. Moles dig deep [2].\n\n[3]", []string{
			"1 Otters swim all day. (1>one)", "1 Herons wait long there. (1>one)", "1 Owls hunt at night. {1>one}", "3 Voles dig all day.", "3 Moles dig deep. {2>two} {3>three}"}},
		{"headings and table heads", "Otters swim all day.\n\n## Herons [1]\n\n[2]\n\n| Animal [3] | Swims |\n|---|---|\n| Otter [4] | yes |\n| Owl | no |", []string{
			"1 Otters swim all day.", "9 Animal: Otter; Swims: yes {4>four}", "10 - Animal: Owl; Swims: no", "3 stray {1>one}", "5 stray {2>two}", "7 stray {3>three}"}},
		{"tables without bars at the ends", "Animal | Swims\n---|---\nOtter | 12 km/h [1]\nOwl | never\n\nAfter the table it rains [2].", []string{
			"3 Animal: Otter; Swims: 12 km/h {1>one}", "4 - Animal: Owl; Swims: never", "6 After the table it rains. {2>two}"}},
		{"quotations and lists in them", "> Otters swim very\n> well in rivers [1].\n> - They are fast there [2]\n>\n> [!NOTE]\n> Herons wait a long time [3].", []string{
			"1 Otters swim very well in rivers. {1>one}", "3 They are fast there {2>two}", "6 Herons wait a long time. {3>three}"}},
		{"nested lists", "- Otters swim in all rivers.\n    - They swim in lakes [1].\n      They swim in fens too.\n  1. They swim [2].\n\n(1) Herons wait a long time.\n（二）水獭在河里游得很快。[3]\n① 苍鹭会在河边等待很久。\na) Owls hunt at night [4].", []string{
			"1 Otters swim in all rivers.", "2 They swim in lakes. {1>one}", "3 They swim in fens too.", "4 They swim. {2>two}", "6 Herons wait a long time.",
			"7 水獭在河里游得很快。 {3>three}", "8 苍鹭会在河边等待很久。", "9 Owls hunt at night. {4>four}"}},
		{"labels and lists without bullets", "**Where they live**\nOtters live in rivers [1].\n**Facts:**\nMemory: 1 GB of RAM\nStorage: 2 GB of disk [2]", []string{
			"1 - Where they live", "2 Otters live in rivers. {1>one}", "3 - Facts:", "4 Memory: 1 GB of RAM", "5 Storage: 2 GB of disk {2>two}"}},
		{"front matter, formulas, code", "---\ntitle: Otters [1]\n---\n\n$$\nx = [1] + otters swim very well here\n$$\n\n~~~\ncode [2]\n~~~\n[3]\n\n<h2>Head [4]</h2>\n\n```\ny = [5]\n``` [6]\n\nOtters swim in `a[1]` rivers.", []string{
			"20 Otters swim in a[1] rivers.", "12 stray {3>three}", "14 stray {4>four}", "18 stray {6>six}"}},
		{"abbreviations", "Otters live in the U.S. Fish Service area [1]. Dr. Smith et al. swam approx. 3 km in Fig. 3 [2].", []string{
			"1 Otters live in the U.S. Fish Service area. {1>one}", "1 Dr. Smith et al. swam approx. 3 km in Fig. 3. {2>two}"}},
		{"a question that is only quoted", "他们问「水獭会游泳吗？」、「苍鹭会飞吗？」，答案都在书里[1]。", []string{"1 他们问「水獭会游泳吗？」、「苍鹭会飞吗？」，答案都在书里。 {1>one}"}},
		{"the table of contents", "## Contents\n\n1. Where the otters of the north live\n2. How they live through the winter\n\n## Otters\n\nOtters live in all rivers.", []string{
			"3 - Where the otters of the north live", "4 - How they live through the winter", "8 Otters live in all rivers."}},
	})
}

func TestDraftLinkForms(t *testing.T) {
	checkForms(t, "", []form{
		{"in brackets", "Otters swim ([Otter Society](https://b.example/o)). Herons wait (see [A](https://b.example/a); [B](https://b.example/b)). Owls hunt (https://b.example/c).", []string{
			"1 Otters swim. {b.example/o}", "1 Herons wait. {b.example/a} {b.example/b}", "1 Owls hunt. {b.example/c}"}},
		{"behind the sentence", "Otters swim well. ([Otters](https://b.example/o)) Herons wait. [Herons](https://b.example/h), [More](https://b.example/m)", []string{
			"1 Otters swim well. {b.example/o}", "1 Herons wait. {b.example/h} {b.example/m}"}},
		{"source lines", "Otters swim well.\nSource: [The Otter](https://b.example/o)\n\n- Herons wait long.\n\n来源：https://b.example/h", []string{
			"1 Otters swim well. {b.example/o}", "4 Herons wait long. {b.example/h}"}},
		{"numbers and arrows", "Otters swim [3](https://b.example/o). Herons wait [↗](https://b.example/h). Owls hunt <a href=\"https://b.example/w\">at night</a> <a href='https://b.example/2'>[2]</a>.", []string{
			"1 Otters swim. {b.example/o}", "1 Herons wait. {b.example/h}", "1 Owls hunt at night. {b.example/w} {b.example/2}"}},
		{"references", "Otters swim [in rivers][riv]. They [wait][] a lot. See [the owl page].\n\n[riv]: https://b.example/r \"Rivers\"\n[wait]: <https://b.example/w>\n[the owl page]: https://b.example/owl", []string{
			"1 Otters swim in rivers. {b.example/r}", "1 They wait a lot. {b.example/w}", "1 See the owl page. {b.example/owl}"}},
		{"links that lead nowhere", "Otters [swim](#swimming) and [wait](/herons) and ask [us](mailto:a@b.example) about it. ![x](https://b.example/x.png)", []string{
			"1 Otters swim and wait and ask us about it."}},
		{"lists of links", "- [Otter Society](https://b.example/o)\n- [Otters of the northern rivers swim at 12 km/h in winter](https://b.example/w)", []string{
			"1 - Otter Society {b.example/o}", "2 Otters of the northern rivers swim at 12 km/h in winter {b.example/w}"}},
		{"addresses", "Otters swim www.b.example/o. 水獭游泳（https://b.example/w），也见https://b.example/z，再说。 It is open (arXiv:2401.01234v2).", []string{
			"1 Otters swim. {www.b.example/o}", "1 水獭游泳，也见，再说。 {b.example/w} {b.example/z}", "1 It is open. {arxiv.org/abs/2401.01234v2}"}},
		{"dois", "Otters swim (doi:10.1000/AB.1). Herons wait (https://doi.org/10.1000/x). Owls hunt doi.org/10.1000/y. Voles dig (DOI 10.1000/z).", []string{
			"1 Otters swim. {10.1000/ab.1!}", "1 Herons wait. {doi.org/10.1000/x}", "1 Owls hunt. {10.1000/y!}", "1 Voles dig. {10.1000/z!}"}},
	})
}

const authorList = `

## References

Smith, J., & Jones, K. (2019). Otters of the north. Fen Press. https://a.example/sj

Smith, J. (2021a). Rivers. https://a.example/rivers

Smith, J. (2021b). Lakes. https://a.example/lakes

Jones, K., Lee, A., & Park, C. (2020). Ponds. Journal of Ponds, 4(2), 1-20.
https://a.example/ponds

World Health Organization. (2020). Water report. https://a.example/who

van der Berg, P. (n.d.). Dykes. https://a.example/dykes

O’Hara, M. 2018. "Voles and moles." Fen Review 3. https://a.example/voles

Pew Research Center. (2022). People and otters.
`

func TestDraftAuthorForms(t *testing.T) {
	checkForms(t, authorList, []form{
		{"in brackets", "Otters swim (Smith & Jones, 2019). Herons wait (see Jones et al., 2020, p. 4). Owls hunt (Smith, 2021a; Jones et al., 2020).", []string{
			"1 Otters swim. {smith 2019>sj}", "1 Herons wait. {jones 2020>ponds}", "1 Owls hunt. {smith 2021a>rivers} {jones 2020>ponds}"}},
		{"two years", "Otters swim (Smith, 2021a, 2021b). Herons wait (Smith 2021a, b).", []string{
			"1 Otters swim. {smith 2021a>rivers} {smith 2021b>lakes}", "1 Herons wait. {smith 2021a>rivers} {smith 2021b>lakes}"}},
		{"in the sentence", "Smith and Jones (2019) say so. As Jones et al. (2020) found, ponds freeze. World Health Organization (2020) agrees. Smith’s (2021b) lakes are deep.", []string{
			"1 Smith and Jones say so. {smith 2019>sj}", "1 As Jones et al. found, ponds freeze. {jones 2020>ponds}", "1 World Health Organization agrees. {world health organization 2020>who}",
			"1 Smith’s lakes are deep. {smith 2021b>lakes}"}},
		{"organisations and particles", "Water counts (WHO, 2020). Dykes hold (van der Berg, n.d.). Dykes break [Berg, n.d.]. Voles dig (O’Hara 2018). People like otters (Pew Research Center, 2022).", []string{
			"1 Water counts. {who 2020>who}", "1 Dykes hold. {van der berg n.d.>dykes}", "1 Dykes break. {berg n.d.>dykes}", "1 Voles dig. {o’hara 2018>voles}", "1 People like otters. {pew research center 2022>}"}},
		{"not in the list", "Cats do not (Brown, 2018). Dogs do (Smith et al., 2011; Jones et al., 2020).", []string{
			"1 Cats do not. {brown 2018!}", "1 Dogs do. {smith 2011!} {jones 2020>ponds}"}},
		{"no citations", "Blade Runner (1982) is a film of note. In 2020 (June, 2020) it rained a lot. It fell (in March 2019) to four.", []string{
			"1 Blade Runner (1982) is a film of note.", "1 In 2020 (June, 2020) it rained a lot.", "1 It fell (in March 2019) to four."}},
	})
	checkForms(t, "\n\n## 参考文献\n\n张三, 李四. 水獭的河流[J]. 动物学报, 2020, 12(3): 1-9. https://a.example/zhang\n王小明等. 苍鹭研究[M]. 北京: 科学出版社, 2019. https://a.example/wang\n国家林业局（2021）。湿地报告。https://a.example/lin\n", []form{
		{"Chinese", "水獭游得很快（张三等，2020）。王小明等（2019）发现苍鹭会等待。湿地很重要（参见国家林业局，2021）。", []string{
			"1 水獭游得很快。 {张三 2020>zhang}", "1 王小明等发现苍鹭会等待。 {王小明 2019>wang}", "1 湿地很重要。 {国家林业局 2021>lin}"}},
	})
	// In a text that cites by numbers, names with years are only words.
	checkForms(t, numberedList, []form{
		{"beside numbers", "Otters swim (Smith et al., 2021) in rivers [1].", []string{"1 Otters swim (Smith et al., 2021) in rivers. {1>one}"}},
	})
}

func TestDraftReferenceForms(t *testing.T) {
	tests := []struct{ line, want string }{
		{"[1] https://a.example/x - Otters | Fen Site", "1 a.example/x Otters | Fen Site"},
		{"[1] Otters of the north https://a.example/x", "1 a.example/x Otters of the north"},
		{"[1] [Otters](https://a.example/x)", "1 a.example/x Otters"},
		{"[1][Otters](https://a.example/x)", "1 a.example/x Otters"},
		{"[1](https://a.example/x) Otters", "1 a.example/x Otters"},
		{"[[1]](https://a.example/x) Otters", "1 a.example/x Otters"},
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
		{"Smith, J. (2021a). Otters. https://a.example/x", " a.example/x Smith, J. (2021a). Otters / Smith, J / 2021a"},
		{"Smith, John, and Ann Lee. 2021. “Otters.” https://a.example/x", " a.example/x Smith, John, and Ann Lee. 2021. “Otters / Smith, John, and Ann Lee / 2021"},
		{"Smith, John. “Otters.” Fen Review, 3 May 2021, www.a.example/x.", " www.a.example/x Smith, John. “Otters.” Fen Review, 3 May 2021 / Smith, John / 2021"},
		{"[1] Smith J, Lee AB. Otters. Fen Rev. 2021;3:4. doi:10.1000/x", "1 doi.org/10.1000/x Smith J, Lee AB. Otters. Fen Rev. 2021;3:4 / Smith J, Lee AB / 2021"},
	}
	for _, tt := range tests {
		d := ParseDraft("Otters swim.\n\n## References\n\n" + tt.line)
		got := "no entry"
		if len(d.References) == 1 {
			r := d.References[0]
			got = r.Number + " " + strings.TrimPrefix(r.URL, "https://") + " " + r.Title
			if r.Year != "" {
				got += " / " + r.Authors + " / " + r.Year
			}
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
	checkForms(t, "", []form{
		{"an entry with an address comes first", "Otters swim [1].\n\n## 参考文献\n\n1. 《水獭》，某报，2020年\n\n参考文献：\n[1] https://a.example/x - 水獭", []string{"1 Otters swim. {1>x}"}},
		{"the list of each chapter", "Otters swim [1].\n\nSources:\n[1] https://a.example/x\n\n## Herons\n\nHerons wait [1].\n\nSources:\n[1] https://a.example/y", []string{"1 Otters swim. {1>x}", "8 Herons wait. {1>y}"}},
		{"a list without numbers", "Otters swim [2]. Owls hunt [3].\n\n### Sources\n- [Otters](https://a.example/x)\n- Owls: https://a.example/y", []string{"1 Otters swim. {2>y}", "1 Owls hunt. {3!}"}},
		{"labels of other kinds", "The rule says so [RFC2119]. Otters swim [A1].\n\n## Sources\n\n- [RFC2119] Key words https://a.example/rfc\n- [A1] Otters. https://a.example/a1", []string{
			"1 The rule says so. {RFC2119>rfc}", "1 Otters swim. {A1>a1}"}},
		{"a table", "Otters swim [2].\n\n## Sources\n\n| # | Title | Link |\n|--|--|--|\n| 1 | One | https://a.example/x |\n| 2 | Two | [open](https://a.example/y) |", []string{"1 Otters swim. {2>y}"}},
		{"the body behind a list", "Otters swim [1].\n\nSources:\n\n1. [One](https://a.example/x)\n\nThis paragraph goes on in the body of the text [1].\n\n- An item of the body names otters.", []string{
			"1 Otters swim. {1>x}", "7 This paragraph goes on in the body of the text. {1>x}", "9 An item of the body names otters."}},
		{"other headings", "## Sources of water\n\nOtters drink from all rivers.\n\n## Data sources\n\nOtters are counted every year.\n\n## 9. References and further reading\n\n- Otters are counted every year.", []string{
			"3 Otters drink from all rivers.", "7 Otters are counted every year."}},
		{"footnotes", "Otters swim [^a]. Herons wait[^2].\n\n[^a]: The otter page, https://a.example/x\n[^2]: https://a.example/y", []string{"1 Otters swim. {a>x}", "1 Herons wait. {2>y}"}},
		{"ids", "Otters swim [S1] and [3].\n\nSources\n[S1] https://a.example/x\n[S3] https://a.example/y", []string{"1 Otters swim and. {S1>x} {3>y}"}},
	})
}

func TestDraftQuoteForms(t *testing.T) {
	tests := []struct {
		name, markdown string
		want           [][]string // of each sentence
	}{
		{"over two sentences", "He said: \"We swim all day. We never sleep at night.\" [1]", [][]string{{"We swim all day."}, {"We never sleep at night."}}},
		{"inches", "A 5\" screen and a 6\" phone are sold in all shops.", [][]string{nil}},
		{"of many languages", "«Nous nageons tous les jours», he wrote, „wir schwimmen jeden Tag“, ‘we swim every day’, 「我们每天游泳」.", [][]string{
			{"Nous nageons tous les jours", "wir schwimmen jeden Tag", "we swim every day", "我们每天游泳"}}},
		{"marks and emphasis in them", "She said “we *never* [1] saw [otters](https://b.example) here”.", [][]string{{"we never saw otters here"}}},
		{"too short", "The “river otter” is called \"otter\".", [][]string{nil}},
		{"without an end", "She said “we never saw otters here.", [][]string{nil}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got [][]string
			for _, s := range ParseDraft(tt.markdown).Sentences {
				got = append(got, s.Quotes)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
