package channels

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/loopstate"
)

// ownPaths say where in a JSON answer things are, in the path language of gjson
// (https://github.com/tidwall/gjson/blob/master/SYNTAX.md): "hits.items", "authors.#.name". All but List are within one
// record of the list.
type ownPaths struct {
	List     string // "" = the answer is the list
	Title    string
	URL      string // or an address with paths in braces: "https://example.org/item/{id}"
	Snippet  string
	Date     string
	Authors  string
	DOI      string
	Language string
	Error    string // of the whole answer: the words of an error that came with a 200
}

// maxOwnRecords bounds what is read of one list.
const maxOwnRecords = 200

// read reads an answer. Relative addresses are relative to at.
func (p ownPaths) read(body []byte, at *url.URL) ([]Result, error) {
	body = []byte(strings.TrimPrefix(string(body), "\ufeff"))
	if !json.Valid(body) { // which, unlike gjson's own check, bounds how deep a document is nested
		return nil, failure(StatusMalformed, "its JSON cannot be read")
	}
	answer := gjson.ParseBytes(body)
	list := answer
	if p.List != "" {
		list = answer.Get(p.List)
	}
	if !list.IsArray() {
		words := strings.Join(texts(answer, p.Error), " ")
		if words == "" {
			_, words = explainMessage(200, body)
		}
		return nil, noList(words, fmt.Sprintf("records at the configured path %q", p.List))
	}
	var found []Result
	list.ForEach(func(_, record gjson.Result) bool {
		found = append(found, p.record(record, at))
		return len(found) < maxOwnRecords
	})
	return found, nil
}

func (p ownPaths) record(r gjson.Result, at *url.URL) Result {
	if !r.IsObject() {
		return Result{}
	}
	e := Result{Evidence: loopstate.Evidence{
		Title:       strings.Join(texts(r, p.Title), " "),
		Snippet:     strings.Join(texts(r, p.Snippet), " … "),
		Authors:     texts(r, p.Authors),
		DOI:         strings.Join(texts(r, p.DOI), " "),
		PublishedAt: dateAt(r, p.Date),
		Language:    strings.Join(texts(r, p.Language), " "),
	}}
	address := p.link(r)
	if u, err := url.Parse(address); err == nil && address != "" {
		e.URL = at.ResolveReference(u).String()
	}
	return e
}

// link is the address of a record: at a path, or a template that its values are written into.
func (p ownPaths) link(r gjson.Result) string {
	if !strings.Contains(p.URL, "{") {
		return strings.Join(texts(r, p.URL), "")
	}
	whole := true
	link := placeholder.ReplaceAllStringFunc(p.URL, func(m string) string {
		value := strings.Join(texts(r, strings.Trim(m, "{}")), "")
		whole = whole && value != ""
		return url.PathEscape(value)
	})
	if !whole {
		return ""
	}
	return link
}

// texts are the text, the number, or the list of them at a path.
func texts(r gjson.Result, path string) []string {
	if path == "" {
		return nil
	}
	var out []string
	at := r.Get(path)
	if !at.IsArray() {
		at = gjson.Parse("[" + at.Raw + "]")
	}
	at.ForEach(func(_, v gjson.Result) bool {
		if text := oneLine(v.String()); text != "" && (v.Type == gjson.String || v.Type == gjson.Number) {
			out = append(out, text)
		}
		return len(out) < maxAuthors
	})
	return out
}

// dateAt is a date in words, or a number of seconds or milliseconds since 1970; four digits are a year.
func dateAt(r gjson.Result, path string) string {
	said := texts(r, path)
	if len(said) == 0 {
		return ""
	}
	if n := r.Get(path); n.Type == gjson.Number && n.Num > 9999 {
		seconds := n.Num
		if seconds > 1e11 {
			seconds /= 1000
		}
		if normalDate(said[0]) == "" { // 20240131 is a day
			return unixDay(seconds)
		}
	}
	return said[0]
}
