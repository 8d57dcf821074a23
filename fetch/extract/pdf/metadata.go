package pdf

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// pdfFront is the first page, which has the title and identifiers of a paper.
type pdfFront struct {
	text    string    // before the reference list, if that begins on this page
	lines   []pdfLine // in reading order
	arxiv   string    // the stamp on the margin
	stamped string    // its date
}

var (
	referencesHead = lazyregexp.New(`(?im)^\s*(?:\d+\.?\s+)?(?:references|bibliography|literature cited|literatur|références)\s*$`)
	doiPattern     = lazyregexp.New(`(?i)\b10\.\d{4,9}/[^\s"<>,;]+`)
	doiLabel       = lazyregexp.New(`(?i)(?:doi(?:\.org/|\s*:|\s+)\s*|digital object identifier\s+)(10\.\d{4,9}/[^\s"<>,;]+)`)
	arxivStamp     = lazyregexp.New(`(?i)\barXiv:(\d{4}\.\d{4,5}|[a-z.-]+/\d{7})(?:v\d+)?(?:\s+\[[\w.-]+\])?(?:\s+(\d{1,2} \w{3,9} \d{4}))?`)
	publishedLine  = lazyregexp.New(`(?i)\b(?:published(?: online)?|publication date|date of publication|available online|first published)\s*(?:on\s+|:\s*)?((?:\d{1,2}\.? )?[A-Z][a-z]{2,8}\.? (?:\d{1,2}, )?\d{4})`)
	pdfDate        = lazyregexp.New(`^(?:D:)?(\d{4})(\d{2})?(\d{2})?`)
)

func frontOf(pages [][]pdfColumn, rotated []string) pdfFront {
	var f pdfFront
	if len(pages) == 0 {
		return f
	}
	var b strings.Builder
	for _, c := range pages[0] {
		for _, line := range c.lines {
			f.lines = append(f.lines, line)
			b.WriteString(line.text + "\n")
		}
	}
	f.text = b.String()
	if at := referencesHead.FindStringIndex(f.text); at != nil {
		f.text = f.text[:at[0]]
	}
	if m := arxivStamp.FindStringSubmatch(rotated[0] + "\n" + f.text); m != nil {
		f.arxiv, f.stamped = m[1], document.Date(m[2])
	}
	return f
}

// doi returns the document's own DOI, from its XMP or its first page. On the page it must be labelled as a DOI or be the
// only one, because a first page may cite others.
func (f pdfFront) doi(packet []byte) string {
	for _, key := range []string{"prism:doi", "pdfx:doi", "crossmark:DOI", "dc:identifier", "pdfx:DOI"} {
		if d := docid.NormalizeDOI(strings.TrimPrefix(xmpValue(packet, key), "doi:")); d != "" {
			return d
		}
	}
	if m := doiLabel.FindStringSubmatch(f.text); m != nil {
		return docid.NormalizeDOI(strings.TrimRight(m[1], ".)]}"))
	}
	only := ""
	for _, m := range doiPattern.FindAllString(f.text, 20) {
		d := docid.NormalizeDOI(strings.TrimRight(m, ".)]}"))
		if only != "" && d != only {
			return ""
		}
		only = d
	}
	return only
}

// published returns the date on the paper or in the publisher's metadata, or else the creation date of the file.
func (f pdfFront) published(packet []byte, created string) string {
	for _, key := range []string{"prism:publicationDate", "prism:coverDate", "crossmark:MajorVersionDate", "prism:coverDisplayDate"} {
		if d := document.Date(xmpValue(packet, key)); d != "" {
			return d
		}
	}
	if m := publishedLine.FindStringSubmatch(f.text); m != nil {
		if d := document.Date(m[1]); d != "" {
			return d
		}
	}
	if f.stamped != "" {
		return f.stamped
	}
	if m := pdfDate.FindStringSubmatch(strings.TrimSpace(created)); m != nil {
		return document.DateOf(m[1], m[2], m[3])
	}
	return ""
}

