package hooks

import (
	"html"
	"strings"
	"unicode/utf8"
)

// Range is a range of lines, from 1, with both ends.
type Range struct{ First, Last int }

// maxOutputLines bounds the lines of an output that are looked for (chosen: Claude Code passes 30,000 characters).
const maxOutputLines = 4000

// minLineChars is how long a line is that proves that a file was shown: "}" or "---" stands in many.
const minLineChars = 4

// Shown returns the lines of a text that stand in the output of a command, ascending. Lines of the output may begin with
// numbers and names of files, as those of grep and cat -n do. It is empty if the output shows nothing of the text.
func Shown(output, text string) []Range {
	at := map[string][]int{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimSpace(line); line != "" {
			at[line] = append(at[line], n)
		}
	}
	lines := make([]bool, n+2)
	proven, last, seen := false, 0, 0
	for line := range strings.Lines(output) {
		if seen++; seen > maxOutputLines {
			break
		}
		found, where := "", []int(nil)
		for _, candidate := range withoutPrefix(strings.TrimSpace(line)) {
			if where = at[candidate]; where != nil {
				found = candidate
				break
			}
		}
		if where == nil {
			continue
		}
		take := where[0]
		for _, w := range where { // the next one after what was shown before
			if w > last {
				take = w
				break
			}
		}
		lines[take], last = true, take
		proven = proven || len([]rune(found)) >= minLineChars
	}
	if !proven {
		return nil
	}
	return rangesOf(lines)
}

// rangesOf returns the ranges of the lines that are set; the first line is 1.
func rangesOf(lines []bool) []Range {
	var out []Range
	for i, shown := range lines {
		switch {
		case !shown:
		case len(out) > 0 && out[len(out)-1].Last == i-1:
			out[len(out)-1].Last = i
		default:
			out = append(out, Range{i, i})
		}
	}
	return out
}

// minMarkupChars is how long the text of a line of markup is that proves that a file was shown (chosen: a line of a menu is
// shorter, a line of a paragraph longer).
const minMarkupChars = 24

// maxMarkupLines bounds the lines of markup that are looked for (chosen: each costs up to one pass over the text).
const maxMarkupLines = 1000

// ShownMarkup is Shown for a text that was extracted from markup: a line of the output is a piece of a line of the text once
// its tags are gone.
func ShownMarkup(output, text string) []Range {
	shown := make([]bool, strings.Count(text, "\n")+2)
	at, line, seen := 0, 1, 0 // the place in text after the last piece that was found, and its line
	for raw := range strings.Lines(output) {
		for _, candidate := range withoutPrefix(strings.TrimSpace(raw)) {
			piece := withoutTags(candidate)
			if utf8.RuneCountInString(piece) < minMarkupChars {
				continue
			}
			if seen++; seen > maxMarkupLines {
				return rangesOf(shown)
			}
			i := strings.Index(text[at:], piece)
			if i < 0 {
				if i = strings.Index(text[:at], piece); i < 0 {
					continue
				}
				at, line = 0, 1
			}
			line += strings.Count(text[at:at+i], "\n")
			at += i
			shown[line] = true
			break
		}
	}
	return rangesOf(shown)
}

// withoutTags returns the text of a line of HTML or XML, with single spaces. A tag that the line begins or ends within is
// left out too.
func withoutTags(line string) string {
	if end, begin := strings.IndexByte(line, '>'), strings.IndexByte(line, '<'); end >= 0 && (begin < 0 || end < begin) {
		line = line[end+1:]
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(line, "<")
		b.WriteString(before)
		if !ok {
			break
		}
		if _, line, ok = strings.Cut(rest, ">"); !ok {
			break
		}
	}
	return strings.Join(strings.Fields(html.UnescapeString(b.String())), " ")
}

// withoutPrefix returns a line, and what is left of it without a number, and without a name and a number.
func withoutPrefix(line string) []string {
	all := []string{line}
	if rest, ok := afterNumber(line); ok {
		return append(all, rest)
	}
	for i := range len(line) {
		if c := line[i]; c == ':' || c == '-' {
			rest := line[i+1:]
			if after, ok := afterNumber(rest); ok {
				return append(all, after)
			}
			if c == ':' {
				return append(all, strings.TrimSpace(rest))
			}
		}
	}
	return all
}

// afterNumber returns what follows a line number and its mark: "12:text", "12-text", "12\ttext", "L12: text".
func afterNumber(line string) (string, bool) {
	rest := strings.TrimPrefix(line, "L")
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if digits == 0 || digits == len(rest) || strings.IndexByte(":-\t", rest[digits]) < 0 {
		return "", false
	}
	return strings.TrimSpace(rest[digits+1:]), true
}
