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

// titlePage is the first page of a file up to any reference list, in reading order. A file's own title and authors are checked with it:
// a program may have written its name or the user's account. The day of a file is not that of the work.
type titlePage struct {
	text  string // with the stamp on the margin
	title string // the largest text
}

var referencesHead = lazyregexp.New(`(?i)^\s*(?:\d+\.?\s+)?(?:references|bibliography|literature cited|literatur|références)\s*$`)

func titlePageOf(page pageLines) (p titlePage) {
	var lines []line
	for line := range linesOf([]pageLines{page}) {
		if referencesHead.MatchString(line.text) {
			break
		}
		lines = append(lines, *line)
		p.text += line.text + "\n"
	}
	p.text += page.rotated
	p.title = printedTitle(lines[:min(len(lines), 25)])
	return p
}

var junkTitle = lazyregexp.New(`(?i)^(?:untitled\b.*|microsoft (?:word|powerpoint|excel) - ` +
	`.*|.*\.(?:docx?|pptx?|xlsx?|dvi|tex|pdf|indd|qxd|ps|fm|rtf|odt|eps)|` +
	`document\d*|presentation\d*|slide \d+|title|paper|manuscript|[\d_.:/-]+|\S*_\S*|pii: .*|\S+)$`)

// titleOf returns the file's title if it is plausible, or else that of the page.
func (p titlePage) titleOf(stated string) string {
	if stated = document.Title(stated); stated == "" || p.title != "" && junkTitle.MatchString(stated) {
		return p.title
	}
	return stated
}

// printedTitle returns the consecutive largest of the first lines. A page in one size has no title.
func printedTitle(lines []line) string {
	largest, at := 0.0, 0
	for i, line := range lines {
		if letters(line.text) >= 4 && line.size > largest*1.02 {
			largest, at = line.size, i
		}
	}
	all, large := 0, 0 // bytes
	for _, line := range lines {
		if all += len(line.text); line.size >= 0.95*largest {
			large += len(line.text)
		}
	}
	if largest == 0 || len(lines) > 3 && 2*large > all {
		return ""
	}
	var title []string
	for _, line := range lines[at:min(len(lines), at+5)] {
		if line.size < 0.95*largest {
			break
		}
		if line.hyphen {
			line.text += "-"
		}
		title = append(title, line.text)
	}
	printed := document.Title(strings.Join(title, " "))
	if utf8.RuneCountInString(printed) > document.MaxNameChars/2 {
		return ""
	}
	return printed
}

var authorSplit = lazyregexp.New(`\s*(?:;|\s&\s|\band\b|\bund\b|\bet\b|\n)\s*`)

// authors returns the authors that the file states and the page prints.
func (p titlePage) authors(stated string) (out []string) {
	for _, part := range authorSplit.Split(document.Title(stated), document.MaxAuthors) {
		names := []string{part}
		// "A. Smith, B. Jones" are two; "Smith, John" is one.
		if pieces := strings.Split(part, ","); len(pieces) > 2 || len(pieces) == 2 && strings.Contains(strings.TrimSpace(pieces[0]), " ") {
			names = pieces
		}
		for _, name := range names {
			if name = strings.TrimSpace(name); p.prints(name) {
				out = document.AddAuthor(out, name)
			}
		}
	}
	return out
}

// prints reports whether the longest word of a name of several words is on the page, or a name of one word is a line of it.
func (p titlePage) prints(name string) bool {
	notLetter := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) }
	names, text := strings.FieldsFunc(strings.ToLower(name), notLetter), strings.ToLower(p.text)
	switch {
	case letters(name) < 2:
		return false
	case len(names) == 1:
		return slices.Contains(strings.Split(text, "\n"), strings.ToLower(name))
	}
	longest := slices.MaxFunc(names, func(a, b string) int { return len(a) - len(b) })
	return slices.Contains(strings.FieldsFunc(text, notLetter), longest)
}

var (
	doiLabel   = lazyregexp.New(`(?i)(?:doi(?:\.org/|\s*:|\s+)\s*|digital object identifier\s+)(10\.\d{4,9}/[^\s"<>,;]+)`)
	arxivStamp = lazyregexp.New(`(?i)\barXiv:(?:\d{4}\.\d{4,5}|[a-z.-]+/\d{7})(?:v\d+)?(?:\s+\[[\w.-]+\])?\s+(\d{1,2} \w{3,9} \d{4})`)
)

// doi returns the text's own DOI or "". It must be labelled as a DOI, because a first page may cite others.
func (p titlePage) doi() string {
	if m := doiLabel.FindStringSubmatch(p.text); m != nil {
		return docid.NormalizeDOI(strings.TrimRight(m[1], ".)]}"))
	}
	return ""
}

// stamped returns the date of arXiv's stamp, or "".
func (p titlePage) stamped() string {
	if m := arxivStamp.FindStringSubmatch(p.text); m != nil {
		return document.Date(m[1])
	}
	return ""
}