var junkTitle = lazyregexp.New(`(?i)^(?:untitled\b.*|microsoft (?:word|powerpoint|excel) - .*|.*\.(?:docx?|pptx?|xlsx?|dvi|tex|pdf|indd|qxd|ps|fm|rtf|odt|eps)|document\d*|presentation\d*|slide \d+|title|paper|manuscript|[\d_.:/-]+|\S*_\S*|pii: .*|\S+)$`)

// title returns the file's title if it is plausible, or else the largest text on the first page.
func (f pdfFront) title(stated string) string {
	stated = document.Title(stated)
	printed := f.printedTitle()
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

func letters(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// squeeze keeps only letters and digits, in lower case, to find a text regardless of its layout.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

var authorSplit = lazyregexp.New(`\s*(?:;|\s&\s|\band\b|\bund\b|\bet\b|\n)\s*`)

// authors returns the file's authors. A single word that is not on the first page is the name of an account.
func (f pdfFront) authors(stated string) []string {
	stated = document.Title(stated)
	if stated == "" {
		return nil
	}
	page := squeeze(f.text)
	var out []string
	for _, part := range authorSplit.Split(stated, document.MaxAuthors) {
		names := []string{part}
		// "A. Smith, B. Jones" are two; "Smith, John" is one.
		if pieces := strings.Split(part, ","); len(pieces) > 2 || len(pieces) == 2 && strings.Contains(strings.TrimSpace(pieces[0]), " ") {
			names = pieces
		}
		for _, name := range names {
			name = strings.TrimSpace(name)
			if !strings.Contains(name, " ") && !strings.Contains(page, squeeze(name)) || letters(name) < 2 || strings.Contains(name, "@") {
				continue
			}
			out = document.AddAuthor(out, name)
		}
	}
	return out
}

// maxXMPBytes bounds a packet; those of publishers have 2 to 20 KB.
const maxXMPBytes = 256 << 10

// xmpPacket returns the document's XMP metadata if the file has it as plain text, as the standard requires. Pictures in the
// file may have packets too, so the packet about a PDF or a publication is chosen.
func xmpPacket(body []byte) []byte {
	var found []byte
	for range 50 {
		start := bytes.Index(body, []byte("<x:xmpmeta"))
		if start < 0 {
			break
		}
		body = body[start:]
		end := bytes.Index(body[:min(len(body), maxXMPBytes)], []byte("</x:xmpmeta>"))
		if end < 0 {
			body = body[1:]
			continue
		}
		packet := body[:end]
		if bytes.Contains(packet, []byte("application/pdf")) || bytes.Contains(packet, []byte("prism:")) || bytes.Contains(packet, []byte("pdf:Producer")) {
			found = packet
		}
		body = body[end:]
	}
	return found
}

// xmpValue returns the text of a property, written as an element or as an attribute. It is not an RDF parser: the requested
// properties have one text each.
func xmpValue(packet []byte, key string) string {
	if len(packet) == 0 {
		return ""
	}
	for _, form := range []struct{ open, end string }{{"<" + key + ">", "</" + key + ">"}, {key + `="`, `"`}, {"<" + key, "</" + key + ">"}} {
		_, rest, ok := bytes.Cut(packet, []byte(form.open))
		if !ok {
			continue
		}
		value, _, ok := bytes.Cut(rest[:min(len(rest), 4_096)], []byte(form.end))
		if !ok {
			continue
		}
		if i := bytes.LastIndexByte(value, '>'); i >= 0 && !bytes.Contains(value, []byte("<")) {
			value = value[i+1:]
		}
		text := strings.TrimSpace(xmlTag.ReplaceAllString(string(value), " "))
		return document.Title(xmlEntities.Replace(text))
	}
	return ""
}

var (
	xmlTag      = lazyregexp.New(`<[^>]*>`)
	xmlEntities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&")
)
