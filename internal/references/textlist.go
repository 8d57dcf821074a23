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
	listHeading = lazyregexp.New(`(?i)^[#*_\s]*(?:\d+\.?\s*)?(?:references(?: cited| and notes)?|(?:list of|reference) (?:references|` +
		`list)|bibliography|(?:works|literature) cited|(?:cited )?(?:sources|literature)|quellen(?:verzeichnis)?|` +
		`literatur(?:verzeichnis)?|références|bibliographie|refer[eê]ncias(?: bibliográficas)?|bibliograf[ií]a|` +
		`список литературы|литература|источники|参考文献|参考资料|引用文献)[\s:*_#]*$`)
	anyHeading = lazyregexp.New(`^#{1,6}\s|^\*\*[^*]+\*\*:?$`)
	underline  = lazyregexp.New(`^(?:={3,}|-{3,})$`)
	// [1], 1. and so on, in bold, with escapes, or behind an anchor that notes link to.
	label = lazyregexp.New(`^(?:<a\s[^<>]*>(?:</a>)?)?\*{0,2}(?:\\?\[(\d{1,4}|\p{L}{1,15}\+?\d{2,4}[a-z]?)\\?\]:?|` +
		`\[\^([\w-]{1,40})\]:|\(?(\d{1,3})\\?\)|(\d{1,4})\\?\.)\*{0,2}(?:</a>)?\s+`)
	bullet = lazyregexp.New(`^[-*•–]\s+`)

	pmidIn   = lazyregexp.New(`(?i)\bPMID:?\s*(\d{4,9})\b`)
	isbnWord = lazyregexp.New(`(?i)\bISBN(?:-1[03])?:?\s*(\d[\d -]{8,15}[\dX])\b`)
	arxivIn  = lazyregexp.New(`(?i)\barXiv[\s:./]+\S*\d`)
	urlIn    = lazyregexp.New(`https?://[^\s<>"')\]]+`)
	mdLink   = lazyregexp.New(`\[([^\]]*)\]\((https?://[^)\s]+)\)`)
)

// leastEntryChars is the length of the shortest entry: less is a page number or a running head.
const leastEntryChars = 25

// item is a run of lines that may be an entry.
type item struct {
	line      int
	key, text string
	labelled  bool // [1], [^a]:, 1.
	bulleted  bool
	under     bool // below the heading of a list
}

// parseText reads the list of references of a text: what looks like an entry below a heading of that name; without such a heading,
// labelled entries, or all lines if each of them is an entry. Prose is no entry, wherever it stands: entries are sent to services.
func parseText(text string) (entries []Entry) {
	items, heading := itemsOf(strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"))
	whole := !heading && !slices.ContainsFunc(items, func(it item) bool { return !looksLikeReference(it.text) })
	for _, it := range items {
		var accepted bool
		switch {
		case heading && !it.under:
		case it.under && it.labelled:
			accepted = yearIn.MatchString(it.text) || hasAddress(it.text)
		case it.under && it.bulleted, it.labelled && it.key != "" && strings.HasPrefix(it.key, "["):
			accepted = hasAddress(it.text) || looksLikeReference(it.text)
		case it.under, it.labelled, whole:
			accepted = looksLikeReference(it.text)
		}
		if !accepted || len(entries) > maxEntries {
			continue
		}
		e := Entry{Line: it.line, Key: strings.Trim(it.key, "[]"), Text: it.text}
		e.guess()
		if e.Text == "" || utf8.RuneCountInString(e.Text) >= leastEntryChars && strings.ContainsFunc(e.Text, unicode.IsLetter) {
			entries = append(entries, e)
		}
	}
	return entries
}

// itemsOf divides lines into items, and reports whether one of them is the heading of a list of references.
func itemsOf(lines []string) (items []item, heading bool) {
	under := false
	open := false // the last item goes on
	for i, line := range lines {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || underline.MatchString(line):
			open = false
			continue
		case listHeading.MatchString(line):
			under, heading, open = true, true, false
			continue
		case anyHeading.MatchString(line) || i+1 < len(lines) && underline.MatchString(strings.TrimSpace(lines[i+1])):
			under, open = false, false
			continue
		}
		it := item{line: i + 1, text: line, under: under}
		if m := label.FindStringSubmatch(line); m != nil {
			it.labelled, it.text, it.key = true, line[len(m[0]):], m[3]+m[4]
			if it.key == "" {
				it.key = "[" + m[1] + m[2] + "]"
			}
		} else if m := bullet.FindString(line); m != "" {
			it.bulleted, it.text = true, line[len(m):]
		}
		if last := len(items) - 1; open && !it.labelled && !it.bulleted && !begins(items[last], line) {
			items[last].text = joinedLines(items[last].text, line)
		} else {
			items = append(items, it)
		}
		open = true
	}
	return items, heading
}

