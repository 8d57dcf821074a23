package report

import (
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"

	"github.com/citeloop/citeloop/internal/report/markup"
)

// hasLimitsSection reports whether the text has its own section on limits, so that the section of the server gets another
// title. first is the first block of the text after its title.
func hasLimitsSection(first ast.Node, source []byte) bool {
	for n := first; n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			continue
		}
		var b strings.Builder
		for _, p := range markup.Pieces(h, source) {
			b.WriteString(markup.Resolved(string(source[p.Start:p.Stop])))
			b.WriteByte(' ')
		}
		if isLimitsHeading(placeholder.ReplaceAllString(b.String(), " ")) {
			return true
		}
	}
	return false
}

// isLimitsHeading recognises the headings that the prompts ask for (prompts.Language) and their usual variants,
// with or without a number before them.
func isLimitsHeading(heading string) bool {
	words := strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return ' '
	}, heading))
	if len(words) > 1 && strings.Trim(words[0], "ivx第一二三四五六七八九十章节節部分") == "" {
		words = words[1:]
	}
	switch strings.Join(words, " ") {
	case "limitations and uncertainties", "limitations uncertainties", "uncertainties and limitations", "limitations",
		"局限与不确定性", "局限性与不确定性", "局限和不确定性", "局限性和不确定性", "局限性", "局限與不確定性", "局限性與不確定性",
		"限界と不確実性", "限界および不確実性", "한계와 불확실성", "한계 및 불확실성":
		return true
	}
	return false
}
