package extract

import (
	"cmp"
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

var (
	rstExplicit  = lazyregexp.New(`^\.\.(?: |$)`)
	rstDirective = lazyregexp.New(`^\.\. (?:\|([^|]+)\| )?([A-Za-z][\w:+.-]*) ?::(?: +(.*))?$`)
	rstTarget    = lazyregexp.New("^(?:\\.\\. _(`[^`]+`|[^:]+):|__)(?: +(.*))?$")
	rstNote      = lazyregexp.New(`^\.\. \[([^\]]+)\](?: +(.*))?$`)
	rstField     = lazyregexp.New("^:([^:`\\s][^:`]*):(?: +(.*)|)$")
	rstSigns     = lazyregexp.New("(?m)^\\.\\. [\\w:-]+::|^\\.\\. _[^:]+:|``[^`]+``|:[a-z]+:`|::$")
	rstSimple    = lazyregexp.New(`^=+(?: +=+)+$`)
	rstGrid      = lazyregexp.New(`^\+(?:[-=]+\+)+$`)
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
		notes: map[string]string{}, links: document.Links{Base: base}}
	r.define()
	r.blocks(0, len(r.lines), 0)
	r.inline()
	return strings.TrimRight(strings.Join(r.lines, "\n"), "\n"), r.links.References
}

// rst is a text that is rewritten line by line.
type rst struct {
	lines   []string
	code    []bool            // lines whose marks are text
	levels  map[string]int    // of headings, by how they are underlined
	texts   map[string]string // by the name of a substitution
	targets map[string]string // addresses, by the name of a target
	notes   map[string]string // labels of notes as they are shown, by those that are written
	unnamed []string          // labels of notes without a name that no text has referred to
	links   document.Links
	depth   int
}

// define collects what other places refer to.
func (r *rst) define() {
	r.code = make([]bool, len(r.lines))
	for _, line := range r.lines {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "..") {
			continue
		}
		if m := rstDirective.FindStringSubmatch(line); m != nil && m[1] != "" && (m[2] == "replace" || m[2] == "unicode") {
			r.texts[m[1]] = m[3]
		} else if m := rstTarget.FindStringSubmatch(line); m != nil && m[2] != "" {
			r.targets[rstName(strings.Trim(m[1], "`"))] = m[2]
		} else if m := rstNote.FindStringSubmatch(line); m != nil {
			r.notes[m[1]] = m[1]
		}
	}
	number := 0
	for i, line := range r.lines {
		if m := rstNote.FindStringSubmatch(strings.TrimSpace(line)); m != nil && m[1][0] == '#' {
			for number++; r.notes[strconv.Itoa(number)] != ""; number++ {
				continue
			}
			r.notes[m[1]] = strconv.Itoa(number)
			r.lines[i] = strings.Replace(line, m[1], strconv.Itoa(number), 1)
			if m[1] == "#" {
				r.unnamed = append(r.unnamed, strconv.Itoa(number))
			}
		}
	}
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
		switch {
		case line == "":
			i++
		case at == 0 && r.title(i, end):
			i++
			for i < end && isAdornment(strings.TrimSpace(r.lines[i])) {
				i++
			}
		case rstExplicit.MatchString(line), strings.HasPrefix(line, "__ "):
			i = r.explicit(i, end, at, line)
		case rstGrid.MatchString(line):
			i = r.grid(i, end)
		case rstSimple.MatchString(line):
			i = r.simple(i, end, line)
		case isAdornment(line) && len(line) > 3 && at == 0:
			r.lines[i] = ""
			i++
		default:
			if m := rstField.FindStringSubmatch(line); m != nil {
				r.lines[i] = strings.Repeat(" ", at) + m[1] + ": " + m[2]
			} else if strings.HasPrefix(line, "#. ") {
				item++
				r.lines[i] = strings.Repeat(" ", at) + strconv.Itoa(item) + line[1:]
			} else if strings.HasPrefix(line, "| ") {
				r.lines[i] = strings.Repeat(" ", at) + line[2:]
			} else if rest, ok := strings.CutSuffix(line, "::"); ok {
				if rest = strings.TrimRight(rest, " "); rest != "" && !strings.HasSuffix(line, " ::") {
					rest += ":"
				}
				r.lines[i] = strings.Repeat(" ", at) + rest
				if from := i + 1; from < end && r.blank(from) {
					i = r.literal(from, end, at) - 1
				}
			}
			i++
		}
	}
}