var (
	volume    = lazyregexp.New(`^[*_]*\p{Lu}[^.]{2,80}?[*_]*,\s[*_]*\d{1,3}[*_]*[(,:]`) // Journal of Salt, 3(2): the end of an entry
	sameNames = lazyregexp.New(`^(?:[—–]{2,}|[-_]{3,})[.,\s]`)                          // for the names of the entry above
)

// begins reports whether a line without a label or bullet begins an entry, after the lines of one that is complete.
func begins(last item, line string) bool {
	complete := yearIn.MatchString(last.text) || hasAddress(last.text)
	return complete && !last.labelled && !last.bulleted && (looksLikeReference(line) && !volume.MatchString(line) ||
		sameNames.MatchString(line)) || onlyIdentifier(last.text) && onlyIdentifier(line)
}

func onlyIdentifier(text string) bool {
	return hasIdentifier(text) && len(titleWords(withoutIdentifiers(text))) <= 1 // "doi:"
}

// joinedLines joins two lines of an entry, and a word that is divided between them.
func joinedLines(a, b string) string {
	if first, _ := utf8.DecodeRuneInString(b); strings.HasSuffix(a, "-") && unicode.IsLower(first) {
		return strings.TrimSuffix(a, "-") + b
	}
	return a + " " + b
}

func hasAddress(text string) bool { return urlIn.MatchString(text) || hasIdentifier(text) }

func hasIdentifier(text string) bool {
	return docid.NormalizeDOI(text) != "" || pmidIn.MatchString(text) || isbnWord.MatchString(text) || arxivIn.MatchString(text)
}

var (
	prose = lazyregexp.New(`^(?:Additionally|After|Also|As|At|Before|But|Currently|Finally|First|For|From|Hence|Here|However|I|If|In|It|` +
		`Last|Meanwhile|Moreover|Next|No|Note|Now|On|Our|Recently|Second|See|Since|So|That|Then|There|Therefore|These|They|Third|This|` +
		`Those|Thus|Today|Tomorrow|We|When|While|With|Yes|Yesterday|You|Your)[\s,]`)
	author = lazyregexp.New(`^(?:(?:van|von|de|der|den|di|da|du|dos|la|le|el|al|ten|ter|bin)\s+)*(?:` +
		`\p{Lu}[\p{L}'’‐-]+(?:\s\p{Lu}[\p{L}'’‐-]+)?,\s+(?:\p{Lu}\.|\p{Lu}{1,3}(?:[,;(]|\s\()|` +
		`\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}\.?)*(?:[.,;(]|\s\(|\s(?:and|und|et|y|&)\s))` + // Weber, I. or Weber, Ida and
		`|(?:\p{Lu}\.[\s-]?){1,4}(?:\p{Ll}+\s+)*\p{Lu}[\p{L}'’‐-]+` + // I. Weber
		`|\p{Lu}[\p{L}'’‐-]+\s\p{Lu}{1,3}[,.;])`) // Weber I,
	group = lazyregexp.New(`^\p{Lu}[\p{L}\d&'’./-]*(?:,? (?:of|the|for|and|on|in|to|de|des|du|la|für|der|die|und|&|` +
		`\p{Lu}[\p{L}\d&'’./-]*)){0,11}(?: \(\p{Lu}[\p{Lu}\d-]{1,11}\))?\.? ?[.(:,] ?`) // World Lock Council (WLC). (
	dated = lazyregexp.New(`^\(?(?:1[5-9]|20)\d\d[a-z]?[).,:]`)
	kinds = lazyregexp.New(`\[(?:[JMCDNRSPZ]|EB|DB)(?:/OL)?\]`) // of GB/T 7714
)

