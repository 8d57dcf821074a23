package source

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/tidwall/gjson"
	"golang.org/x/net/html/charset"
)

// parse reads an answer that came from an address.
func (r Recipe) parse(body []byte, at *url.URL, values gjson.Result) (found []channels.Result, err error) {
	found, err = r.read(body, values)
	for i := range found {
		if u, err := url.Parse(found[i].URL); err == nil && !u.IsAbs() && found[i].URL != "" {
			found[i].URL = at.ResolveReference(u).String()
		}
		if r.Type != "" {
			found[i].SourceType = r.Type
		} else if found[i].SourceType == "" && r.Paths.Type == nil {
			found[i].SourceType = normal.TypeOfSite(found[i].URL)
		}
	}
	return found, err
}

// maxRecords bounds the records that are read from one list.
const maxRecords = 200

// Decode returns an answer as JSON.
func (r Recipe) Decode(body []byte) (gjson.Result, error) {
	switch {
	case r.Kind == kindLines:
		return readLines(body), nil
	case r.isXML() && bytes.HasPrefix(bytes.TrimLeft(body, "\ufeff \t\r\n"), []byte("<")):
		return readXML(body)
	}
	return channels.ReadJSON(body)
}

// readLines reads a text up to its first empty line as JSON: its first line as "text", and "lines" with the words of each, by their
// numbers from 0. A text without words has neither.
func readLines(body []byte) gjson.Result {
	rows, _, _ := strings.Cut(strings.TrimSpace(string(body)), "\n\n")
	if rows == "" {
		return gjson.Parse("{}")
	}
	var lines []map[string]any
	for row := range strings.Lines(rows) {
		words := map[string]any{}
		for i, word := range strings.Fields(row) {
			words[strconv.Itoa(i)] = word
		}
		lines = append(lines, words)
	}
	text, _, _ := strings.Cut(rows, "\n")
	return asJSON(map[string]any{"text": text, "lines": lines})
}

// read reads an answer: a list of records, or the one of a look-up.
func (r Recipe) read(body []byte, values gjson.Result) (found []channels.Result, err error) {
	answer, err := r.Decode(body)
	if err != nil {
		return nil, err
	}
	if r.Kind == kindFeed {
		values = asJSON(map[string]any{"language": normal.Text(answer, "[rss.channel.language,feed.lang,language]|0")})
	}
	list := r.listIn(answer)
	switch {
	case r.isXML() && list.IsObject(): // a single record
		return []channels.Result{r.Record(list, values)}, nil
	case list.IsArray():
		list.ForEach(func(_, record gjson.Result) bool {
			found = append(found, r.Record(record, values))
			return len(found) < maxRecords
		})
		return found, nil
	case r.None != nil && holds(r.None, answer):
		return nil, nil
	case r.Lookup != nil && r.Lookup.Record.in(answer).IsObject():
		return []channels.Result{r.Record(r.Lookup.Record.in(answer), values)}, nil
	}
	return nil, r.NoList(body)
}

func (r Recipe) listIn(answer gjson.Result) (list gjson.Result) {
	if len(r.Paths.List) == 0 {
		return answer
	}
	for _, p := range r.Paths.List {
		if list = p.in(answer); list.Exists() {
			break
		}
	}
	return list
}

// in returns what is at a place of an answer, if anything.
func (p place) in(answer gjson.Result) (none gjson.Result) {
	if !holds(p.when, answer) {
		return none
	}
	return answer.Get(p.path)
}

// NoList returns the failure for an answer without its list, as the answer explains it, or else malformed.
func (r Recipe) NoList(body []byte) *channels.Failure {
	said := r.explain(http.StatusOK, body)
	fail := channels.Fail(channels.StatusMalformed, "the answer has no list of %s", r.Of)
	if said.Words != "" {
		fail = channels.SourceSays(said.Words)
	}
	if fail.RetryAfter = said.Pause; said.Status != "" {
		fail.Status, fail.Retry = said.Status, said.Status == channels.StatusRateLimited || said.Status == channels.StatusUnavailable
	}
	return fail
}

// Record reads one record. One that is not an object becomes the zero result, which cleaning drops and counts; a field of
// an unexpected type is empty.
func (r Recipe) Record(from, values gjson.Result) (e channels.Result) {
	if !from.IsObject() {
		return e
	}
	if values.IsObject() {
		from = gjson.Parse(`{"$":` + values.Raw + `,` + strings.TrimSpace(from.Raw)[1:])
	}
	of := r.Paths
	e.Title = of.Title.text(from)
	e.Snippet = template(of.Snippet).text(from, style{list: " … ", clean: normal.Plain})
	e.DOI, e.Container, e.SourceType = of.DOI.text(from), of.Container.text(from), of.Type.text(from)
	e.Language = normal.Language(of.Language.text(from))
	e.Update = channels.Update{Kind: of.Update.text(from), Notice: of.UpdateNotice.text(from), Date: of.UpdateDate.date(from)}
	e.PublishedAt = of.Date.date(from)
	for said := range template(of.URL).each(from, style{escape: true}) {
		if valid := slices.IndexFunc(said, normal.ValidURL); valid >= 0 {
			e.URL = said[valid]
			break
		}
		e.URL = cmp.Or(e.URL, strings.Join(said, " "))
	}
	for _, path := range of.EachAuthor {
		if e.Authors != nil {
			break
		}
		for _, author := range from.Get(path[0].pieces[0].path).Array() {
			e.Authors = append(e.Authors, template(of.Authors).texts(author, style{})...)
		}
	}
	if e.Authors == nil {
		e.Authors = template(of.Authors).texts(from, style{})
	}
	e.IDs, e.Related = typedIDs(of.IDs, from), typedIDs(of.Related, from)
	return e
}

