package local

import (
	"bufio"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/channels/local/index"
)

// Limits of the links of a file. Chosen: the index of PostgreSQL's manual links to 1,000 files, and a longer text around a
// link speaks of more than its target.
const (
	maxLinkTargets = 2_000
	maxAroundLink  = 500   // bytes of the text around one link
	maxTargetText  = 2_000 // bytes of the texts around all links to one file
	maxToken       = 1 << 20
)

// linkReader reads the links of an HTML page to other files of its folder, with the text of the paragraph, list item or
// table cell around each. A term of a list of definitions takes the definition after it along.
type linkReader struct {
	rel     string // path of the page within the folder
	kind    string // innermost open block
	text    strings.Builder
	links   []pageLink // in the block
	term    *block     // a term that waits for its definition
	hidden  int        // depth of elements whose text is not shown
	targets []string   // in order
	texts   map[string][]string
}

type pageLink struct {
	to         string
	start, end int // of its words in the text
}

type block struct {
	text  string
	links []pageLink
}

// linksOf returns what an HTML page says about other files of the folder. It reads as far as it can.
func linksOf(rel string, in io.Reader) []index.Link {
	r := &linkReader{rel: rel, texts: map[string][]string{}}
	z := html.NewTokenizer(bufio.NewReader(in))
	z.SetMaxBuf(maxToken)
	for {
		switch z.Next() {
		case html.ErrorToken:
			r.endBlock()
			r.endTerm("")
			return r.all()
		case html.TextToken:
			if r.hidden == 0 {
				r.text.Write(z.Text())
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			r.start(string(name), z, more)
		case html.EndTagToken:
			name, _ := z.TagName()
			r.end(string(name))
		}
	}
}

// readLinks returns the links of a file that is HTML by its name, and seeks back to its beginning.
func readLinks(rel string, f io.ReadSeeker) ([]index.Link, error) {
	switch strings.ToLower(path.Ext(rel)) {
	case ".html", ".htm", ".xhtml":
	default:
		return nil, nil
	}
	links := linksOf(rel, f)
	_, err := f.Seek(0, io.SeekStart)
	return links, err
}

// blockTags are the elements that end a paragraph; the true ones hold text about their links.
func blockTags() map[string]bool {
	return map[string]bool{
		"p": true, "li": true, "dt": true, "dd": true, "td": true, "blockquote": true,
		"th": false, "div": false, "table": false, "tr": false, "ul": false, "ol": false, "dl": false, "section": false, "article": false,
		"header": false, "footer": false, "nav": false, "aside": false, "main": false, "body": false, "pre": false, "form": false,
		"h1": false, "h2": false, "h3": false, "h4": false, "h5": false, "h6": false,
	}
}

var linkBlocks = blockTags()

func (r *linkReader) start(name string, z *html.Tokenizer, more bool) {
	if _, is := linkBlocks[name]; is {
		r.endBlock()
		r.kind = name
		return
	}
	switch name {
	case "script", "style", "title", "noscript", "template", "textarea", "select":
		r.hidden++
	case "br":
		r.text.WriteByte(' ')
	case "a":
		r.endLink()
		for more {
			var key, value []byte
			key, value, more = z.TagAttr()
			if string(key) != "href" {
				continue
			}
			if to := linkTarget(r.rel, string(value)); to != "" {
				r.links = append(r.links, pageLink{to, r.text.Len(), -1})
			}
		}
	}
}

func (r *linkReader) end(name string) {
	if _, is := linkBlocks[name]; is {
		r.endBlock()
		r.kind = ""
		return
	}
	switch name {
	case "script", "style", "title", "noscript", "template", "textarea", "select":
		r.hidden = max(0, r.hidden-1)
	case "a":
		r.endLink()
	}
}

func (r *linkReader) endLink() {
	if last := len(r.links) - 1; last >= 0 && r.links[last].end < 0 {
		r.links[last].end = r.text.Len()
	}
}

func (r *linkReader) endBlock() {
	r.endLink()
	b := block{r.text.String(), r.links}
	r.text.Reset()
	r.links = nil
	if strings.TrimSpace(b.text) == "" {
		return
	}
	if r.kind != "dt" {
		r.endTerm(b.text)
	} else {
		r.endTerm("")
		if len(b.links) > 0 {
			r.term = &b
		}
		return
	}
	if linkBlocks[r.kind] {
		r.add(b, "")
	}
}

// endTerm adds the links of a waiting term, with its definition.
func (r *linkReader) endTerm(definition string) {
	if r.term != nil {
		r.add(*r.term, definition)
		r.term = nil
	}
}

func (r *linkReader) add(b block, definition string) {
	for _, l := range b.links {
		text := oneLine(aroundLink(b.text, l.start, l.end) + " " + cut(definition, maxAroundLink))
		known := r.texts[l.to]
		size := len(text)
		for _, t := range known {
			size += len(t)
		}
		if text == "" || size > maxTargetText || slices.Contains(known, text) || known == nil && len(r.targets) == maxLinkTargets {
			continue
		}
		if known == nil {
			r.targets = append(r.targets, l.to)
		}
		r.texts[l.to] = append(known, text)
	}
}

func (r *linkReader) all() (out []index.Link) {
	for _, to := range r.targets {
		out = append(out, index.Link{To: to, Text: strings.Join(r.texts[to], "\n")})
	}
	return out
}

// linkTarget returns the path within the folder of the file that an address names, or "" if it is elsewhere or the page
// itself.
func linkTarget(rel, address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" || strings.HasPrefix(u.Path, "/") {
		return ""
	}
	to := path.Join(path.Dir(rel), u.Path)
	if to == rel || to == "." || to == ".." || strings.HasPrefix(to, "../") {
		return ""
	}
	return to
}

// aroundLink returns the text around the words of a link: all if it is short, else their sentence.
func aroundLink(text string, start, end int) string {
	if len(text) <= maxAroundLink {
		return text
	}
	from, to := max(0, start-maxAroundLink/2), min(len(text), end+maxAroundLink/2)
	if stop := strings.LastIndex(text[from:start], ". "); stop >= 0 {
		from += stop + 2
	}
	if stop := strings.Index(text[end:to], ". "); stop >= 0 {
		to = end + stop + 1
	}
	return cut(text[from:to], 2*maxAroundLink)
}

func cut(s string, n int) string { return s[:min(len(s), n)] }

func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
}
