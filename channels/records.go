package channels

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// records says where a source's answer in JSON has its records, and what becomes of one. A field of an unexpected type
// is empty; a record that is no object becomes the zero result, which cleaning drops and counts.
type records struct {
	of string // what they are, for messages: "pages"
	paths
	said    func(answer gjson.Result) *Failure             // an error that came with a 200; nil = none is looked for
	none    func(answer gjson.Result) bool                 // an answer without the list that says that nothing was found
	one     func(answer gjson.Result) gjson.Result         // the record of a look-up, in an answer without the list
	explain func(status int, body []byte) (Status, string) // of an answer without the list; nil = explainMessage
	more    func(r gjson.Result, e *Result)                // what else a record says
}

// read reads an answer.
func (s records) read(body []byte) ([]Result, error) {
	answer, err := readJSON(body)
	if err != nil {
		return nil, err
	}
	if s.said != nil {
		if fail := s.said(answer); fail != nil {
			return nil, fail
		}
	}
	list := answer
	if s.List != "" {
		list = answer.Get(s.List)
	}
	switch {
	case list.IsArray():
		return s.all(list), nil
	case s.none != nil && s.none(answer):
		return nil, nil
	case s.one != nil:
		if r := s.one(answer); r.IsObject() {
			return []Result{s.result(r)}, nil
		}
	}
	explain := s.explain
	if explain == nil {
		explain = explainMessage
	}
	status, words := explain(http.StatusOK, body)
	fail := noList(words, s.of)
	if status != "" {
		fail.Status = status
	}
	return nil, fail
}

// maxRecords bounds what is read of one list.
const maxRecords = 200

func (s records) all(list gjson.Result) []Result {
	var found []Result
	list.ForEach(func(_, r gjson.Result) bool {
		found = append(found, s.result(r))
		return len(found) < maxRecords
	})
	return found
}

func (s records) result(r gjson.Result) Result {
	if !r.IsObject() {
		return Result{}
	}
	e := Result{Evidence: s.record(r)}
	if s.more != nil {
		s.more(r, &e)
	}
	return e
}

// readJSON checks an answer. json.Valid, unlike gjson's own check, bounds how deep a document is nested.
func readJSON(body []byte) (gjson.Result, error) {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if !json.Valid(body) {
		return gjson.Result{}, failure(StatusMalformed, "its JSON is not what it documents")
	}
	return gjson.ParseBytes(body), nil
}

// paths say where things are, in the path language of gjson
// (https://github.com/tidwall/gjson/blob/master/SYNTAX.md): "hits.items", "authors.#.name". All but List and Error are
// within one record of the list.
type paths struct {
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

func (p paths) record(r gjson.Result) loopstate.Evidence {
	return loopstate.Evidence{
		Title:       text(r, p.Title),
		URL:         p.link(r),
		Snippet:     strings.Join(texts(r, p.Snippet), " … "),
		Authors:     texts(r, p.Authors),
		DOI:         text(r, p.DOI),
		PublishedAt: dateAt(r, p.Date),
		Language:    bcp47(text(r, p.Language)),
	}
}

// bySite makes the source type of a record that of the site which it is an address of.
func bySite(_ gjson.Result, e *Result) { e.SourceType = typeOfSite(e.URL) }

// text is the text or the number at a path, or the list of them in one line; "" of anything else.
func text(r gjson.Result, path string) string { return strings.Join(texts(r, path), " ") }

// first is the text at the first of the paths that has one.
func first(r gjson.Result, paths ...string) string {
	for _, path := range paths {
		if s := text(r, path); s != "" {
			return s
		}
	}
	return ""
}

// firstOf is the first text of a list, or the text in its place.
func firstOf(r gjson.Result, path string) string {
	if all := texts(r, path); len(all) > 0 {
		return all[0]
	}
	return ""
}

// link is the address of a record: at a path, or a template that its values are written into.
func (p paths) link(r gjson.Result) string {
	if !strings.Contains(p.URL, "{") {
		return text(r, p.URL)
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
		if text := sanitize.Line(v.String()); text != "" && (v.Type == gjson.String || v.Type == gjson.Number) {
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

// yearAt is the year at a path; "" where it is none.
func yearAt(r gjson.Result, path string) string { return partialDate(int(r.Get(path).Int()), 0, 0) }

// firstValid is the first address that a result can have.
func firstValid(addresses ...string) string {
	for _, a := range addresses {
		if validURL(a) {
			return a
		}
	}
	return ""
}

// isZero reports whether a value is the number 0.
func isZero(v gjson.Result) bool { return v.Type == gjson.Number && v.Num == 0 }
