package references

import (
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

var (
	listHeading = lazyregexp.New(`(?i)^(?:#{1,6}\s*)?(?:\d+\.?\s*)?(references|bibliography|works cited|literature(?: cited)?|literatur(?:verzeichnis)?|références|bibliographie|referencias|bibliografía|参考文献)\s*:?\s*#*$`)
	anyHeading  = lazyregexp.New(`^#{1,6}\s`)
	numbered    = lazyregexp.New(`^\s*(?:\[(\d{1,4})\]|\[\^(\w+)\]:|(\d{1,4})[.)])\s+`)
	bulleted    = lazyregexp.New(`^\s*[-*•]\s+`)
	// identifierIn finds an identifier other than a DOI.
	identifierIn = lazyregexp.New(`(?i)\bPMID:?\s*\d{4,9}\b|\bISBN(?:-1[03])?:?\s*\d[\d -]{8,15}[\dX]\b|\barXiv[\s:./]+\S*\d`)
	pmidIn       = lazyregexp.New(`(?i)\bPMID:?\s*(\d{4,9})\b`)
	isbnWord     = lazyregexp.New(`(?i)\bISBN(?:-1[03])?:?\s*(\d[\d -]{8,15}[\dX])\b`)
	urlIn        = lazyregexp.New(`https?://[^\s<>"')\]]+`)
	quotedTitle  = lazyregexp.New(`[“"«]([^“”"«»]{8,400})[”"»]`)
	markdown     = strings.NewReplacer("*", "", "`", "", `\_`, "_", `\&`, "&")
	mdLink       = lazyregexp.New(`\[([^\]]*)\]\((https?://[^)\s]+)\)`)
)

// leastEntryChars is the length of the shortest entry: less is a page number or a running head (chosen).
const leastEntryChars = 25

// parseText reads the list of references of a text: what stands under its last heading of that name, or the whole text.
func parseText(text string) (entries []Entry) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	from, to := 0, len(lines)
	for i, line := range lines {
		if listHeading.MatchString(strings.TrimSpace(line)) {
			from, to = i+1, len(lines)
		} else if from > 0 && to == len(lines) && anyHeading.MatchString(line) {
			to = i
		}
	}
	starts := 0 // lines that begin with a number or a bullet
	for _, line := range lines[from:to] {
		if numbered.MatchString(line) || bulleted.MatchString(line) {
			starts++
		}
	}
	each := starts < 2 && eachLine(lines[from:to])
	blank := true
	for i := from; i < to && len(entries) <= maxEntries; i++ {
		line := strings.TrimSpace(lines[i])
		mark := numbered.FindStringSubmatch(line)
		begins := mark != nil || bulleted.MatchString(line)
		if starts < 2 {
			begins = blank || each
		}
		blank = line == ""
		switch {
		case line == "":
		case begins:
			e := Entry{Line: i + 1, Text: line}
			if mark != nil {
				e.Key, e.Text = mark[1]+mark[2]+mark[3], line[len(mark[0]):]
			} else {
				e.Text = strings.TrimPrefix(line, bulleted.FindString(line))
			}
			entries = append(entries, e)
		case len(entries) > 0:
			last := &entries[len(entries)-1]
			if strings.HasSuffix(last.Text, "-") && len(line) > 0 && unicode.IsLower(firstRune(line)) {
				last.Text = strings.TrimSuffix(last.Text, "-") + line
			} else {
				last.Text += " " + line
			}
		}
	}
	for i := range entries {
		entries[i].guess()
	}
	return slices.DeleteFunc(entries, func(e Entry) bool {
		return e.Text != "" && (utf8.RuneCountInString(e.Text) < leastEntryChars || !strings.ContainsFunc(e.Text, unicode.IsLetter))
	})
}

// eachLine reports whether each line of a list is an entry: several lines, none blank between them, and each with a year or
// an identifier.
func eachLine(list []string) bool {
	list = strings.Split(strings.TrimSpace(strings.Join(list, "\n")), "\n")
	return len(list) > 1 && !slices.ContainsFunc(list, func(line string) bool {
		return !yearIn.MatchString(line) && !identifierIn.MatchString(line) && docid.NormalizeDOI(line) == ""
	})
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// guess finds identifiers, the year and probably the title in the words of an entry.
func (e *Entry) guess() {
	text := html.UnescapeString(mdLink.ReplaceAllString(e.Text, "$1 $2"))
	if m := pmidIn.FindStringSubmatch(text); m != nil {
		e.PMID = m[1]
	}
	if m := isbnWord.FindStringSubmatch(text); m != nil {
		e.setISBN(m[1])
	}
	e.URL = strings.TrimRight(urlIn.FindString(text), ".,;")
	e.DOI = docid.NormalizeDOI(text)
	e.identify(text)
	words := urlIn.ReplaceAllString(text, " ")
	if e.DOI != "" {
		if at := strings.Index(strings.ToLower(words), e.DOI); at >= 0 {
			words = words[:at]
		}
	}
	if years := yearIn.FindAllString(words, -1); len(years) > 0 {
		e.Year, _ = strconv.Atoi(years[len(years)-1])
	}
	if m := yearInBrackets.FindStringSubmatch(words); m != nil {
		e.Year, _ = strconv.Atoi(m[1])
	}
	if bare := identifierIn.ReplaceAllString(words, " "); e.DOI+e.ArXiv+e.PMID+e.ISBN != "" && len(titleWords(bare)) <= 1 { // "doi:"
		e.Text, e.Year = "", 0
		return
	}
	e.Text = strings.Join(strings.Fields(markdown.Replace(text)), " ")
	e.Title = titleIn(strings.Join(strings.Fields(markdown.Replace(words)), " "))
}

var (
	yearInBrackets = lazyregexp.New(`\(((?:1[5-9]|20)\d\d)[a-z]?(?:,[^)]*)?\)`)
	sentenceEnd    = lazyregexp.New(`[.?!]\s+`)
)

// titleIn returns what is probably the title: the quoted words; what follows the year in brackets; the second sentence.
func titleIn(text string) string {
	if m := quotedTitle.FindStringSubmatch(text); m != nil {
		return strings.TrimRight(strings.TrimSpace(m[1]), ".,")
	}
	if at := yearInBrackets.FindStringIndex(text); at != nil && at[1] < len(text)-leastEntryChars {
		rest := strings.TrimLeft(text[at[1]:], ".,:; ")
		if end := sentenceEnd.FindStringIndex(rest); end != nil {
			rest = rest[:end[0]]
		}
		return strings.TrimRight(rest, ".,")
	}
	// A full stop behind an initial ends no sentence.
	var parts []string
	start := 0
	for _, at := range sentenceEnd.FindAllStringIndex(text, -1) {
		last := strings.Fields(text[start:at[0]])
		if len(last) > 0 && initials(strings.Trim(last[len(last)-1], "(,")) && text[at[0]] == '.' {
			continue
		}
		parts = append(parts, text[start:at[0]])
		start = at[1]
	}
	parts = append(parts, text[start:])
	if len(parts) > 1 {
		return strings.TrimRight(parts[1], ".,")
	}
	return ""
}
