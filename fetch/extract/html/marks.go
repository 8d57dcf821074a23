package html

import (
	"net/url"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/markdown"
	"github.com/citeloop/citeloop/internal/sanitize"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// element writes the marks of an element around its content. It reports whether the content is written too;
// otherwise the text's writer goes on with it.
func (m *markup) element(w *blockWriter, n *html.Node) bool {
	if label, ok := m.notes.labels[n]; ok && n.DataAtom != atom.Li {
		w.flush(w.inside())
		m.lead = "[^" + label + "]: "
		return false
	}
	switch n.DataAtom {
	case atom.A:
		return m.anchor(w, n)
	case atom.B, atom.Strong:
		return !m.heading && m.around(w, n, "**", "**")
	case atom.I, atom.Em:
		return m.around(w, n, "*", "*")
	case atom.Sup:
		return m.around(w, n, "<sup>", "</sup>")
	case atom.Sub:
		return m.around(w, n, "<sub>", "</sub>")
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		return m.inlineCode(w, n)
	case atom.Blockquote:
		if w.row {
			return false
		}
		w.flush(w.inside())
		m.enter(level{pad: "> "})
		w.children(n)
		w.flush(w.inside())
		m.leave()
		return true
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		if w.row || m.heading {
			return false
		}
		w.flush(w.inside())
		m.lead, m.heading = strings.Repeat("#", int(n.Data[1]-'0'))+" ", true
		w.children(n)
		w.flush(w.inside())
		m.lead, m.heading = "", false
		return true
	}
	if n.Data == formulaTag {
		block := displayed(n)
		if block {
			w.flush(w.inside())
		}
		m.code++
		w.children(n)
		m.code--
		if block {
			w.flush(w.inside())
		}
		return true
	}
	return false
}

// around writes content with marks around its words, unless the same marks surround it already.
func (m *markup) around(w *blockWriter, n *html.Node, before, after string) bool {
	if m.code > 0 || slices.Contains(m.open, mark{before, after}) || before[0] == '<' && m.notes.refersIn(n) {
		return false
	}
	m.push(before, after)
	w.children(n)
	m.pop()
	return true
}

// inlineCode writes code between more backticks than any in it.
func (m *markup) inlineCode(w *blockWriter, n *html.Node) bool {
	if m.code > 0 {
		return false
	}
	ticks := "`"
	for content := inlineText(n); strings.Contains(content, ticks); {
		ticks += "`"
	}
	if len(ticks) > 1 {
		m.push(ticks+" ", " "+ticks)
	} else {
		m.push(ticks, ticks)
	}
	m.code++
	w.children(n)
	m.code--
	m.pop()
	return true
}

// anchor writes a link, or what refers to a footnote and back from it.
func (m *markup) anchor(w *blockWriter, n *html.Node) bool {
	if label, ok := m.notes.refs[n]; ok {
		if w.space && m.line.Len() > 0 {
			m.line.WriteByte(' ')
		}
		m.reference(w, n)
		m.line.WriteString("[^" + label + "]")
		return true
	}
	if m.notes.back[n] {
		m.silently(w, n)
		return true
	}
	to := m.target(n)
	if to == "" || m.code > 0 || slices.ContainsFunc(m.open, func(o mark) bool { return o.before == "[" }) {
		return false
	}
	m.links.Base = m.base
	m.links.Refer(to, func() string { return inlineText(n) })
	m.push("[", "]("+markdown.Address(to)+")")
	w.children(n)
	m.pop()
	return true
}

// reference writes the mark of a note to the text, in brackets, so that it is not read as a part of the word or the
// number before it.
func (m *markup) reference(w *blockWriter, n *html.Node) {
	bracketed := strings.HasPrefix(inlineText(n), "[") || strings.HasPrefix(inlineText(n), "(")
	w.mark, w.raise = nil, unraised
	if !bracketed {
		w.text("[")
	}
	w.children(n)
	if !bracketed {
		w.text("]")
	}
	w.mark, w.raise = m, nil
}

// silently writes content to the text alone.
func (m *markup) silently(w *blockWriter, n *html.Node) {
	w.mark = nil
	w.children(n)
	w.mark = m
}

// maxLinkBytes bounds an address that is kept. Those with tracking parameters are longer.
const maxLinkBytes = 1_000

// target is the address of a link, or "" when it is neither on the web nor on this page.
func (m *markup) target(n *html.Node) string {
	href := strings.TrimSpace(attr(n, "href"))
	if href == "" || href[0] == '#' || len(href) > maxLinkBytes {
		return ""
	}
	to, err := url.Parse(href)
	if err != nil {
		return ""
	}
	if m.base != nil {
		to = m.base.ResolveReference(to)
	}
	switch to.Scheme {
	case "http", "https", "mailto", "":
	default:
		return ""
	}
	to.User = nil
	return sanitize.Visible(to.String())
}

// codeLanguage is the language that a highlighter was told: by a class of the block, of what is in it, or of
// what is around it.
func codeLanguage(n *html.Node) string {
	for look, depth := n, 0; look != nil && depth < 4; look, depth = firstElement(look), depth+1 {
		for class := range strings.FieldsSeq(attr(look, "class")) {
			for _, lead := range []string{"language-", "lang-", "highlight-source-", "brush:"} {
				if lang, ok := strings.CutPrefix(class, lead); ok && isLanguageName(lang) {
					return strings.ToLower(lang)
				}
			}
		}
		if lang := firstAttr(look, "data-lang", "data-language"); isLanguageName(lang) {
			return strings.ToLower(lang)
		}
	}
	for p, depth := n.Parent, 0; p != nil && depth < 2; p, depth = p.Parent, depth+1 {
		for class := range strings.FieldsSeq(attr(p, "class")) {
			for _, lead := range []string{"highlight-source-", "highlight-", "language-"} {
				if lang, ok := strings.CutPrefix(class, lead); ok && isLanguageName(lang) && lang != "default" {
					return strings.ToLower(lang)
				}
			}
		}
	}
	return ""
}

func firstElement(n *html.Node) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			return c
		}
	}
	return nil
}

func isLanguageName(s string) bool {
	return s != "" && len(s) <= 20 && strings.IndexFunc(s, func(r rune) bool {
		return r >= 0x80 || !isAlphanumeric(byte(r)) && !strings.ContainsRune("+#-_.", r)
	}) < 0
}

// result returns the text, the Markdown and the pieces that they share.
func (w *blockWriter) result() (text, md string, runs []document.Run) {
	text, md = w.out.String(), w.mark.out.String()
	return text, md, markdown.Runs(text, md, w.mark.done)
}