// title rewrites a title that begins in a line, and reports whether one does.
func (r *rst) title(i, end int) bool {
	line := strings.TrimRight(r.lines[i], " \t")
	over := isAdornment(line)
	if at := i + 1; over {
		if at+1 >= end || strings.TrimRight(r.lines[at+1], " \t") != line || r.blank(at) {
			return false
		}
		r.lines[i], r.lines[at+1] = "", ""
		r.lines[at] = r.heading(line[:1]+"over", strings.TrimSpace(r.lines[at]))
		return true
	} else if at >= end || !isAdornment(strings.TrimSpace(r.lines[at])) ||
		len(strings.TrimSpace(r.lines[at])) < min(utf8.RuneCountInString(line), 4) {
		return false
	} else {
		r.lines[i] = r.heading(r.lines[at][:1], line)
		r.lines[at] = ""
	}
	return true
}

// heading marks a title by its level: that of the first title with the same lines around it.
func (r *rst) heading(style, title string) string {
	if r.levels[style] == 0 {
		r.levels[style] = min(len(r.levels)+1, 6)
	}
	return strings.Repeat("#", r.levels[style]) + " " + title
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

// explicit rewrites a directive, a target, a note or a comment with its indented lines, and returns its end.
func (r *rst) explicit(i, end, at int, line string) int {
	body := r.indented(i+1, end, at)
	space := strings.Repeat(" ", at)
	if m := rstTarget.FindStringSubmatch(line); m != nil {
		r.links.Refer(m[2], func() string { return strings.Trim(m[1], "`") })
		r.lines[i] = ""
		return i + 1
	}
	if m := rstNote.FindStringSubmatch(line); m != nil {
		r.lines[i] = space + "[" + m[1] + "] " + m[2]
		r.blocks(i+1, body, at+1)
		return max(body, i+1)
	}
	m := rstDirective.FindStringSubmatch(line)
	if m == nil || m[1] != "" { // a comment, a substitution
		clear(r.lines[i:max(body, i+1)])
		return max(body, i+1)
	}
	name, text := m[2], m[3]
	name = name[strings.LastIndex(name, ":")+1:]
	from := i + 1
	for ; from < body && rstField.MatchString(strings.TrimSpace(r.lines[from])); from++ { // options
		r.lines[from] = ""
	}
	switch name {
	case "code", "code-block", "sourcecode", "parsed-literal", "literalinclude", "prompt", "productionlist", "highlight":
		r.lines[i] = ""
		if from < body && r.blank(from) && r.lines[body-1] != "" {
			return r.literal(from, max(body, min(end, body+1)), at)
		}
		return max(body, i+1)
	case "contents", "toctree", "include", "index", "meta", "raw", "default-role", "role", "image", "module", "currentmodule", "sectnum",
		"tabularcolumns", "only", "default-domain", "class", "container", "highlightlang", "target-notes", "header", "footer":
		if r.lines[i] = ""; name == "only" || name == "class" || name == "container" {
			break
		}
		clear(r.lines[i:max(body, i+1)])
		return max(body, i+1)
	case "figure":
		text = ""
	case "list-table":
		r.lines[i] = space + text
		r.listTable(from, body)
		return max(body, i+1)
	}
	if word, ok := admonitions[strings.ToLower(name)]; ok {
		mark := ":"
		if strings.HasSuffix(word, "version") {
			mark = ""
		}
		text = strings.TrimSpace(word + mark + " " + text)
	}
	r.lines[i] = strings.TrimRight(space+text, " ")
	for k := from; k < body; k++ { // it is no quotation
		r.lines[k] = r.lines[k][min(3, max(0, indentOf(r.lines[k])-at)):]
	}
	r.blocks(from, body, at)
	return max(body, i+1)
}

const tableRule = "---|---" // a line of a table without a row of its own

// row writes the cells of a row.
func row(cells []string) string {
	for i := range cells {
		cells[i] = strings.Join(strings.Fields(cells[i]), " ")
	}
	return strings.TrimRight(strings.Join(cells, document.CellMark), " ")
}

// grid rewrites a table with lines around its cells, and returns its end.
func (r *rst) grid(i, end int) int {
	var cells []string // of the row that began in line first
	first := 0
	flush := func() {
		if cells != nil {
			r.lines[first], cells = row(cells), nil
		}
	}
	for top := i; i < end; i++ {
		line := strings.TrimSpace(r.lines[i])
		if line == "" || line[0] != '+' && line[0] != '|' {
			break
		}
		if r.lines[i] = tableRule; i == top {
			r.lines[i] = ""
		}
		if line[0] == '+' && strings.Trim(line, "+-=") == "" {
			flush()
			continue
		}
		parts := strings.Split(strings.Trim(line, "|"), "|")
		if cells == nil {
			first, cells = i, make([]string, len(parts))
		}
		for k := range min(len(parts), len(cells)) {
			cells[k] += " " + parts[k]
		}
	}
	if flush(); r.lines[i-1] == tableRule {
		r.lines[i-1] = ""
	}
	return i
}

// simple rewrites a table whose columns are marked by lines of equals signs, and returns its end.
func (r *rst) simple(i, end int, border string) int {
	var starts []int
	for at := range border {
		if border[at] == '=' && (at == 0 || border[at-1] == ' ') {
			starts = append(starts, at)
		}
	}
	at, first := indentOf(r.lines[i]), -1
	r.lines[i] = ""
	for i++; i < end; i++ {
		line := strings.TrimRight(r.lines[i], " \t")
		line = line[min(at, indentOf(line)):]
		switch {
		case rstSimple.MatchString(line):
			if i+1 >= end || r.blank(i+1) {
				r.lines[i] = ""
				return i + 1
			}
			r.lines[i], first = tableRule, -1
			continue
		case line == "", strings.Trim(line, "- ") == "":
			r.lines[i], first = tableRule, -1
			continue
		}
		runes, cells := []rune(line), make([]string, len(starts))
		for k, from := range starts {
			to := len(runes)
			if k+1 < len(starts) {
				to = min(to, starts[k+1])
			}
			if from < to {
				cells[k] = string(runes[from:to])
			}
		}
		if strings.TrimSpace(cells[0]) == "" && first >= 0 { // the row above goes on
			above := strings.Split(r.lines[first], document.CellMark)
			for k := range min(len(above), len(cells)) {
				above[k] += " " + cells[k]
			}
			r.lines[first], r.lines[i] = row(above), tableRule
			continue
		}
		r.lines[i], first = row(cells), i
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
		if m := rstAngle.FindStringSubmatch(shown); m != nil {
			if shown = m[1]; shown == "" {
				shown = m[2]
			}
			r.links.Refer(m[2], func() string { return m[1] })
		} else if to := r.targets[rstName(shown)]; to != "" {
			r.links.Refer(to, func() string { return shown })
		} else if rest, ok := strings.CutPrefix(shown, "~"); ok {
			shown = rest[strings.LastIndexByte(rest, '.')+1:]
		}
		return keep(match, strings.TrimPrefix(shown, "!"))
	})
	return rstMarks.ReplaceAllStringFunc(text, func(match string) string {
		m := rstMarks.FindStringSubmatch(match)
		switch {
		case m[4] == "#" && len(r.unnamed) > 0:
			label := r.unnamed[0]
			r.unnamed = r.unnamed[1:]
			return "[" + label + "]"
		case m[4] != "":
			return "[" + cmp.Or(r.notes[m[4]], strings.TrimPrefix(m[4], "#")) + "]"
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
