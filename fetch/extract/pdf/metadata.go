package pdf

import (
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// pdfFront is the first page, which has the title and identifiers of a paper.
type pdfFront struct {
	titlePage
	lines []pdfLine // of the first page, in reading order
	first int       // how many of Lines are of the first page
}

var referencesHead = lazyregexp.New(`(?i)^\s*(?:\d+\.?\s+)?(?:references|bibliography|literature cited|literatur|références)\s*$`)

const (
	frontPages = 3     // at most
	frontChars = 1_000 // after which no page is the cover of the next one (chosen)
)

func frontOf(pages []pageLines) pdfFront {
	var f pdfFront
	chars, cited := 0, false
	for i, page := range pages[:min(len(pages), frontPages)] {
		if chars > frontChars {
			break
		}
		for _, c := range page.columns {
			for _, line := range c.lines {
				if i == 0 {
					f.lines = append(f.lines, line)
				}
				if cited = cited || referencesHead.MatchString(line.text); !cited {
					f.Lines = append(f.Lines, line.text)
				}
				chars += len(line.text)
			}
		}
		if i == 0 {
			f.Lines = append(f.Lines, page.rotated) // the stamp on the margin
			f.first = len(f.Lines)
		}
	}
	f.Title = f.printedTitle()
	return f
}

var junkTitle = lazyregexp.New(`(?i)^(?:untitled\b.*|microsoft (?:word|powerpoint|excel) - ` +
	`.*|.*\.(?:docx?|pptx?|xlsx?|dvi|tex|pdf|indd|qxd|ps|fm|rtf|odt|eps)|` +
	`document\d*|presentation\d*|slide \d+|title|paper|manuscript|[\d_.:/-]+|\S*_\S*|pii: .*|\S+)$`)

// title returns the file's title if it is plausible, or else the largest text on the first page.
func (f pdfFront) title(stated string) string {
	stated = document.Title(stated)
	printed := f.Title
	switch {
	case stated == "":
		return printed
	case junkTitle.MatchString(stated) && printed != "" && !strings.Contains(squeeze(printed), squeeze(stated)):
		return printed
	case junkTitle.MatchString(stated) && printed != "" && utf8.RuneCountInString(printed) > utf8.RuneCountInString(stated):
		return printed
	}
	return stated
}

// printedTitle returns the consecutive largest lines in the upper part of the first page.
func (f pdfFront) printedTitle() string {
	largest := 0.0
	at := -1
	for i, line := range f.lines[:min(len(f.lines), 25)] {
		if letters(line.text) >= 4 && line.size > largest*1.02 {
			largest, at = line.size, i
		}
	}
	if at < 0 {
		return ""
	}
	title := ""
	for _, line := range f.lines[at:min(len(f.lines), at+5)] {
		if line.size < 0.95*largest {
			break
		}
		if title != "" {
			title += " "
		}
		title += line.text
		if line.hyphen {
			title += "-"
		}
	}
	title = document.Title(title)
	if utf8.RuneCountInString(title) > document.MaxNameChars/2 { // a page in one size has no title
		return ""
	}
	return title
}

var authorSplit = lazyregexp.New(`\s*(?:;|\s&\s|\band\b|\bund\b|\bet\b|\n)\s*`)

// authors returns the authors that the file states and the page prints.
func (f pdfFront) authors(stated string) []string {
	var out []string
	for _, part := range authorSplit.Split(document.Title(stated), document.MaxAuthors) {
		names := []string{part}
		// "A. Smith, B. Jones" are two; "Smith, John" is one.
		if pieces := strings.Split(part, ","); len(pieces) > 2 || len(pieces) == 2 && strings.Contains(strings.TrimSpace(pieces[0]), " ") {
			names = pieces
		}
		for _, name := range names {
			name = strings.TrimSpace(name)
			if letters(name) >= 2 && f.prints(name) {
				out = document.AddAuthor(out, name)
			}
		}
	}
	return out
}
