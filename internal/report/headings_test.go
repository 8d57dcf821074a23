package report

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/prompts"
)

// The report recognizes each heading for limits that the prompts request.
func TestIsLimitsHeading(t *testing.T) {
	for _, question := range []string{"What does it cost?", "它的成本是多少？", "費用はいくらですか。", "비용은 얼마입니까?"} {
		heading := prompts.Loop{Question: question}.Language().Limitations
		if heading == "" || !isLimitsHeading(heading) {
			t.Errorf("unknown heading of the prompts: %q", heading)
		}
	}
	for heading, want := range map[string]bool{
		"Limitations and Uncertainties": true, "limitations & uncertainties": true, "5. Limitations and uncertainties:": true, "IV. Limitations": true, "三、局限与不确定性": true,
		"第四章 局限性": true, "限界と不確実性": true, "6) 한계와 불확실성": true, "⚠ Limitations": true,
		"": false, "Speed limitations of channels": false, "Executive Summary": false, "Limits": false, "局限与前景": false, "5.": false, "二": false,
	} {
		if got := isLimitsHeading(heading); got != want {
			t.Errorf("%q: %v, want %v", heading, got, want)
		}
	}
}

// The host's section is unchanged; the computed list then has another heading.
func TestLimitsAreNotRepeated(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		own        bool
	}{
		{"none", "## Summary\n\nIt works.\n", false},
		{"English", "## Summary\n\nIt works.\n\n## Limitations and Uncertainties\n\nNot all of it.\n", true},
		{"Chinese", "## 执行摘要\n\n可行。\n\n## 局限与不确定性\n\n并非全部。\n", true},
		{"Japanese", "## 要旨\n\n動きます。\n\n## 限界と不確実性\n\nすべてではない。\n", true},
		{"Korean", "## 요약\n\n작동합니다.\n\n## 한계와 불확실성\n\n전부는 아닙니다.\n", true},
		{"underlined, with emphasis", "It works.\n\n*Limitations* and uncertainties\n---\n\nNot all of it.\n", true},
		{"first of all", "## Limitations\n\nNot all of it.\n", true},
		{"the title", "# Limitations\n\nIt works.\n", false},
		{"after a title", "# It\n\n# Limitations\n\nNot all of it.\n", true},
		{"a quoted heading", "It works.\n\n> ## Limitations\n> of theirs\n", false},
		{"code", "It works.\n\n```\n## Limitations\n```\n", false},
		{"a paragraph", "It works.\n\nLimitations\n", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := Document{Query: "Does it?", Text: tc.text, Verdict: "pass", GeneratedAt: written, OpenGaps: []string{"what is still open"}}
			words := factsOf(d).words
			title, other := words.T(limitsTitle), words.T(recordTitle)
			if tc.own {
				title, other = other, title
			}
			md := render(t, Markdown, d)
			if !strings.Contains(under(md, title), "what is still open") || strings.Contains(under(md, other), "what is still open") {
				t.Errorf("Markdown: the list is not under %q:\n%s", title, md)
			}
			page := render(t, HTML, d)
			for _, w := range checkPage(d, page) {
				t.Error(w)
			}
			if got := section(t, page, "limitations"); !strings.HasPrefix(strings.TrimSpace(got), title+"\n") || !strings.Contains(string(page), `<li><a href="#limitations">`+title+`</a></li>`) {
				t.Errorf("the page has the list not under %q:\n%s", title, got)
			}
		})
	}
}
