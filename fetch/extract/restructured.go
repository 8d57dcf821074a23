package extract

import (
	"cmp"
	"net/url"
	"path"
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
	rstTable     = lazyregexp.New(`^(?:=+(?: +=+)+|\+(?:[-=]+\+)+)$`)
	rstListItem  = lazyregexp.New(`^\* - `)
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
	default:
		return false
	}
	titles, before := 0, ""
	for line := range strings.Lines(text[:min(len(text), 64<<10)]) {
		line = strings.TrimRight(line, " \t\n")
		if isAdornment(line) && before != "" && before[0] != ' ' && utf8.RuneCountInString(line) >= utf8.RuneCountInString(before) {
			titles++
		}
		before = line
	}
	return titles > 1 && rstSigns.MatchString(text)
}

// isAdornment reports a line of one repeated mark, as above and below titles.
func isAdornment(line string) bool {
	return len(line) > 2 && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", line[0]) >= 0 && strings.Trim(line, line[:1]) == ""
}

// restructured writes a text in reStructuredText as its readers see it: with headings, code and tables marked as elsewhere, and
// without the rest of its marks. Every line keeps its number, so that line 120 of the text is line 120 of the file.
func restructured(text string, base *url.URL) (string, []document.Reference) {
	r := rst{lines: strings.Split(text, "\n"), levels: map[string]int{}, texts: map[string]string{}, targets: map[string]string{},
		links: document.Links{Base: base}}
	r.code = make([]bool, len(r.lines))
	for _, line := range r.lines { // what other places refer to
		line = strings.TrimSpace(line)
		if m := rstDirective.FindStringSubmatch(line); m != nil && m[1] != "" && (m[2] == "replace" || m[2] == "unicode") {
			r.texts[m[1]] = m[3]
		} else if m := rstTarget.FindStringSubmatch(line); m != nil && m[2] != "" {
			r.targets[rstName(strings.Trim(m[1], "`"))] = m[2]
		}
	}
	r.blocks(0, len(r.lines), 0)
	r.inline()
	return strings.TrimRight(strings.Join(r.lines, "\n"), "\n"), r.links.References
}

// rst is a text that is rewritten line by line.
type rst struct {
	lines       []string
	code        []bool            // lines whose marks are text
	levels      map[string]int    // of headings, by how they are underlined
	texts       map[string]string // by the name of a substitution
	targets     map[string]string // addresses, by the name of a target
	notes, refs int               // notes without a name, and references to them
	links       document.Links
	depth       int
}

// label is the label of a note as it is shown: its name, or its number among those without.
func label(written string, unnamed *int) string {
	if written == "#" {
		*unnamed++
		return "[" + strconv.Itoa(*unnamed) + "]"
	}
	return "[" + strings.TrimPrefix(written, "#") + "]"
}

