package extract

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

var (
	rstDirective = lazyregexp.New(`^\.\. (?:\|([^|]+)\| )?([A-Za-z][\w:+.-]*) ?::(?: +(.*))?$`)
	rstTarget    = lazyregexp.New("^(?:\\.\\. _(`[^`]+`|[^:]+):|__)(?: +(.*))?$")
	rstNote      = lazyregexp.New(`^\.\. \[([^\]]+)\](?: +(.*))?$`)
	rstField     = lazyregexp.New("^:([^:`\\s][^:`]*):(?: +(.*)|)$")
	rstSigns     = lazyregexp.New("(?m)^\\.\\. [\\w:-]+::|^\\.\\. _[^:]+:|``[^`]+``|:[a-z]+:`|::$")
	rstTitles    = lazyregexp.New(`(?m)^\S.*\n(?:={3,}|-{3,}|~{3,}|\^{3,}|\*{3,})$`)
	rstColumn    = lazyregexp.New(`=+`)
	rstTable     = lazyregexp.New(`^(?:=+(?: +=+)+|\+(?:[-=]+\+)+)$`)
)

// isRestructured reports a text in reStructuredText: by its name, or by two underlined titles and a mark of its syntax.
func isRestructured(text string, base *url.URL) bool {
	ending := ""
	if base != nil {
		ending = strings.ToLower(path.Ext(base.Path))
	}
	switch ending {
	case ".rst", ".rest":
		return true
	case "", ".txt", ".text":
		return len(rstTitles.FindAllStringIndex(text[:min(len(text), 64<<10)], 2)) > 1 && rstSigns.MatchString(text)
	}
	return false
}

// isAdornment reports a line of one repeated mark, as above and below titles.
func isAdornment(line string) bool {
	return len(line) > 2 && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", line[0]) >= 0 && strings.Trim(line, line[:1]) == ""
}

// restructured writes a text in reStructuredText as its readers see it: with headings, code and tables marked as elsewhere, and
// without the rest of its marks. Every line keeps its number, so that line 120 of the text is line 120 of the file.
func restructured(text string) string {
	r := rst{lines: strings.Split(text, "\n"), levels: map[string]int{}, texts: map[string]string{}, targets: map[string]bool{}}
	r.code = make([]bool, len(r.lines))
	for i, line := range r.lines { // what other places refer to
		r.lines[i] = strings.TrimRight(line, " \t")
		line = strings.TrimSpace(line)
		if m := rstDirective.FindStringSubmatch(line); m != nil && m[1] != "" && (m[2] == "replace" || m[2] == "unicode") {
			r.texts[m[1]] = m[3]
		} else if m := rstTarget.FindStringSubmatch(line); m != nil && m[2] != "" {
			r.targets[rstName(strings.Trim(m[1], "`"))] = true
		}
	}
	for i := 0; i < len(r.lines); {
		i = r.block(i)
	}
	r.paragraphs()
	return strings.TrimRight(strings.Join(r.lines, "\n"), "\n")
}

// rst is a text that is rewritten line by line.
type rst struct {
	lines       []string
	code        []bool            // lines whose marks are text
	levels      map[string]int    // of headings, by how they are underlined
	texts       map[string]string // by the name of a substitution
	targets     map[string]bool   // by name
	notes, refs int               // notes without a name, and references to them
	item        int               // of a list whose numbers are not written
}

