package pdf

import (
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// titlePage is the text of the first page up to any reference list, with the stamp on the margin. A file's own title and authors are
// checked with it: a program may have written its name or the user's account. The day of a file is not that of the work.
type titlePage string

var (
	referencesHead = lazyregexp.New(`(?i)^\s*(?:\d+\.?\s+)?(?:references|bibliography|literature cited|literatur|références)\s*$`)
	fileName       = lazyregexp.New(`\.\w{1,5}$|_`)
	authorSplit    = lazyregexp.New(`\s*(?:;|\s&\s|\band\b|\bund\b|\bet\b|\n)\s*`)
	doiLabel       = lazyregexp.New(`(?i)(?:doi(?:\.org/|\s*:|\s+)\s*|digital object identifier\s+)(10\.\d{4,9}/[^\s"<>,;]+)`)
	arxivStamp     = lazyregexp.New(`(?i)\barXiv:(?:\d{4}\.\d{4,5}|[a-z.-]+/\d{7})(?:v\d+)?(?:\s+\[[\w.-]+\])?\s+(\d{1,2} \w{3,9} \d{4})`)
)

func titlePageOf(pages []pageLines) titlePage {
	first := pages[:min(1, len(pages))]
	var text strings.Builder
	for line := range linesOf(first) {
		if referencesHead.MatchString(line.text) {
			break
		}
		text.WriteString(line.text + "\n")
	}
	for _, p := range first {
		text.WriteString(p.rotated)
	}
	return titlePage(text.String())
}

// title returns the title that the file states if the page prints it, or else the largest heading of the page.
func (p titlePage) title(stated string, blocks []document.Block) string {
	var printed document.Block
	for _, b := range blocks {
		if b.Page == 1 && b.Kind == document.Heading && (printed.Level == 0 || b.Level < printed.Level) {
			printed = b
		}
	}
	if stated = document.Title(readable(stated)); p.prints(stated) || printed.Level == 0 && !fileName.MatchString(stated) {
		return stated
	}
	return document.Title(printed.Text)
}

// authors returns the authors that the file states and the page prints.
func (p titlePage) authors(stated string) (out []string) {
	for _, part := range authorSplit.Split(document.Title(stated), document.MaxAuthors) {
		names := []string{part}
		// "A. Smith, B. Jones" are two; "Smith, John" is one.
		if pieces := strings.Split(part, ","); len(pieces) > 2 || strings.Contains(strings.TrimSpace(pieces[0]), " ") {
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

// prints reports whether the longest word of a text of several words is on the page, or a text of one word is a line of it.
func (p titlePage) prints(text string) bool {
	notLetter := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) }
	text = strings.ToLower(text)
	page, words := strings.ToLower(string(p)), strings.FieldsFunc(text, notLetter)
	switch len(words) {
	case 0:
		return false
	case 1:
		return letters(text) > 1 && slices.Contains(strings.Split(page, "\n"), text)
	}
	longest := slices.MaxFunc(words, func(a, b string) int { return len(a) - len(b) })
	return slices.Contains(strings.FieldsFunc(page, notLetter), longest)
}

// doi returns the text's own DOI or "". It must be labelled as a DOI, because a first page may cite others.
func (p titlePage) doi() string {
	if m := doiLabel.FindStringSubmatch(string(p)); m != nil {
		return docid.NormalizeDOI(strings.TrimRight(m[1], ".)]}"))
	}
	return ""
}

// stamped returns the date of arXiv's stamp, or "".
func (p titlePage) stamped() string {
	if m := arxivStamp.FindStringSubmatch(string(p)); m != nil {
		return document.Date(m[1])
	}
	return ""
}