func rstName(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

func (r *rst) blank(i int) bool { return strings.TrimSpace(r.lines[i]) == "" }

// indented returns the end of the lines from i on that are indented by more than a number of columns, without blank lines at the end.
func (r *rst) indented(i, end, columns int) int {
	last := i
	for ; i < end; i++ {
		if !r.blank(i) {
			if indentOf(r.lines[i]) <= columns {
				break
			}
			last = i + 1
		}
	}
	return last
}

// blocks rewrites the lines from i up to end, which are indented by at least a number of columns.
func (r *rst) blocks(i, end, columns int) {
	const maxNesting = 40
	if r.depth++; r.depth > maxNesting {
		return
	}
	defer func() { r.depth-- }()
	item := 0 // of a list with numbers of its own
	for i < end {
		line := strings.TrimRight(r.lines[i], " \t")
		at := indentOf(line)
		line = line[min(at, len(line)):]
		if at == 0 && line != "" && !strings.HasPrefix(line, "#. ") {
			item = 0
		}
		shown := line
		switch {
		case line == "":
		case at == 0 && r.title(i, end):
			i += 2
			continue
		case line == "..", strings.HasPrefix(line, ".. "), strings.HasPrefix(line, "__ "):
			i = r.explicit(i, end, at, line)
			continue
		case rstTable.MatchString(line):
			i = r.table(i, end, line)
			continue
		case isAdornment(line) && len(line) > 3 && at == 0:
			shown = ""
		case rstField.MatchString(line):
			shown = rstField.ReplaceAllString(line, "$1: $2")
		case strings.HasPrefix(line, "#. "):
			item++
			shown = strconv.Itoa(item) + line[1:]
		case strings.HasPrefix(line, "| "):
			shown = line[2:]
		case strings.HasSuffix(line, "::"):
			shown = strings.TrimSuffix(line, ":")
			if line == "::" || strings.HasSuffix(line, " ::") {
				shown = strings.TrimRight(line, ": ")
			}
			if r.lines[i] = strings.Repeat(" ", at) + shown; i+1 < end && r.blank(i+1) {
				i = r.literal(i+1, end, at)
				continue
			}
		}
		if shown != line {
			r.lines[i] = strings.Repeat(" ", at) + shown
		}
		i++
	}
}

// title rewrites a title that begins in a line, and reports whether one does. Its level is that of the first title with the same
// lines around it.
func (r *rst) title(i, end int) bool {
	line := strings.TrimRight(r.lines[i], " \t")
	at, under, style := i, i+1, ""
	if isAdornment(line) {
		at, under, style = i+1, i+2, "over"
	}
	if under >= end || r.blank(at) || !isAdornment(strings.TrimSpace(r.lines[under])) {
		return false
	}
	below := strings.TrimSpace(r.lines[under])
	if style != "" && below != line || len(below) < min(utf8.RuneCountInString(line), 4) {
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

// literal puts fences into the blank lines around a block of code, which begins below line i. It returns the end of the block.
func (r *rst) literal(i, end, columns int) int {
	last := r.indented(i, end, columns)
	if last == i || last < len(r.lines) && !r.blank(last) {
		return max(last, i+1)
	}
	if last == len(r.lines) {
		r.lines, r.code = append(r.lines, ""), append(r.code, false)
	}
	r.lines[i], r.lines[last] = "```", "```"
	least := 1 << 20
	for k := i + 1; k < last; k++ {
		if r.code[k] = true; !r.blank(k) {
			least = min(least, indentOf(r.lines[k]))
		}
	}
	for k := i + 1; k < last; k++ {
		r.lines[k] = r.lines[k][min(least, indentOf(r.lines[k])):]
	}
	return last + 1
}

// admonitions are directives that are written as words before their text.
var admonitions = map[string]string{
	"note": "Note", "warning": "Warning", "tip": "Tip", "caution": "Caution", "danger": "Danger", "error": "Error", "hint": "Hint",
	"important": "Important", "attention": "Attention", "seealso": "See also", "todo": "Todo",
	"versionadded": "New in version", "versionchanged": "Changed in version", "deprecated": "Deprecated since version",
	"versionremoved": "Removed in version",
}

// Directives whose lines are code, and those that are not shown.
var (
	codeDirectives = datafile.Words("code code-block sourcecode parsed-literal literalinclude prompt productionlist highlight")
	goneDirectives = datafile.Words(`contents toctree include index meta raw default-role role image module currentmodule sectnum
		tabularcolumns default-domain highlightlang target-notes header footer`)
)

// explicit rewrites a directive, a target, a note or a comment with its indented lines, and returns its end.
func (r *rst) explicit(i, end, at int, line string) int {
	body := max(r.indented(i+1, end, at), i+1)
	space := strings.Repeat(" ", at)
	if m := rstTarget.FindStringSubmatch(line); m != nil {
		r.links.Refer(m[2], func() string { return strings.Trim(m[1], "`") })
		r.lines[i] = ""
		return i + 1
	}
	if m := rstNote.FindStringSubmatch(line); m != nil {
		r.lines[i] = space + label(m[1], &r.notes) + " " + m[2]
		r.blocks(i+1, body, at+1)
		return body
	}
	m := rstDirective.FindStringSubmatch(line)
	if m == nil || m[1] != "" { // a comment, a substitution
		clear(r.lines[i:body])
		return body
	}
	name, text := m[2][strings.LastIndex(m[2], ":")+1:], m[3]
	from := i + 1
	for ; from < body && rstField.MatchString(strings.TrimSpace(r.lines[from])); from++ { // options
		r.lines[from] = ""
	}
	switch word := admonitions[strings.ToLower(name)]; {
	case codeDirectives[name]:
		r.lines[i] = ""
		if from < body && r.blank(from) {
			return r.literal(from, max(body, min(end, body+1)), at)
		}
		return body
	case goneDirectives[name]:
		clear(r.lines[i:body])
		return body
	case name == "list-table":
		r.lines[i] = space + text
		r.listTable(from, body)
		return body
	case name == "figure", name == "only", name == "class", name == "container":
		text = ""
	case word != "" && strings.HasSuffix(word, "version"):
		text = word + " " + text
	case word != "":
		text = strings.TrimSpace(word + ": " + text)
	}
	r.lines[i] = strings.TrimRight(space+text, " ")
	for k := from; k < body; k++ { // it is no quotation
		r.lines[k] = r.lines[k][min(3, max(0, indentOf(r.lines[k])-at)):]
	}
	r.blocks(from, body, at)
	return body
}

const tableRule = "---|---" // a line of a table without a row of its own

// table rewrites a table, and returns its end. Its border says where columns begin: a grid has lines around its cells, and a row
// up to the next of them; a simple table has equals signs above its columns, and a row for each first cell.
func (r *rst) table(i, end int, border string) int {
	at, isGrid := indentOf(r.lines[i]), border[0] == '+'
	var starts []int
	for k := range border {
		if border[k] == '=' && (k == 0 || border[k-1] == ' ') {
			starts = append(starts, k)
		}
	}
	var row []string // in line first
	first, top := 0, i
	for ; i < end; i++ {
		line := strings.TrimRight(r.lines[i], " \t")
		line = line[min(at, indentOf(line)):]
		if isGrid && !strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "|") {
			break
		}
		isEdge := strings.Trim(line, "+-= ") == ""
		switch {
		case isEdge && !isGrid && i > top && line != "" && line[0] == '=' && (i+1 >= end || r.blank(i+1)):
			r.lines[i] = ""
			return i + 1
		case isEdge && i == top:
			r.lines[i] = ""
			continue
		case isEdge:
			r.lines[i], row = tableRule, nil
			continue
		}
		var cells []string
		if isGrid {
			cells = strings.Split(strings.Trim(line, "|"), "|")
		} else {
			runes := []rune(line)
			for k, from := range starts {
				to := len(runes)
				if k+1 < len(starts) {
					to = min(to, starts[k+1])
				}
				cells = append(cells, string(runes[min(from, to):to]))
			}
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

// listTable rewrites a list of lists as the rows of a table.
func (r *rst) listTable(i, end int) {
	first := -1
	for ; i < end; i++ {
		line := strings.TrimSpace(r.lines[i])
		switch {
		case rstListItem.MatchString(line):
			first, r.lines[i] = i, line[len("* - "):]
		case first < 0 || line == "":
			continue
		case strings.HasPrefix(line, "- ") || line == "-":
			r.lines[first] += document.CellMark + strings.TrimPrefix(line, "- ")
			r.lines[i] = tableRule
		default:
			r.lines[first] += " " + line
			r.lines[i] = tableRule
		}
	}
}

var (
	rstRole  = lazyregexp.New("(?s)(?::[A-Za-z][\\w:+.-]*:)?`([^`]+)`(?::[A-Za-z][\\w:+.-]*:|__?)?")
	rstAngle = lazyregexp.New(`(?s)^(.*?)\s*<([^<>]+)>$`)
	rstMarks = lazyregexp.New("(?s)``(.+?)``|\\*\\*([^*\\s](?:[^*]*[^*\\s])?)\\*\\*|" +
		"\\*([^*\\s](?:[^*]*[^*\\s])?)\\*|\\[([^\\]\\s]+)\\]_|\\|([^|\\s][^|]*)\\|_{0,2}|\\b([A-Za-z][\\w.-]*?)__?(?:\\b|$)|\\\\(.)")
)

// inline removes the marks inside of paragraphs, each of which is read as a whole: a mark may end in another line than it begins.
func (r *rst) inline() {
	for i := 0; i < len(r.lines); {
		end := i + 1
		if !r.code[i] {
			for end < len(r.lines) && !r.code[end] && !r.blank(end) && !r.blank(i) {
				end++
			}
			text := strings.Join(r.lines[i:end], "\n")
			var shown strings.Builder
			for len(text) > 0 { // literals first: marks in them are text
				open := strings.Index(text, "``")
				length := -1
				if open >= 0 {
					length = strings.Index(text[open+2:], "``")
				}
				if length < 1 {
					shown.WriteString(r.words(text))
					break
				}
				shown.WriteString(r.words(text[:open]))
				shown.WriteString(text[open+2 : open+2+length])
				text = text[open+4+length:]
			}
			if rows := strings.Split(shown.String(), "\n"); len(rows) == end-i {
				copy(r.lines[i:end], rows)
			}
		}
		i = end
	}
}

// words removes the marks in a text that holds no literals.
func (r *rst) words(text string) string {
	keep := func(match, shown string) string { // as many lines as before
		return shown + strings.Repeat("\n", max(0, strings.Count(match, "\n")-strings.Count(shown, "\n")))
	}
	text = rstRole.ReplaceAllStringFunc(text, func(match string) string {
		shown := rstRole.FindStringSubmatch(match)[1]
		to := r.targets[rstName(shown)]
		if m := rstAngle.FindStringSubmatch(shown); m != nil {
			shown, to = cmp.Or(m[1], m[2]), m[2]
		} else if rest, ok := strings.CutPrefix(shown, "~"); ok {
			shown = rest[strings.LastIndexByte(rest, '.')+1:]
		}
		r.links.Refer(to, func() string { return shown })
		return keep(match, strings.TrimPrefix(shown, "!"))
	})
	return rstMarks.ReplaceAllStringFunc(text, func(match string) string {
		m := rstMarks.FindStringSubmatch(match)
		switch {
		case m[4] != "":
			return label(m[4], &r.refs)
		case m[5] != "":
			if to, ok := r.texts[m[5]]; ok {
				return keep(match, to)
			}
			return match
		case m[6] != "":
			if to, ok := r.targets[rstName(m[6])]; ok {
				r.links.Refer(to, func() string { return m[6] })
				return m[6]
			}
			return match
		case m[7] == " " || m[7] == "\n":
			return keep(match, "")
		case m[7] != "":
			return m[7]
		}
		return keep(match, m[1]+m[2]+m[3])
	})
}
