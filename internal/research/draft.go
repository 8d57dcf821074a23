package research

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/draft"
)

// maxDraftChars bounds the text; the server takes 400,000.
const maxDraftChars = 120_000

// aReference matches a source id, alone or with lines: "S1", "S1:120-128,140".
const aReference = `S\d+(?::\d+(?:-\d+)?(?:\s*,\s*\d+(?:-\d+)?)*)?`

// mark is a citation of a source, alone or with others: "[S1]", "[S1:120-128; S3:7]".
var mark = lazyregexp.New(`\[` + aReference + `(?:\s*[,;]\s*` + aReference + `)*\]`)

var (
	reference      = lazyregexp.New(aReference)
	sourcesHeading = lazyregexp.New(`(?i)^#{1,6}\s*(sources|references|bibliography|quellen|literatur|参考文献|参考资料|出典)\s*:?\s*$`)
	heading        = lazyregexp.New(`^#{1,6}\s`)
	startsBlock    = lazyregexp.New("^(#{1,6}\\s|[-*+]\\s|\\d{1,3}[.)]\\s|>|\\||```|~~~|\\s*$)")
)

// tidied returns the model's text as Markdown with one line per block, without a fence around the whole and without a list
// of sources.
func tidied(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if first, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(first, "```") {
		if end := strings.LastIndex(rest, "\n```"); end >= 0 && strings.TrimSpace(rest[end+4:]) == "" {
			text = rest[:end]
		}
	}
	if utf8.RuneCountInString(text) > maxDraftChars {
		text = string([]rune(text)[:maxDraftChars])
	}
	var lines []string
	inList := false
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, " \t")
		if sourcesHeading.MatchString(line) {
			inList = true
			continue
		}
		if inList && !heading.MatchString(line) {
			continue
		}
		inList = false
		if n := len(lines); n > 0 && lines[n-1] != "" && !startsBlock.MatchString(strings.TrimLeft(line, " ")) && !heading.MatchString(lines[n-1]) && !strings.HasPrefix(lines[n-1], "|") {
			lines[n-1] += " " + strings.TrimSpace(line) // a wrapped line
			continue
		}
		lines = append(lines, line)
	}
	return strings.TrimSpace(strings.Join(lines, "\n")) + "\n"
}

// wholeSentences removes the incomplete end of a truncated text.
func wholeSentences(text string) string {
	end := 0
	for i, r := range text {
		n := i + utf8.RuneLen(r)
		switch {
		case r == '\n' || strings.ContainsRune("。！？", r):
			end = n
		case strings.ContainsRune(".!?", r) && (n == len(text) || text[n] == ' ' || text[n] == '\n' || text[n] == '['):
			end = n
		case r == ']' && end > 0 && mark.MatchString(text[end:n]) && strings.TrimSpace(mark.ReplaceAllString(text[end:n], "")) == "":
			end = n // citations after the full stop
		}
	}
	return strings.TrimSpace(text[:end])
}

// hasWords reports whether a text has a letter or a digit besides its citations.
func hasWords(text string) bool {
	return strings.ContainsFunc(mark.ReplaceAllString(text, ""), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// replaced replaces or removes a sentence, as the server read it at a line. If it is not found, its line is replaced: a text that
// failed the check must not stay.
func replaced(text, sentence string, line int, with string) string {
	found := draft.Parse(text).Sentences
	at := slices.IndexFunc(found, func(s draft.Sentence) bool { return s.Text == sentence && s.Line == line })
	if at < 0 {
		at = slices.IndexFunc(found, func(s draft.Sentence) bool { return s.Text == sentence })
	}
	if at >= 0 {
		runes, start, end := []rune(text), found[at].Start, found[at].End
		for _, m := range found[at].Markers { // also behind the full stop
			end = max(end, m.End)
		}
		return string(runes[:start]) + with + string(runes[end:])
	}
	lines := strings.Split(text, "\n")
	if line >= 1 && line <= len(lines) {
		lines[line-1] = with
	}
	return strings.Join(lines, "\n")
}

// pruned removes what is left of removed sentences: empty list items and rows, and headings without text.
func pruned(text string) string {
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		bare := strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "-*+>|.:;, "))
		if line != "" && !hasWords(line) && !strings.HasPrefix(line, "|-") && !strings.HasPrefix(line, "| -") && !strings.HasPrefix(line, "```") {
			continue
		}
		if strings.Trim(bare, "0123456789.) ") == "" && bare != "" { // the number of an item
			continue
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	level := func(line string) int { return len(line) - len(strings.TrimLeft(line, "#")) }
	var kept []string
	for i, line := range lines {
		if heading.MatchString(line) && level(line) > 1 {
			under := false
			for _, next := range lines[i+1:] {
				if heading.MatchString(next) {
					if level(next) <= level(line) {
						break
					}
					continue
				}
				if under = strings.TrimSpace(next) != ""; under {
					break
				}
			}
			if !under {
				continue
			}
		}
		if line == "" && (len(kept) == 0 || kept[len(kept)-1] == "") {
			continue
		}
		kept = append(kept, line)
	}
	return strings.TrimSpace(strings.Join(kept, "\n")) + "\n"
}

// withoutLines returns the id of a reference to a source: "S1" for "S1:120-128".
func withoutLines(reference string) string {
	id, _, _ := strings.Cut(strings.TrimSpace(reference), ":")
	return id
}

// withoutUnknown removes citations of unknown ids.
func withoutUnknown(text string, known map[string]string) string {
	return mark.ReplaceAllStringFunc(text, func(m string) string {
		var keep []string
		for _, ref := range reference.FindAllString(m, -1) {
			if _, ok := known[withoutLines(ref)]; ok {
				keep = append(keep, ref)
			}
		}
		if len(keep) == 0 {
			return ""
		}
		return "[" + strings.Join(keep, "; ") + "]"
	})
}

// cited returns a claim as a sentence with its citations.
func cited(c claim) string {
	text := strings.TrimSpace(c.Claim)
	end := len(strings.TrimRight(text, ".!。！"))
	marks := ""
	for _, id := range c.SourceIDs {
		marks += "[" + id + "]"
	}
	if end == len(text) {
		return text + " " + marks + "."
	}
	return text[:end] + " " + marks + text[end:]
}
