package pdf

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// titlePage is the first page of a file up to any reference list, in reading order. What it prints about the text is believed.
// What a program writes into a file by itself is not: the account as the author, the day of the file as that of the work.
type titlePage struct {
	lines []string
	title string // the largest text
}

var referencesHead = lazyregexp.New(`(?i)^\s*(?:\d+\.?\s+)?(?:references|bibliography|literature cited|literatur|références)\s*$`)

func titlePageOf(page pageLines) (p titlePage) {
	var lines []line
	for line := range linesOf([]pageLines{page}) {
		lines = append(lines, *line)
	}
	end := slices.IndexFunc(lines, func(line line) bool { return referencesHead.MatchString(line.text) })
	if end < 0 {
		end = len(lines)
	}
	for _, line := range lines[:end] {
		p.lines = append(p.lines, line.text)
	}
	p.lines = append(p.lines, page.rotated) // the stamp on the margin
	p.title = printedTitle(lines[:min(len(lines), 25)])
	return p
}

var junkTitle = lazyregexp.New(`(?i)^(?:untitled\b.*|microsoft (?:word|powerpoint|excel) - ` +
	`.*|.*\.(?:docx?|pptx?|xlsx?|dvi|tex|pdf|indd|qxd|ps|fm|rtf|odt|eps)|` +
	`document\d*|presentation\d*|slide \d+|title|paper|manuscript|[\d_.:/-]+|\S*_\S*|pii: .*|\S+)$`)

// titleOf returns the file's title if it is plausible, or else that of the page.
func (p titlePage) titleOf(stated string) string {
	stated = document.Title(stated)
	longer := utf8.RuneCountInString(p.title) > utf8.RuneCountInString(stated)
	if stated == "" || p.title != "" && junkTitle.MatchString(stated) && (longer || !strings.Contains(squeeze(p.title), squeeze(stated))) {
		return p.title
	}
	return stated
}

// printedTitle returns the consecutive largest of the first lines. A page in one size has no title.
func printedTitle(lines []line) string {
	largest, at := 0.0, 0
	all, large := 0, 0 // bytes
	for i, line := range lines {
		if letters(line.text) >= 4 && line.size > largest*1.02 {
			largest, at = line.size, i
		}
	}
	for _, line := range lines {
		all += len(line.text)
		if line.size >= 0.95*largest {
			large += len(line.text)
		}
	}
	if len(lines) > 3 && 2*large > all {
		return ""
	}
	var title []string
	for _, line := range lines[at:min(len(lines), at+5)] {
		if largest == 0 || line.size < 0.95*largest {
			break
		}
		title = append(title, line.text)
		if line.hyphen {
			title[len(title)-1] += "-"
		}
	}
	printed := document.Title(strings.Join(title, " "))
	if utf8.RuneCountInString(printed) > document.MaxNameChars/2 {
		return ""
	}
	return printed
}

var authorSplit = lazyregexp.New(`\s*(?:;|\s&\s|\band\b|\bund\b|\bet\b|\n)\s*`)

// authors returns the authors that the file states and the page prints.
func (p titlePage) authors(stated string) []string {
	var out []string
	for _, part := range authorSplit.Split(document.Title(stated), document.MaxAuthors) {
		names := []string{part}
		// "A. Smith, B. Jones" are two; "Smith, John" is one.
		if pieces := strings.Split(part, ","); len(pieces) > 2 || len(pieces) == 2 && strings.Contains(strings.TrimSpace(pieces[0]), " ") {
			names = pieces
		}
		for _, name := range names {
			name = strings.TrimSpace(name)
			if letters(name) >= 2 && p.prints(name) {
				out = document.AddAuthor(out, name)
			}
		}
	}
	return out
}

var (
	doiOnPage  = lazyregexp.New(`(?i)\b10\.\d{4,9}/[^\s"<>,;]+`)
	doiLabel   = lazyregexp.New(`(?i)(?:doi(?:\.org/|\s*:|\s+)\s*|digital object identifier\s+)(10\.\d{4,9}/[^\s"<>,;]+)`)
	arxivStamp = lazyregexp.New(`(?i)\barXiv:((\d{2})(\d{2})\.\d{4,5}|[a-z.-]+/\d{7})(?:v\d+)?(\s+\[[\w.-]+\])?(?:\s+(\d{1,2} ` +
		`\w{3,9} \d{4}))?`)
	publishedLine = lazyregexp.New(`(?i)\b(?:published(?: online)?|publication date|date of publication|available online|first ` +
		`published)\s*(?:on\s+|:\s*)?((?:\d{1,2}\.? )?[A-Z][a-z]{2,8}\.? (?:\d{1,2}, )?\d{4}|\d{4}-\d\d-\d\d)`)
)

// stamped returns the date of arXiv's stamp, or else the month in its id.
func (p titlePage) stamped() (date string) {
	m := arxivStamp.FindStringSubmatch(p.text())
	if m == nil {
		return ""
	}
	if date = document.Date(m[5]); date == "" && m[2] != "" && m[4] != "" { // without a class it is the id of another one
		date = document.DateOf("20"+m[2], m[3], "")
	}
	return date
}

// doi returns the text's own DOI or "". It must be labelled as a DOI or be the only one, because a first page may cite others.
func (p titlePage) doi() string {
	text := p.text()
	if m := doiLabel.FindStringSubmatch(text); m != nil {
		return docid.NormalizeDOI(strings.TrimRight(m[1], ".)]}"))
	}
	only := ""
	for _, m := range doiOnPage.FindAllString(text, 20) {
		d := docid.NormalizeDOI(strings.TrimRight(m, ".)]}"))
		if only != "" && d != only {
			return ""
		}
		only = d
	}
	return only
}

func (p titlePage) text() string { return strings.Join(p.lines, "\n") }

// published returns the day, the month or the year in which a page says that its text was published, or "".
func (p titlePage) published() string {
	if m := publishedLine.FindStringSubmatch(p.text()); m != nil {
		if d := document.Date(m[1]); d != "" {
			return d
		}
	}
	return p.stamped()
}

// prints reports whether a name that the properties of a file state is on the page: its longest word, or the name as a line.
func (p titlePage) prints(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), notLetter)
	longest := ""
	for _, w := range words {
		if len(w) > len(longest) {
			longest = w
		}
	}
	for _, line := range p.lines {
		if len(words) < 2 {
			if strings.EqualFold(strings.TrimSpace(line), strings.TrimSpace(name)) {
				return true
			}
			continue
		}
		for _, w := range strings.FieldsFunc(strings.ToLower(line), notLetter) {
			if w == longest {
				return true
			}
		}
	}
	return false
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) }

// squeeze keeps only letters and digits, in lower case, to find a text regardless of its layout.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
