package recipe

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/tidwall/gjson"
)

// Records describes how to parse a JSON answer: where its records are, and how one becomes a Result. A field of an
// unexpected type is empty. A record that is not an object becomes the zero result, which cleaning drops and counts.
type Records struct {
	Of string // the noun for messages: "pages"
	Paths
	Said    func(answer gjson.Result) *channels.Failure             // reads an error sent with status 200; may be nil
	None    func(answer gjson.Result) bool                          // reports whether an answer without the list means no results
	One     func(answer gjson.Result) gjson.Result                  // returns the record of a look-up, from an answer without the list
	Explain func(status int, body []byte) (channels.Status, string) // reads the error of an answer without the list; nil = explainMessage
	More    func(r gjson.Result, e *channels.Result)                // sets further fields
}

// Read reads an answer.
func (s Records) Read(body []byte) ([]channels.Result, error) {
	answer, err := channels.ReadJSON(body)
	if err != nil {
		return nil, err
	}
	if s.Said != nil {
		if fail := s.Said(answer); fail != nil {
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
	case s.None != nil && s.None(answer):
		return nil, nil
	case s.One != nil:
		if r := s.One(answer); r.IsObject() {
			return []channels.Result{s.Result(r)}, nil
		}
	}
	explain := s.Explain
	if explain == nil {
		explain = channels.ExplainMessage
	}
	status, words := explain(http.StatusOK, body)
	fail := channels.NoList(words, s.Of)
	if status != "" {
		fail.Status = status
	}
	return nil, fail
}

// RecordAt returns a function that returns the record at a path if it has an id.
func RecordAt(path, id string) func(gjson.Result) gjson.Result {
	return func(answer gjson.Result) gjson.Result {
		r := answer.Get(path)
		if normal.Text(r, id) == "" {
			return gjson.Result{}
		}
		return r
	}
}

// maxRecords bounds the records that are read from one list.
const maxRecords = 200

func (s Records) all(list gjson.Result) []channels.Result {
	var found []channels.Result
	list.ForEach(func(_, r gjson.Result) bool {
		found = append(found, s.Result(r))
		return len(found) < maxRecords
	})
	return found
}

func (s Records) Result(r gjson.Result) channels.Result {
	if !r.IsObject() {
		return channels.Result{}
	}
	e := channels.Result{Evidence: s.record(r)}
	if s.More != nil {
		s.More(r, &e)
	}
	return e
}

// Paths locate the fields of a record, in the path syntax of gjson
// (https://github.com/tidwall/gjson/blob/master/SYNTAX.md): "hits.items", "authors.#.name". All but List and Error are
// relative to one record.
type Paths struct {
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

func (p Paths) record(r gjson.Result) channels.Evidence {
	return channels.Evidence{
		Title:       normal.Text(r, p.Title),
		URL:         p.link(r),
		Snippet:     strings.Join(normal.Texts(r, p.Snippet), " … "),
		Authors:     normal.Texts(r, p.Authors),
		DOI:         normal.Text(r, p.DOI),
		PublishedAt: normal.DateAt(r, p.Date),
		Language:    normal.Language(normal.Text(r, p.Language)),
	}
}

// BySite sets the source type of a result by the site of its address.
func BySite(_ gjson.Result, e *channels.Result) { e.SourceType = normal.TypeOfSite(e.URL) }

// link returns the address of a record: the text at a path, or a template filled with values. It returns "" if one is missing.
func (p Paths) link(r gjson.Result) string {
	if !strings.Contains(p.URL, "{") {
		return normal.Text(r, p.URL)
	}
	whole := true
	link := placeholder.ReplaceAllStringFunc(p.URL, func(m string) string {
		value := strings.Join(normal.Texts(r, strings.Trim(m, "{}")), "")
		whole = whole && value != ""
		return url.PathEscape(value)
	})
	if !whole {
		return ""
	}
	return link
}

// placeholder is a value in braces.
var placeholder = lazyregexp.New(`\{([^{}]*)\}`)