// text returns what a template of an answer gives.
func (s said) text(r gjson.Result) string { return template(s).text(r, style{}) }

// date returns the first date that the alternatives give.
func (s said) date(from gjson.Result) string {
	for _, a := range s {
		if date := normal.Date(a.date(from)); date != "" {
			return date
		}
	}
	return ""
}

// date returns the date of an alternative: that of a single path may be a number, or a list of year, month and day.
func (a alternative) date(r gjson.Result) string {
	if one := a[0].pieces; len(a) == 1 && len(one) == 1 && one[0].path != "" && one[0].filters == nil && holds(a[0].when, r) {
		return normal.DateAt(r, one[0].path)
	}
	return template{a}.text(r, style{})
}

// typedIDs returns the ids that all alternatives give.
func typedIDs(kinds map[string]said, r gjson.Result) (ids []string) {
	for kind, w := range kinds {
		for said := range template(w).each(r, style{}) {
			for _, one := range said {
				ids = normal.Distinct(append(ids, normal.ID(kind, one))...)
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// explain reads the message of an error, at the configured place or at the usual ones.
func (r Recipe) explain(code int, body []byte) channels.Explained {
	answer, err := r.Decode(body)
	said := template(r.Paths.Error).text(answer, style{clean: normal.Plain})
	if said == "" {
		if said = channels.MessageIn(body); err != nil || r.isXML() {
			said = messageInXML(body)
		}
	}
	out := channels.Explained{Words: said, Pause: r.pauseIn(answer)}
	for _, rule := range r.Errors {
		at := said
		if rule.Path != "" {
			at = normal.Text(answer, rule.Path)
		}
		at = strings.ToLower(at)
		if (rule.Code == 0 || rule.Code == code) &&
			(rule.Words == nil || slices.ContainsFunc(rule.Words,
				func(w string) bool { return strings.Contains(at, strings.ToLower(w)) })) {
			out.Status, out.Words = rule.Status, strings.Trim(rule.Say+": "+said, ": ")
			break
		}
	}
	return out
}

// matching returns the results that contain any of the words, or all results if there are no words. The error is a
// remark that counts them.
func matching(results []channels.Result, words []string) ([]channels.Result, error) {
	if len(words) == 0 {
		return results, nil
	}
	picked := containing(results, words)
	if len(picked) < len(results) {
		return picked, channels.Fail(channels.StatusOK, "%d of the %d entries of its list contain a word of the query", len(picked),
			len(results))
	}
	return picked, nil
}

// containing returns the results that contain any of the words, those with the most words first.
func containing(results []channels.Result, words []string) []channels.Result {
	count := func(e channels.Result) (n int) {
		text := strings.ToLower(e.Title + " " + e.Snippet)
		for _, w := range words {
			if strings.Contains(text, strings.ToLower(w)) {
				n++
			}
		}
		return n
	}
	picked := slices.DeleteFunc(slices.Clone(results), func(e channels.Result) bool { return count(e) == 0 })
	slices.SortStableFunc(picked, func(a, b channels.Result) int { return count(b) - count(a) })
	return picked
}

// Bounds of an answer in XML (chosen).
const (
	maxXMLDepth = 50
	maxXMLText  = 32 << 10 // bytes of one element, with those inside
)

// readXML reads XML as JSON, so that the same paths read both. An element with attributes or others inside is an object of them,
// and all its text is "text"; any other is its text. Several of one name are a list. Names are in lower case, without namespaces.
func readXML(body []byte) (gjson.Result, error) {
	dec := xml.NewDecoder(bytes.NewReader(body))
	dec.CharsetReader = charset.NewReaderLabel
	dec.Strict, dec.Entity = false, xml.HTMLEntity // feeds are written carelessly
	open := []element{{fields: map[string]any{}}}  // the document, and the elements that are open
	for {
		token, err := dec.Token()
		if err == nil && len(open) > maxXMLDepth {
			err = errors.New("nested too deeply")
		}
		if err != nil {
			return gjson.Result{}, notXML(err)
		}
		last := &open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			inner := element{name: strings.ToLower(token.Name.Local), fields: map[string]any{}}
			for _, a := range token.Attr {
				inner.add(strings.ToLower(a.Name.Local), a.Value)
			}
			open = append(open, inner)
		case xml.CharData:
			last.say(string(token))
		case xml.EndElement:
			outer := &open[len(open)-2]
			outer.add(last.name, last.value())
			outer.say(last.text)
			if open = open[:len(open)-1]; len(open) == 1 {
				raw, err := json.Marshal(outer.fields)
				return gjson.ParseBytes(raw), err
			}
		}
	}
}

// messageInXML returns the message of an error document: <error>…</error>, or one with a <Message> inside.
func messageInXML(body []byte) string {
	answer, _ := readXML(body) // without an error in it, if it is no XML
	return cmp.Or(normal.Text(answer, "error.message"), normal.Text(answer, "error.text"), normal.Text(answer, "error"))
}

func notXML(cause error) *channels.Failure {
	return &channels.Failure{Status: channels.StatusMalformed, Message: "the answer is not the documented XML", Cause: cause}
}

type element struct {
	name   string
	fields map[string]any
	text   string
}

func (e *element) say(text string) {
	e.text += text[:min(len(text), maxXMLText-len(e.text))]
}

func (e *element) add(name string, value any) {
	switch before := e.fields[name].(type) {
	case nil:
		e.fields[name] = value
	case []any:
		e.fields[name] = append(before, value)
	default:
		e.fields[name] = []any{before, value}
	}
}

func (e *element) value() any {
	if len(e.fields) == 0 {
		return e.text
	}
	if text := strings.TrimSpace(e.text); text != "" && e.fields["text"] == nil {
		e.fields["text"] = text
	}
	return e.fields
}
