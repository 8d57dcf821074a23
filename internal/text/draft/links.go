package draft

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Bounds of what is read as one citation: beyond them it is something else, and looking costs time (chosen).
const (
	maxMarkRunes    = 120  // "[1, 2, 3, 4]", "(Sources 1, 2 and 3)"
	maxTagRunes     = 400  // an HTML tag
	maxLinkRunes    = 1500 // a link with its text
	maxAddressRunes = 2000 // an address without a link
)

// linkForm matches [text](address "title") and [text][label], with brackets in pairs in the text and in the address.
var linkForm = lazyregexp.New(`^\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\](?:\(\s*<?((?:[^\s()<>]|\([^\s()]*\))*)>?(?:\s+"[^"]*")?\s*\)|\[([^\[\]]*)\])`)

// link reads [text](address "title"), [text][label] and [text][] at i; an address behind a label is that of the list. It returns
// where the text and the whole end; the address is empty for a link that leads to no source.
func (r *reader) link(i, end int) (textEnd, after int, address string, ok bool) {
	if r.src[i] != '[' {
		return 0, 0, "", false
	}
	text := string(r.src[i:min(end, i+maxLinkRunes)])
	m := linkForm.FindStringSubmatchIndex(text)
	if m == nil {
		return 0, 0, "", false
	}
	textEnd, after = i+utf8.RuneCountInString(text[:m[3]]), i+utf8.RuneCountInString(text[:m[1]])
	if m[4] >= 0 {
		address, ok = linkTarget(text[m[4]:m[5]])
		return textEnd, after, address, ok
	}
	label := cmp.Or(strings.TrimSpace(text[m[6]:m[7]]), text[m[2]:m[3]])
	if entry := r.entries.find(MarkerFootnote, label, 0); entry > 0 {
		address = r.references[entry-1].URL
	}
	return textEnd, after, address, address != ""
}

// addressed makes the marker of an address, with its lines or quoted text apart.
func (r *reader) addressed(start, end int, kind, address string) []Marker {
	m := r.marker(start, end, kind, "")
	m.Target, m.Lines, m.Quote = pointsTo(address)
	return []Marker{m}
}

// linkMark makes the marker of a link. Its text stays in the prose, unless it is only a number, an id or an image.
func (r *reader) linkMark(i, textEnd, after int, address string) []Marker {
	text := strings.TrimSpace(string(r.src[i+1 : textEnd]))
	list := strings.Trim(text, "[] ")
	sources := sourcesIn(list)
	switch {
	case address == "" && sources != nil: // [[1]](#ref-1)
		return r.marks(i, after, list)
	case strings.HasPrefix(text, "!["):
		r.hide(i, after, roleMark)
	case address != "" && (nameless.MatchString(text) || sources != nil):
		r.stamp(i, after)
	default:
		r.hide(i, i+1, roleSyntax)
		for j := i + 1; j < textEnd; j++ {
			r.role[j] = roleLink
		}
		r.hide(textEnd, after, roleSyntax)
	}
	if address == "" {
		return nil
	}
	return r.addressed(i, after, MarkerLink, address)
}

var (
	htmlTag    = lazyregexp.New(`^<[/!a-zA-Z][^>]*>`)
	htmlInline = lazyregexp.New(`(?i)^</?(?:b|i|u|em|strong|span|sub|sup|small|mark|a|code|cite|q|font)\b`)
	htmlLink   = lazyregexp.New(`(?i)^<a\s[^<>]*?href\s*=\s*["']?(https?://[^\s"'<>]+)`)
)

// html reads a tag: one that opens a link is a citation, everything else only markup. It returns where the tag ends, or 0.
func (r *reader) html(i, end int) ([]Marker, int) {
	tag := htmlTag.FindString(string(r.src[i:min(end, i+maxTagRunes)]))
	if tag == "" || strings.HasPrefix(tag, "<http") { // <https://…>
		return nil, 0
	}
	role := roleMark // a tag parts words; those of emphasis do not
	if htmlInline.MatchString(tag) {
		role = roleSyntax
	}
	after := i + utf8.RuneCountInString(tag)
	r.hide(i, after, role)
	if m := htmlLink.FindStringSubmatch(tag); m != nil {
		return r.addressed(i, after, MarkerLink, m[1]), after
	}
	return nil, after
}

// address reads what begins at i without a link around it: https://…, www.…, doi:10.1000/x, 10.1000/x.
func (r *reader) address(i, end int) ([]Marker, int) {
	const longestStart = 20
	if i > 0 && (alphabetic(r.src[i-1]) || r.src[i-1] == '.' || r.src[i-1] == '/') ||
		!addressStart.MatchString(string(r.src[i:min(end, i+longestStart)])) {
		return nil, 0
	}
	text := string(r.src[i:min(end, i+maxAddressRunes)])
	from, to, kind, address := findAddress(text)
	if kind == "" || from > 0 {
		return nil, 0
	}
	after := i + utf8.RuneCountInString(text[:to])
	r.stamp(i, after)
	return r.addressed(i, after, kind, address), after
}