func rstName(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// label is the label of a note as it is shown: its name, or its number among those without.
func label(written string, unnamed *int) string {
	if written == "#" {
		*unnamed++
		written = strconv.Itoa(*unnamed)
	}
	return "[" + strings.TrimPrefix(written, "#") + "]"
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// indented returns the end of the lines from i on that are indented by more than a number of columns, without blank lines at the end.
func (r *rst) indented(i, columns int) int {
	last := i
	for ; i < len(r.lines); i++ {
		if strings.TrimSpace(r.lines[i]) == "" {
			continue
		}
		if indentOf(r.lines[i]) <= columns {
			break
		}
		last = i + 1
	}
	return last
}

// block rewrites what begins in a line, and returns the line that is read next.
func (r *rst) block(i int) int {
	const maxIndent = 120 // of what is read as more than text, so that nested directives take time in proportion to their length
	at := indentOf(r.lines[i])
	line := r.lines[i][at:]
	if at == 0 && line != "" && !strings.HasPrefix(line, "#. ") {
		r.item = 0
	}
	shown := line
	switch {
	case line == "" || at > maxIndent:
	case at == 0 && r.title(i):
		return i + 2
	case line == "..", strings.HasPrefix(line, ".. "), strings.HasPrefix(line, "__ "):
		return r.explicit(i, at, line)
	case rstTable.MatchString(line):
		return r.table(i, at, line)
	case isAdornment(line) && len(line) > 3 && at == 0:
		shown = ""
	case rstField.MatchString(line):
		shown = rstField.ReplaceAllString(line, "$1: $2")
	case strings.HasPrefix(line, "#. "):
		r.item++
		shown = strconv.Itoa(r.item) + line[1:]
	case strings.HasPrefix(line, "| "):
		shown = line[2:]
	case strings.HasSuffix(line, "::"):
		if shown = strings.TrimSuffix(line, ":"); line == "::" || strings.HasSuffix(line, " ::") {
			shown = strings.TrimRight(line, ": ")
		}
		if r.lines[i] = strings.Repeat(" ", at) + shown; i+1 < len(r.lines) && r.lines[i+1] == "" {
			return r.literal(i+1, at)
		}
	}
	if shown != line {
		r.lines[i] = strings.Repeat(" ", at) + shown
	}
	return i + 1
}

// title rewrites a title that begins in a line, and reports whether one does. Its level is that of the first title with the same
// lines around it.
func (r *rst) title(i int) bool {
	at, under, style := i, i+1, ""
	if isAdornment(r.lines[i]) {
		at, under, style = i+1, i+2, "over"
	}
	if under >= len(r.lines) || r.lines[at] == "" || !isAdornment(r.lines[under]) {
		return false
	}
	below := r.lines[under]
	if style != "" && below != r.lines[i] || len(below) < min(utf8.RuneCountInString(r.lines[i]), 4) {
		return false
	}
	style += below[:1]
	if r.levels[style] == 0 {
		r.levels[style] = min(len(r.levels)+1, 6)
	}
	title := strings.Repeat("#", r.levels[style]) + " " + strings.TrimSpace(r.lines[at])
	r.lines[i], r.lines[under] = "", ""
	r.lines[at] = title
	return true
}

// literal puts fences into the blank lines around a block of code, the first of which is line i. It returns the end of the block.
func (r *rst) literal(i, columns int) int {
	last := r.indented(i, columns)
	if last == i || last < len(r.lines) && r.lines[last] != "" {
		return max(last, i+1)
	}
	if last == len(r.lines) {
		r.lines, r.code = append(r.lines, ""), append(r.code, false)
	}
	r.lines[i], r.lines[last] = "```", "```"
	least := 1 << 20
	for k := i + 1; k < last; k++ {
		if r.code[k] = true; r.lines[k] != "" {
			least = min(least, indentOf(r.lines[k]))
		}
	}
	for k := i + 1; k < last; k++ {
		r.lines[k] = r.lines[k][min(least, indentOf(r.lines[k])):]
	}
	return last + 1
}

// The directives whose argument or lines are not simply text: code, those that are not shown at all, and those whose argument is
// not. Words stand before the argument of others.
var (
	codeDirectives   = datafile.Words("code code-block sourcecode parsed-literal literalinclude prompt productionlist highlight")
	hiddenDirectives = datafile.Words(`contents toctree include index meta raw default-role role image module currentmodule sectnum
		tabularcolumns default-domain highlightlang target-notes header footer`)
	bareDirectives  = datafile.Words("figure only class container")
	namedDirectives = datafile.Words("note warning tip caution danger error hint important attention todo")
	directiveWords  = map[string]string{"versionadded": "New in version ", "versionchanged": "Changed in version ", "seealso": "See also: ",
		"deprecated": "Deprecated since version ", "versionremoved": "Removed in version "}
)

// explicit rewrites the first line of a directive, a target, a note or a comment, and returns the line that is read next. The lines
// of a directive move to the left, so that they are no quotation.
func (r *rst) explicit(i, at int, line string) int {
	body := max(r.indented(i+1, at), i+1)
	space := strings.Repeat(" ", at)
	if rstTarget.MatchString(line) {
		r.lines[i] = ""
		return i + 1
	}
	if m := rstNote.FindStringSubmatch(line); m != nil {
		r.lines[i] = space + label(m[1], &r.notes) + " " + m[2]
		return i + 1
	}
	m := rstDirective.FindStringSubmatch(line)
	if m == nil || m[1] != "" { // a comment, a substitution
		m = []string{"", "", "contents", ""}
	}
	name, text, from := strings.ToLower(m[2][strings.LastIndex(m[2], ":")+1:]), m[3], i+1
	for ; from < body && rstField.MatchString(strings.TrimSpace(r.lines[from])); from++ { // options
		r.lines[from] = ""
	}
	switch {
	case hiddenDirectives[name]:
		clear(r.lines[i:body])
		return body
	case codeDirectives[name]:
		if r.lines[i] = ""; from < body && r.lines[from] == "" {
			return r.literal(from, at)
		}
		return body
	case bareDirectives[name]:
		text = ""
	case namedDirectives[name]:
		text = strings.ToUpper(name[:1]) + name[1:] + ": " + text
	default:
		text = directiveWords[name] + text
	}
	r.lines[i] = strings.TrimRight(space+text, " ")
	for k := from; k < body; k++ {
		r.lines[k] = r.lines[k][min(3, max(0, indentOf(r.lines[k])-at)):]
	}
	return from
}

const tableRule = "---|---" // a line of a table without a row of its own

// table rewrites a table, and returns its end. Its border says where columns begin: a grid has lines around its cells, and a row
// up to the next of them; a simple table has equals signs above its columns, and a row for each first cell.
func (r *rst) table(top, at int, border string) int {
	isGrid := border[0] == '+'
	starts := rstColumn.FindAllStringIndex(border, -1)
	var row []string // in line first
	first, i := top, top
	for ; i < len(r.lines); i++ {
		line := r.lines[i][min(at, indentOf(r.lines[i])):]
		if isGrid && !strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "|") {
			break
		}
		if strings.Trim(line, "+-= ") == "" { // an edge
			isEnd := !isGrid && i > top && strings.HasPrefix(line, "=") && (i+1 >= len(r.lines) || r.lines[i+1] == "")
			if r.lines[i], row = tableRule, nil; isEnd || i == top {
				r.lines[i] = ""
			}
			if isEnd {
				return i + 1
			}
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if !isGrid {
			cells = cellsAt(starts, []rune(line))
		}
		if row == nil || !isGrid && strings.TrimSpace(cells[0]) != "" {
			first, row = i, make([]string, len(cells))
		}
		for k := range min(len(cells), len(row)) {
			row[k] = strings.TrimSpace(row[k] + " " + strings.Join(strings.Fields(cells[k]), " "))
		}
		r.lines[i] = tableRule
		r.lines[first] = strings.TrimRight(strings.Join(row, document.CellMark), " ")
	}
	if isGrid {
		r.lines[i-1] = ""
	}
	return i
}

// cellsAt cuts a line where columns begin.
func cellsAt(starts [][]int, line []rune) (cells []string) {
	end := len(line)
	for _, start := range slices.Backward(starts) {
		from := min(start[0], end)
		cells, end = append(cells, string(line[from:end])), from
	}
	slices.Reverse(cells)
	return cells
}

// The marks within a paragraph: a literal, a role or a link, strong words, emphasis, a reference to a note, a substitution, a link
// of one word, and an escaped character.
var rstMarks = lazyregexp.New("(?s)``(.+?)``|(?::[A-Za-z][\\w:+.-]*:)?`([^`]+)`(?::[A-Za-z][\\w:+.-]*:|__?)?|" +
	"\\*\\*([^*\\s](?:[^*]*[^*\\s])?)\\*\\*|\\*([^*\\s](?:[^*]*[^*\\s])?)\\*|\\[([^\\]\\s]+)\\]_|" +
	"\\|([^|\\s][^|]*)\\|_{0,2}|\\b([A-Za-z][\\w.-]*?)__?(?:\\b|$)|\\\\(.)")

var rstAngle = lazyregexp.New(`(?s)^(.*?)\s*<([^<>]+)>$`)

// paragraphs removes the marks inside of paragraphs, each of which is read as a whole: a mark may end in another line than it begins.
func (r *rst) paragraphs() {
	for i := 0; i < len(r.lines); {
		end := i + 1
		for end < len(r.lines) && !r.code[i] && r.lines[i] != "" && !r.code[end] && r.lines[end] != "" {
			end++
		}
		if !r.code[i] {
			shown := rstMarks.ReplaceAllStringFunc(strings.Join(r.lines[i:end], "\n"), func(mark string) string {
				text := r.inside(mark) // has as many lines as the mark
				return text + strings.Repeat("\n", max(0, strings.Count(mark, "\n")-strings.Count(text, "\n")))
			})
			if rows := strings.Split(shown, "\n"); len(rows) == end-i {
				copy(r.lines[i:end], rows)
			}
		}
		i = end
	}
}

// inside returns what a reader sees of a mark.
func (r *rst) inside(mark string) string {
	m := rstMarks.FindStringSubmatch(mark)
	switch {
	case m[2] != "":
		shown := m[2]
		if angle := rstAngle.FindStringSubmatch(shown); angle != nil {
			shown = cmp.Or(angle[1], angle[2])
		} else if rest, ok := strings.CutPrefix(shown, "~"); ok {
			shown = rest[strings.LastIndexByte(rest, '.')+1:]
		}
		return strings.TrimPrefix(shown, "!")
	case m[5] != "":
		return label(m[5], &r.refs)
	case m[6] != "":
		if to, ok := r.texts[m[6]]; ok {
			return to
		}
		return mark
	case m[7] != "":
		if !r.targets[rstName(m[7])] {
			return mark
		}
		return m[7]
	}
	return m[1] + m[3] + m[4] + strings.TrimSpace(m[8])
}
