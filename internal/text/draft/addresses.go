package draft

import (
	"net/url"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

const urlChars = `[^\s<>"“”„「」『』《》【】（），。；！？、\x60|]*`

var (
	// anyAddress has a group for each kind: a URL, a DOI, a file with lines or a page.
	anyAddress = lazyregexp.New(`((?i:(?:https?|file):///?[\pL\pN]|\bwww\.[a-z0-9-]{1,63}\.)` + urlChars + `)|` +
		`(?i:\b(?:doi:\s*|doi\.org/|doi\s+)?(10\.\d{4,9}/[\pL\pN(][^\s"<>&?#，。；、（）]{0,200}))|` +
		`([\pL\pN_./~%+-]*[\pL\pN_]\.[A-Za-z][A-Za-z0-9]{0,7}#(?:L\d{1,7}(?:C\d+)?(?:-L?\d{1,7}(?:C\d+)?)?|page=\d{1,5}))`)
	addressStart = lazyregexp.New(`^(?i:(?:https?|file)://\S|www\.[a-z0-9]|(?:doi:?\s*|doi\.org/)?10\.\d{4,9}/)`)
	// filePath matches a relative path whose last part has an extension: a file beside the text.
	filePath     = lazyregexp.New(`^[^\s:#?<>"]*[^\s:#?<>"/.]\.[A-Za-z][A-Za-z0-9]{0,7}(?:#\S*)?$`)
	lineFragment = lazyregexp.New(`^(?:L(\d{1,7})(?:C\d+)?(?:-L?(\d{1,7})(?:C\d+)?)?|(page=\d{1,5})(?:&.*)?)$`)
)

// linesPattern matches one line or range of lines, or a page, as citations write them.
const linesPattern = `(?:[Ll]?\d{1,7}(?:\s?[-–—−]\s?[Ll]?\d{1,7})?|page=\d{1,5})`

// plainLines writes lines as Marker.Lines has them: "L120 – L128, 140" as "120-128,140".
var plainLines = strings.NewReplacer("L", "", "l", "", " ", "", "\t", "", "–", "-", "—", "-", "−", "-", "，", ",").Replace

// findAddress finds the first address in a text that is not in a link. The kind is empty without one.
func findAddress(s string) (from, to int, kind, address string) {
	m := anyAddress.FindStringSubmatchIndex(s)
	if m == nil {
		return 0, 0, "", ""
	}
	from = m[0]
	to = from + len(trimAddress(s[from:m[1]]))
	switch address = s[from:to]; {
	case m[2] >= 0:
		if address[0] == 'w' || address[0] == 'W' { // www.
			address = "https://" + address
		}
		return from, to, MarkerURL, address
	case m[4] >= 0:
		return from, to, MarkerDOI, strings.ToLower(s[m[4]:to])
	}
	return from, to, MarkerLink, address
}

// linkTarget reads the address of a link. ok is false for what cannot be one; it is empty for a link that leads to no source.
func linkTarget(s string) (address string, ok bool) {
	switch from, _, kind, found := findAddress(s); {
	case kind == MarkerURL && from == 0:
		return found, true
	case kind == MarkerDOI && from == 0:
		return "https://doi.org/" + found, true
	case filePath.MatchString(s):
		return s, true
	}
	return "", s != "" && strings.ContainsRune("#/.", rune(s[0])) || strings.HasPrefix(s, "mailto:")
}

// pointsTo parts an address from its lines, page or text fragment. Any other fragment, such as the anchor of a heading, stays.
func pointsTo(address string) (target, lines, quote string) {
	target, fragment, _ := strings.Cut(address, "#")
	if anchor, directive, ok := strings.Cut(fragment, ":~:"); ok {
		if anchor != "" {
			target += "#" + anchor
		}
		return target, "", quotedText(directive)
	}
	switch m := lineFragment.FindStringSubmatch(fragment); {
	case m == nil:
		return address, "", ""
	case m[2] != "" && m[2] != m[1]:
		return target, m[1] + "-" + m[2], ""
	default:
		return target, m[1] + m[3], ""
	}
}

// quotedText decodes the directive of a text fragment: text=[prefix-,]start[,end][,-suffix], several joined by "&".
func quotedText(directive string) string {
	var out []string
	for part := range strings.SplitSeq(directive, "&") {
		text, ok := strings.CutPrefix(part, "text=")
		for piece := range strings.SplitSeq(text, ",") {
			if !ok || piece == "" || strings.HasPrefix(piece, "-") || strings.HasSuffix(piece, "-") { // the surroundings
				continue
			}
			if decoded, err := url.PathUnescape(piece); err == nil {
				piece = decoded
			}
			out = append(out, strings.TrimSpace(piece))
		}
	}
	return strings.Join(out, " … ")
}

// trimAddress drops the punctuation that a sentence puts after an address, and a bracket that opened before it.
func trimAddress(s string) string {
	for {
		before := s
		s = strings.TrimRight(s, ".,;:!?*_'\"”’。，；：、")
		for _, pair := range []string{"()", "[]"} {
			if strings.HasSuffix(s, pair[1:]) && strings.Count(s, pair[1:]) > strings.Count(s, pair[:1]) {
				s = strings.TrimSuffix(s, pair[1:])
			}
		}
		if s == before {
			return s
		}
	}
}
