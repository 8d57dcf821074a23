package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/docid"
)

// Recipe is how a channel without code of its own asks its source and reads the answer, with the keys of
// docs/channels.md#a-channel-of-your-own.
type Recipe struct {
	Kind    string  // of its answers; "" = kindJSON
	Pace    string  // see [channels.Request.PaceAs]
	Path    []asked // elements after the address
	Params  map[string]asked
	Headers map[string]asked
	Body    map[string]any // of a POST: objects, and texts with placeholders
	// Again is what to search for if the query finds nothing, of the values of the request.
	Again asked
	// Area is the value "area": which of its searches the source is asked for.
	Area asked
	// Lang is the value "lang", which also replaces "{lang}" in the address of the channel.
	Lang asked
	// Pause is how many seconds the answer asks for no requests, and Degraded what the answer says is missing in it.
	Pause, Degraded said
	Of              string // the noun for messages: "pages"
	Asks            string // what a query must have, where the request takes a part of it only
	Type            string `json:"source_type"` // of all results; "" = as the field "type" says, or by the site
	Paths           fields
	None            conditions // of an answer that found nothing, and has no list
	Errors          []recipeError
	Lookup          *lookup
}

// Kinds of answers.
const (
	kindJSON = "json"
	kindXML  = "xml" // see readXML; JSON is read too
	kindFeed = "rss" // RSS, Atom or JSON Feed, which feeds.toml describes
	// kindLines is a text of rows; see readLines.
	kindLines = "lines"
)

func (r Recipe) isXML() bool { return r.Kind == kindXML || r.Kind == kindFeed }

// fields are where an answer has its records, and a record its fields.
type fields struct {
	List         places // the first that is there; none = the whole answer
	Title        said
	URL          said
	Snippet      said
	Date         said
	Authors      said
	EachAuthor   said `json:"each_author"` // paths of lists to whose members the paths of authors belong
	DOI          said
	Language     said
	Type         said
	Container    said
	Update       said
	UpdateNotice said `json:"update_notice"`
	UpdateDate   said `json:"update_date"`
	Error        said // the message of an answer without a list
	IDs, Related map[string]said
}

// recipeError recognises an error of a source by its code and by words of its message, or of the text at Path.
type recipeError struct {
	Code   int             // 0 = any
	Path   string          // "" = the message
	Words  []string        // any of them; none = any message
	Status channels.Status // "" = that of the code
	Say    string          // before the message
}

// lookup replaces the request for a query that is an id; the answer may be one record.
type lookup struct {
	Of     asked // the id in a query, the value "id"; none = the query, if it is a DOI
	Path   []asked
	Params map[string]asked
	Record place
}

// place is where something is in an answer: "PATH if CONDITION".
type place struct {
	path string
	when conditions
}

type places []place

// asked is a template of a request, and said one of an answer.
type (
	asked template
	said  template
)

func (a *asked) UnmarshalJSON(raw []byte) error { return readTemplate((*template)(a), raw, ofRequest) }

func (s *said) UnmarshalJSON(raw []byte) error { return readTemplate((*template)(s), raw, ofRecord) }

func readTemplate(t *template, raw []byte, in syntax) (err error) {
	var given any
	if err := json.Unmarshal(raw, &given); err != nil {
		return err
	}
	*t, err = parseTemplate(given, in)
	return err
}

func (c *conditions) UnmarshalJSON(raw []byte) error {
	var text string
	err := json.Unmarshal(raw, &text)
	*c = parseConditions(text)
	return err
}

func (p *place) UnmarshalJSON(raw []byte) error {
	var text string
	err := json.Unmarshal(raw, &text)
	path, when, _ := strings.Cut(text, " if ")
	*p = place{path, parseConditions(when)}
	return err
}

func (all *places) UnmarshalJSON(raw []byte) error {
	if raw[0] != '[' {
		raw = slices.Concat([]byte("["), raw, []byte("]"))
	}
	return json.Unmarshal(raw, (*[]place)(all))
}

// entry is a channel as its file has it.
type entry struct {
	channels.Description
	Recipe
	Order   int // in every list
	URL     string
	KeyRate float64 `json:"key_rate"`
	Needs   string
}

// readEntry reads the file of a channel.
func readEntry(name string, text []byte) (entry, error) {
	given := map[string]any{}
	if err := toml.Unmarshal(text, &given); err != nil {
		return entry{}, err
	}
	return decodeEntry(name, given)
}

// decodeEntry reads the keys of a channel. With an error it returns what could be read.
func decodeEntry(name string, given map[string]any) (e entry, err error) {
	raw, _ := json.Marshal(given) // texts, numbers, lists and tables
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	err = dec.Decode(&e)
	e.Name = name
	if e.Lookup != nil && e.Lookup.Of == nil {
		e.Lookup.Of = asked{{{pieces: []piece{{path: "doi"}}}}}
	}
	if err == nil && e.recipe() {
		err = e.mistake()
	}
	return e, err
}

// recipe reports whether the file says how to ask.
func (e entry) recipe() bool { return e.Paths.Title != nil }

// mistake returns what is wrong with a recipe that can be read, with the remedy.
func (e entry) mistake() error {
	kinds := slices.Sorted(maps.Keys(e.Paths.IDs))
	unknown := slices.IndexFunc(append(kinds, slices.Collect(maps.Keys(e.Paths.Related))...), func(kind string) bool {
		return !slices.Contains(normal.IDKinds, kind)
	})
	switch {
	case !slices.Contains([]string{"", kindJSON, kindXML, kindFeed, kindLines}, e.Kind):
		return fmt.Errorf("kind: unknown kind %q; use json, xml, or rss for RSS, Atom and JSON Feed", e.Kind)
	case e.Paths.URL == nil && e.Paths.DOI == nil:
		return errors.New(`paths.url: missing; give the path of the address in a record, such as url, or "https://example.org/item/{id}"`)
	case unknown >= 0:
		return errors.New("paths: unknown kind of id; use " + strings.Join(normal.IDKinds, ", "))
	case !docid.ValidSourceType(e.Type):
		return fmt.Errorf("source_type: unknown source type %q; use one of %s, or leave it out", e.Type,
			strings.Join(docid.SourceTypes(), ", "))
	}
	return nil
}

// channel returns the channel of an entry, to be searched as its recipe says.
func (e entry) channel() channels.Channel {
	return channels.Channel{Description: e.Description, URL: e.URL, KeyRate: e.KeyRate, Needs: e.Needs, Search: e.search,
		Again: e.reword}
}