// looksLikeReference reports whether a text begins like a reference, with persons and a year or an address, or with a group and
// its year or an address; or it is an identifier alone.
func looksLikeReference(text string) bool {
	text = strings.TrimSpace(markdown.Replace(mdLink.ReplaceAllString(text, "$1 $2")))
	year, address := yearIn.MatchString(text), hasAddress(text)
	switch {
	case !year && !address || prose.MatchString(text):
		return false
	case author.MatchString(text), kinds.MatchString(text), onlyIdentifier(text):
		return true
	}
	at := group.FindStringIndex(text)
	return at != nil && (address || dated.MatchString(text[at[1]:]))
}

// withoutIdentifiers removes addresses and identifiers.
func withoutIdentifiers(text string) string {
	text = urlIn.ReplaceAllString(text, " ")
	if doi := docid.NormalizeDOI(text); doi != "" {
		if at := strings.Index(strings.ToLower(text), doi); at >= 0 {
			text = text[:at] + text[at+len(doi):]
		}
	}
	for _, id := range []*lazyregexp.Regexp{pmidIn, isbnWord, arxivIn} {
		text = id.ReplaceAllString(text, " ")
	}
	return text
}

var (
	markdown    = strings.NewReplacer("*", "", "`", "", `\_`, "_", `\&`, "&")
	quotedTitle = lazyregexp.New(`[“"«]([^“”"«»]{8,400})[”"»]|` +
		`[\s(]['‘](\S[^“”"«»]{7,400}?)['’](?:[.,;]|\s\p{Lu}|\s\(|\s[Ii]n\s|$)`)
	yearAlone      = lazyregexp.New(`^\(?(?:(?:1[5-9]|20)\d\d[a-z]?|n\.\s?d\.?|o\.\s?J\.?|s\.\s?f\.?)\)?$`)
	yearInBrackets = lazyregexp.New(`\(((?:1[5-9]|20)\d\d)[a-z]?(?:,[^)]*)?\)`)
	// A date behind "Retrieved" is not the year of the work, and "(n.d.)" gives no year.
	retrieved = lazyregexp.New(`(?i)\b(?:retrieved|accessed|abgerufen|zugriff|consulté|consultado)[^;]{0,18}\b20\d\d\b|` +
		`дата обращения[^;]{0,18}\b20\d\d\b`)
	undated     = lazyregexp.New(`[\s.,]*\((?:n\.\s?d\.|in press|forthcoming|im Druck|o\.\s?J\.|s\.\s?f\.|б\.\s?г\.)\)[\s.,:]*`)
	sentenceEnd = lazyregexp.New(`[.?!]\s+`)
	// Persons with their initials, or with given names between semicolons, as lists of medicine, of Nature and of DIN begin.
	persons = lazyregexp.New(`^(?:` + person + `(?:\.?,?\s+et\sal\b[.:]?\s+|\.?\s+(?:&|and|und|y|et)\s+|` +
		`\.?[,;]\s+(?:(?:&|and|und|y|et)\s+)?|\.?\s+\(|\.?[.:]\s+))+|` +
		`^(?:\p{Lu}[\p{L}'’-]+,\s\p{Lu}[\p{L}'’.-]+(?:\s\p{Lu}[\p{L}'’.-]*)?[;:]\s+){2,}`)
)

