package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// styleSheet is what a page's own <style> elements hide: by the selectors ".x", "#x", "tag.x" and "tag#x", as
// written. Rules that need more than that, and external sheets, are not read.
type styleSheet struct {
	hides map[string]bool // by selector, lower case up to the name
	shows map[string]bool // names, with "." or "#", that some rule shows under a condition: a menu, a tab
}

// Bounds for what is read: the largest <style> of the 751 gold pages has 600 kB.
const (
	maxStyleBytes = 2 << 20 // of all sheets of a page
	maxStyleRules = 50_000
	maxSelector   = 200 // bytes; longer ones are generated, or an attack
)

// readStyles collects the rules of a page that hide. It must run before the tree is pruned.
func readStyles(doc *html.Node) *styleSheet {
	s := &styleSheet{hides: map[string]bool{}, shows: map[string]bool{}}
	left, rules := maxStyleBytes, maxStyleRules
	for n := range doc.Descendants() {
		if n.DataAtom != atom.Style || n.FirstChild == nil {
			continue
		}
		switch media := strings.ToLower(strings.TrimSpace(attr(n, "media"))); media {
		case "", "all", "screen":
		default:
			continue
		}
		css := n.FirstChild.Data
		if left -= len(css); left < 0 {
			break
		}
		s.read(withoutComments(css), &rules)
	}
	return s
}

// read goes through the rules of a sheet. Those inside of @media and its like hold under a condition, so what
// they hide is not believed, and what they show is.
func (s *styleSheet) read(css string, rules *int) {
	depth := 0 // of at-rules that hold rules
	for len(css) > 0 && *rules > 0 {
		end := strings.IndexAny(css, "{};")
		if end < 0 {
			return
		}
		head, mark := strings.TrimSpace(css[:end]), css[end]
		css = css[end+1:]
		*rules--
		switch {
		case mark == '}':
			depth = max(0, depth-1)
		case mark == ';': // @import, @charset
		case strings.HasPrefix(head, "@media"), strings.HasPrefix(head, "@supports"), strings.HasPrefix(head, "@layer"), strings.HasPrefix(head, "@container"), strings.HasPrefix(head, "@keyframes"), strings.HasPrefix(head, "@-"):
			depth++
		default:
			body, rest, closed := strings.Cut(css, "}")
			if !closed {
				return
			}
			css = rest
			s.rule(head, body, depth > 0)
		}
	}
}

// withoutComments leaves the comments of a sheet out; one that does not end takes the rest with it.
func withoutComments(css string) string {
	if !strings.Contains(css, "/*") {
		return css
	}
	var b strings.Builder
	for {
		before, rest, opened := strings.Cut(css, "/*")
		b.WriteString(before)
		if !opened {
			return b.String()
		}
		if _, css, opened = strings.Cut(rest, "*/"); !opened {
			return b.String()
		}
		b.WriteByte(' ')
	}
}

func (s *styleSheet) rule(selectors, body string, conditional bool) {
	hides, shows := declares(body)
	if !hides && !shows || len(selectors) > 50*maxSelector {
		return
	}
	for selector := range strings.SplitSeq(selectors, ",") {
		selector = strings.TrimSpace(selector)
		if len(selector) > maxSelector {
			continue
		}
		simple := isSimpleSelector(selector)
		switch {
		case hides && simple && !conditional:
			s.hides[lowerTag(selector)] = true
		case shows && simple && !conditional:
			delete(s.hides, lowerTag(selector)) // the later rule holds
		case shows:
			eachName(selector, func(name string) { s.shows[name] = true })
		}
	}
}

// isSimpleSelector reports one class or id, with or without a tag before it.
func isSimpleSelector(s string) bool {
	at := strings.IndexAny(s, ".#")
	if at < 0 || at+1 == len(s) {
		return false
	}
	for i := range len(s) {
		if i != at && !isNameByte(s[i]) {
			return false
		}
	}
	return true
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c >= 0x80
}

func lowerTag(selector string) string {
	at := strings.IndexAny(selector, ".#")
	return strings.ToLower(selector[:at]) + selector[at:]
}

// eachName calls fn with the classes and ids of a selector.
func eachName(selector string, fn func(string)) {
	for i := 0; i < len(selector); i++ {
		if selector[i] != '.' && selector[i] != '#' {
			continue
		}
		j := i + 1
		for j < len(selector) && isNameByte(selector[j]) {
			j++
		}
		if j > i+1 {
			fn(selector[i:j])
		}
		i = j - 1
	}
}

// hidden reports an element that a rule hides and none shows under a condition.
func (s *styleSheet) hidden(n *html.Node) bool {
	if len(s.hides) == 0 {
		return false
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "class":
			any := false
			for name := range strings.FieldsSeq(a.Val) {
				name = "." + name
				if s.shows[name] {
					return false
				}
				any = any || s.hides[name] || s.hides[n.Data+name]
			}
			if any {
				return true
			}
		case "id":
			name := "#" + strings.TrimSpace(a.Val)
			if !s.shows[name] && (s.hides[name] || s.hides[n.Data+name]) {
				return true
			}
		}
	}
	return false
}
