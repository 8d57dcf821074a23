package channels

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// records describes how to parse a JSON answer: where its records are, and how one becomes a Result. A field of an
// unexpected type is empty. A record that is not an object becomes the zero result, which cleaning drops and counts.
type records struct {
	of string // the noun for messages: "pages"
	paths
	said    func(answer gjson.Result) *Failure             // reads an error sent with status 200; may be nil
	none    func(answer gjson.Result) bool                 // reports whether an answer without the list means no results
	one     func(answer gjson.Result) gjson.Result         // returns the record of a look-up, from an answer without the list
	explain func(status int, body []byte) (Status, string) // reads the error of an answer without the list; nil = explainMessage
	more    func(r gjson.Result, e *Result)                // sets further fields
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

// recordAt returns a function that returns the record at a path if it has an id.
func recordAt(path, id string) func(gjson.Result) gjson.Result {
	return func(answer gjson.Result) gjson.Result {
		r := answer.Get(path)
		if text(r, id) == "" {
			return gjson.Result{}
		}
		return r
	}
}

// maxRecords bounds the records that are read from one list.
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

// readJSON validates an answer. json.Valid, unlike gjson's own check, bounds the nesting of a document.
func readJSON(body []byte) (gjson.Result, error) {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if !json.Valid(body) {
		return gjson.Result{}, failure(StatusMalformed, "the answer is not the documented JSON")
	}
	return gjson.ParseBytes(body), nil
}

// paths locate the fields of a record, in the path syntax of gjson
// (https://github.com/tidwall/gjson/blob/master/SYNTAX.md): "hits.items", "authors.#.name". All but List and Error are
// relative to one record.
type paths struct {
	List     string // "" = the answer is the list
	Title    string
	URL      string // or an address with paths in braces: "https://example.org/item/{id}"
	Snippet  string
	Date     string
	Authors  string
	DOI      string
	Language string
	Error    string // relative to the whole answer: the message of an error sent with status 200
}

func (p paths) record(r gjson.Result) Evidence {
	return Evidence{
		Title:       text(r, p.Title),
		URL:         p.link(r),
		Snippet:     strings.Join(texts(r, p.Snippet), " … "),
		Authors:     texts(r, p.Authors),
		DOI:         text(r, p.DOI),
		PublishedAt: dateAt(r, p.Date),
		Language:    bcp47(text(r, p.Language)),
	}
}

// bySite sets the source type of a result by the site of its address.
func bySite(_ gjson.Result, e *Result) { e.SourceType = typeOfSite(e.URL) }

// text returns the text or number at a path, or a list of them on one line; "" for other types.
func text(r gjson.Result, path string) string { return strings.Join(texts(r, path), " ") }

// first returns the text at the first of the paths that has one.
func first(r gjson.Result, paths ...string) string {
	for _, path := range paths {
		if s := text(r, path); s != "" {
			return s
		}
	}
	return ""
}

// firstOf returns the first text of a list, or a single text.
func firstOf(r gjson.Result, path string) string {
	if all := texts(r, path); len(all) > 0 {
		return all[0]
	}
	return ""
}

// link returns the address of a record: the text at a path, or a template filled with values. It returns "" if one is missing.
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

// texts returns the texts and numbers at a path, a single one as a list.
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

// dateAt returns the date at a path: a text, a number of seconds or milliseconds since 1970, or a list of year, month and day. Four
// digits are a year.
func dateAt(r gjson.Result, path string) string {
	said := texts(r, path)
	if len(said) == 0 {
		return ""
	}
	if at := r.Get(path); at.IsArray() && len(said) <= 3 && at.Get("0").Type == gjson.Number { // year, month and day
		return partialDate(int(at.Get("0").Int()), int(at.Get("1").Int()), int(at.Get("2").Int()))
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

// yearAt returns the year at a path, or "".
func yearAt(r gjson.Result, path string) string { return partialDate(int(r.Get(path).Int()), 0, 0) }

// firstValid returns the first valid address of a result, or "".
func firstValid(addresses ...string) string {
	for _, a := range addresses {
		if validURL(a) {
			return a
		}
	}
	return ""
}

// placeholder is a value in braces.
var placeholder = lazyregexp.New(`\{([^{}]*)\}`)