// person is one with initials, without the last full stop: Weber, I. K. or Weber IK or Weber, I., Jr.
const person = `(?:(?:van|von|de|der|den|di|da|du|dos|la|le|el|al|ten|ter|bin)\s+)*` +
	`\p{Lu}[\p{L}'’‐-]+(?:\s\p{Lu}[\p{L}'’‐-]+)?,?\s+(?:(?:\p{Lu}\.[\s-]?){0,3}\p{Lu}\b|\p{Lu}(?:\s\p{Lu}){1,2}\b|\p{Lu}{2,3}\b)` +
	`(?:\.?,\s(?:Jr|Sr|I{2,3}|IV)\b)?`

// guess finds identifiers, the year and probably the title in the words of an entry.
func (e *Entry) guess() {
	link, text := mdLink.FindStringSubmatch(e.Text), html.UnescapeString(mdLink.ReplaceAllString(e.Text, "$1 $2"))
	if m := pmidIn.FindStringSubmatch(text); m != nil {
		e.PMID = m[1]
	}
	if m := isbnWord.FindStringSubmatch(text); m != nil {
		e.ISBN = isbnOf(m[1])
	}
	e.identify(text)
	words := urlIn.ReplaceAllString(text, " ")
	if at := strings.Index(strings.ToLower(words), e.DOI); e.DOI != "" && at >= 0 {
		words = words[:at]
	}
	if years := yearsIn(retrieved.ReplaceAllString(words, "")); len(years) > 0 && !undated.MatchString(words) {
		e.Year = years[len(years)-1]
	}
	if m := yearInBrackets.FindStringSubmatch(words); m != nil {
		e.Year, _ = strconv.Atoi(m[1])
	}
	if e.DOI+e.ArXiv+e.PMID+e.ISBN != "" && len(titleWords(withoutIdentifiers(words))) <= 1 {
		e.Text, e.Year = "", 0
		return
	}
	e.Text = strings.Join(strings.Fields(markdown.Replace(text)), " ")
	e.Title = titleIn(strings.Join(strings.Fields(markdown.Replace(words)), " "))
	if link != nil && len(titleWords(link[1])) > 2 && !urlIn.MatchString(link[1]) {
		e.Title = strings.Join(strings.Fields(markdown.Replace(link[1])), " ")
	}
}

// startsTitle reports whether a text begins with a letter and more than one sentence follows.
func startsTitle(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(first) && sentenceEnd.MatchString(text)
}

// titleIn returns what is probably the title: the quoted words; what follows persons with initials, or the year in brackets; the
// second sentence.
func titleIn(text string) string {
	if m := quotedTitle.FindStringSubmatch(text); m != nil {
		return strings.TrimRight(strings.TrimSpace(m[1]+m[2]), ".,")
	}
	text = undated.ReplaceAllString(text, ". ")
	if m := persons.FindString(text); m != "" && startsTitle(text[len(m):]) {
		title := sentenceEnd.Split(text[len(m):], 2)[0]
		title, _, _ = strings.Cut(title, " / ") // of GOST; the persons follow
		return strings.TrimRight(kinds.ReplaceAllString(title, ""), ".,")
	}
	if at := yearInBrackets.FindStringIndex(text); at != nil && at[1] < len(text)-leastEntryChars {
		rest := strings.TrimLeft(text[at[1]:], ".,:; ")
		if end := sentenceEnd.FindStringIndex(rest); end != nil {
			rest = rest[:end[0]]
		}
		return strings.TrimRight(rest, ".,")
	}
	var parts []string
	start := 0
	for _, at := range sentenceEnd.FindAllStringIndex(text, -1) {
		last := strings.Fields(text[start:at[0]])
		if len(last) > 0 && initials(strings.Trim(last[len(last)-1], "(,")) && text[at[0]] == '.' {
			continue // a full stop behind an initial ends no sentence
		}
		parts = append(parts, text[start:at[0]])
		start = at[1]
	}
	parts = slices.DeleteFunc(append(parts, text[start:]), yearAlone.MatchString)
	if len(parts) < 2 {
		return ""
	}
	return strings.TrimRight(kinds.ReplaceAllString(parts[1], ""), ".,")
}
