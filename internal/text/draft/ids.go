package draft

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

const (
	maxRange  = 50  // [1-50]: more is no citation
	maxListed = 100 // sources in one citation
	byWord    = "@" // stands for ", line" before lines
)

var (
	markItem = lazyregexp.New(`^(\^?)([Ss]?)(\d{1,4})(?:(\s*[:#@]\s*)(` + linesPattern + `)|` +
		`(?:\s*[-–—−~～至]\s*|\s+(?:to|bis)\s+)\^?[Ss]?(\d{1,4}))?$`)
	moreOf = lazyregexp.New(`^` + linesPattern + `$`)
	// Where in the work: "S1, lines 4-8" and "1, line 4" are kept, "3, p. 12" and "3: 12" are not.
	lineWord = lazyregexp.New(`(?i)\s*[,(]?\s*\b(?:lines?\s+|ll?\.\s?|zeilen?\s+|lignes?\s+|líneas?\s+)`)
	// titled is an id with the name of its source behind it: "S1:3 (mill.md)", "S1 - The mill".
	titled = lazyregexp.New(`^([Ss]\d{1,4}(?::` + linesPattern + `(?:\s?,\s?` + linesPattern + `)*)?)\s+(?:\([^()\d]+\)|` +
		`[-–—]\s+\pL.*)$`)
	locator = lazyregexp.New(`(?i)\s*[,:(]?\s*(?:pp?\.|S\.|pages?\s|§|sec\.|sections?\b|ch\.|chapters?\b|fig\.|figures?\b|` +
		`tab\.|tables?\b|` +
		`paras?\.?\b|第|页|\d{1,4}\s?頁|[,،]\s+(?:\pL{1,9}\.|at|slides?|(?-i:\p{Lu}\pL+))\s*\d)[^;]*`)
	idWord    = lazyregexp.New(`^(?i:ids?)\s*:?\s*([Ss]\d)`) // "id S1:3"
	markSplit = lazyregexp.New(`\s*(?:,\s*and\b|[,;、،&]|\band\b|和)\s*|\s+(?:und|et|y|e|и)\s+`)
)

// sourcesIn reads a list such as "1, 3-5", "S1:120-128,140; S3:7" or "^2"; nil if it holds anything else. Numbers after lines
// are lines.
func sourcesIn(list string) (out []Marker) {
	if strings.Trim(list, "0123456789,:;- S^") != "" {
		list = lineWord.ReplaceAllString(titled.ReplaceAllString(list, "$1"), byWord)
		list = idWord.ReplaceAllString(list, "$1")
		list = strings.TrimSuffix(locator.ReplaceAllString(list, ""), ")")
	}
	for _, item := range markSplit.Split(strings.Trim(list, " \t\n,;"), -1) {
		if last := len(out) - 1; last >= 0 && out[last].Lines != "" && moreOf.MatchString(item) {
			out[last].Lines += "," + plainLines(item)
			continue
		}
		found := sourcesOf(item)
		if found == nil || len(out) > maxListed {
			return nil
		}
		out = append(out, found...)
	}
	return out
}

// sourcesOf reads one item of a list: an id, with lines, or a range.
func sourcesOf(item string) (out []Marker) {
	m := markItem.FindStringSubmatch(item)
	if m == nil {
		return nil
	}
	kind, letter := MarkerNumber, strings.ToUpper(m[2])
	if m[1] != "" {
		kind = MarkerFootnote
	} else if letter != "" {
		kind = MarkerID
	}
	first, _ := strconv.Atoi(m[3])
	last, _ := strconv.Atoi(cmp.Or(m[6], m[3]))
	if first < 1 || last < first || last-first > maxRange {
		return nil
	}
	switch at := strings.TrimLeft(m[4], " "); {
	case kind == MarkerID || at == byWord || at == "":
	case kind == MarkerNumber && at == ": ": // a page
		m[5] = ""
	default: // [1:3] is a part of an array
		return nil
	}
	for n := first; n <= last; n++ {
		out = append(out, Marker{Kind: kind, Target: letter + strconv.Itoa(n), Lines: plainLines(m[5])})
	}
	return out
}

var (
	betweenBrackets = lazyregexp.New(`[\])）］】][\s,;.]*[\[(（［【]`)
	aroundID        = "[](){}（）［］【】 \t\n.,;*`"
)

// IDs returns the ids of sources, with lines, that somebody wrote as in a text: "[S2:3]", "s2:3", "S2#L3", "S2, line 3", "[S2:3][S1]". What
// is no such id comes back as it is, without white space around.
func IDs(written string) []string {
	list := strings.Trim(betweenBrackets.ReplaceAllString(narrow(written), "; "), aroundID)
	list = sourceWord.ReplaceAllString(list, "")
	var out []string
	for _, s := range sourcesIn(list) {
		if s.Kind != MarkerID {
			return []string{strings.TrimSpace(written)}
		}
		out = append(out, strings.TrimSuffix(s.Target+":"+s.Lines, ":"))
	}
	if out == nil {
		return []string{strings.TrimSpace(written)}
	}
	return out
}
