package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// titlePage is the beginning of a text. What it prints about the text is believed. What a program writes into a file by
// itself is not: the account as the author, the day of the file as that of the work.
type titlePage struct {
	Lines []string // of the first pages, before any reference list
	Title string   // as it is printed
}

// imprintChars bounds a line with volume and pages; a longer one is prose that cites. Chosen.
const imprintChars = 200

var (
	doiOnPage  = lazyregexp.New(`(?i)\b10\.\d{4,9}/[^\s"<>,;]+`)
	doiLabel   = lazyregexp.New(`(?i)(?:doi(?:\.org/|\s*:|\s+)\s*|digital object identifier\s+)(10\.\d{4,9}/[^\s"<>,;]+)`)
	arxivStamp = lazyregexp.New(`(?i)\barXiv:((\d{2})(\d{2})\.\d{4,5}|[a-z.-]+/\d{7})(?:v\d+)?(\s+\[[\w.-]+\])?(?:\s+(\d{1,2} ` +
		`\w{3,9} \d{4}))?`)
	publishedLine = lazyregexp.New(`(?i)\b(?:published(?: online)?|publication date|date of publication|available online|first ` +
		`published)\s*(?:on\s+|:\s*)?((?:\d{1,2}\.? )?[A-Z][a-z]{2,8}\.? (?:\d{1,2}, )?\d{4}|\d{4}-\d\d-\d\d)`)
	copyrightLine = lazyregexp.New(`(?i)(?:©|\(c\)|\bcopyright\b)[^\n\d]{0,80}\b((?:19|20)\d\d)\b(\s*[-–—,/&]\s*(?:\d|present))?`)

	// What a journal prints about an article, and a list of references about others: the year beside the volume and the pages.
	// 12 (2022) 1-10
	imprints = lazyregexp.New(`(?i)\b\d{1,4}\s*(?:\([^()]{1,12}\))?,?\s*\(((?:19|20)\d\d)\)\s*[:,]?\s*(?:pp?\.\s*)?[a-z]?\d+` +
		`|\(?\b((?:19|20)\d\d)\)?\s*[;,:]?\s*\d{1,4}\s*(?:\([^()]{1,12}\))?\s*[:,]\s*(?:pp?\.\s*)?[a-z]?\d+` + // 2022; 12(3): 101
		`|\b\d{1,4}\s*(?:\([^()]{1,12}\))?\s*[:,]\s*(?:pp?\.\s*)?\d+\s*[-–]\s*\d+,?\s*\(?((?:19|20)\d\d)\b` + // 590, 84-89 (2021)
		`|\b((?:19|20)\d\d),?\s*Vol(?:ume\b|\.)\s*\d+` + // January 2005, Volume 14
		`|\bVol(?:ume\b|\.)\s*\d+[^\n]{0,40}?\b((?:19|20)\d\d)\b`) // Vol. 2/2, September 2002
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

func (p titlePage) text() string { return strings.Join(p.Lines, "\n") }

// published returns the day, the month or the year in which a page says that its text was published, or "".
func (p titlePage) published() string {
	if m := publishedLine.FindStringSubmatch(p.text()); m != nil {
		if d := document.Date(m[1]); d != "" {
			return d
		}
	}
	if d := p.stamped(); d != "" {
		return d
	}
	return document.First(p.only(imprints, imprintChars), p.only(copyrightLine, document.MaxNameChars))
}

// only returns the year that all matches in short lines name, or "". A span of years is no year.
func (p titlePage) only(pattern *lazyregexp.Regexp, most int) string {
	year := ""
	for _, line := range p.Lines {
		if utf8.RuneCountInString(line) > most {
			continue
		}
		for _, m := range pattern.FindAllStringSubmatch(line, 5) {
			found := strings.Join(m[1:], "")
			if len(found) != len("2006") || year != "" && found != year {
				return ""
			}
			year = found
		}
	}
	return year
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
	for _, line := range p.Lines {
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
