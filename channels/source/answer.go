package source

import (
	"bytes"
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/tidwall/gjson"
)

// parse reads an answer that came from an address.
func (r Recipe) parse(body []byte, at *url.URL, values gjson.Result) (found []channels.Result, err error) {
	if r.kind == kindFeed {
		found, err = ParseFeed(body, at)
	} else {
		found, err = r.read(body, values)
	}
	for i := range found {
		if u, err := url.Parse(found[i].URL); r.relative && err == nil && found[i].URL != "" {
			found[i].URL = at.ResolveReference(u).String()
		}
		if r.sourceType != "" {
			found[i].SourceType = r.sourceType
		} else if found[i].SourceType == "" && r.fields["type"] == nil {
			found[i].SourceType = normal.TypeOfSite(found[i].URL)
		}
	}
	return found, err
}

// maxRecords bounds the records that are read from one list.
const maxRecords = 200

// Decode returns an answer as JSON.
func (r Recipe) Decode(body []byte) (gjson.Result, error) {
	if r.isXML(body) {
		return readXML(body)
	}
	return channels.ReadJSON(body)
}

func (r Recipe) isXML(body []byte) bool {
	return r.kind == kindXML || r.kind == kindAny && bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}

// read reads an answer: a list of records, or the one of a look-up.
func (r Recipe) read(body []byte, values gjson.Result) (found []channels.Result, err error) {
	answer, err := r.Decode(body)
	if err != nil {
		return nil, err
	}
	list := r.listIn(answer)
	switch {
	case r.failed != nil && holds(r.failed, answer):
	case r.kind != kindJSON && list.IsObject(): // a single record
		return []channels.Result{r.Record(list, values)}, nil
	case list.IsArray():
		list.ForEach(func(_, record gjson.Result) bool {
			found = append(found, r.Record(record, values))
			return len(found) < maxRecords
		})
		return found, nil
	case r.none != nil && holds(r.none, answer):
		return nil, nil
	case r.lookup != nil && r.lookup.record.in(answer).IsObject():
		return []channels.Result{r.Record(r.lookup.record.in(answer), values)}, nil
	}
	return nil, r.NoList(body)
}

func (r Recipe) listIn(answer gjson.Result) (list gjson.Result) {
	if len(r.lists) == 0 {
		return answer
	}
	for _, p := range r.lists {
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

// NoList returns the failure for an answer without its list, as the answer explains it.
func (r Recipe) NoList(body []byte) *channels.Failure {
	status, words := r.explain(http.StatusOK, body)
	fail := channels.NoList(words, r.of)
	if words == "" && r.isXML(body) && !r.hasRoot(body) {
		fail = notXML(nil)
	}
	if status != "" {
		fail.Status, fail.Retry = status, status == channels.StatusRateLimited || status == channels.StatusUnavailable
	}
	return fail
}

// hasRoot reports whether an answer has the element in which one of the lists is.
func (r Recipe) hasRoot(body []byte) bool {
	answer, _ := r.Decode(body)
	return slices.ContainsFunc(r.lists, func(p place) bool {
		root, _, _ := strings.Cut(p.path, ".")
		return answer.Get(root).Exists()
	})
}

// Record reads one record. One that is not an object becomes the zero result, which cleaning drops and counts; a field of
// an unexpected type is empty.
func (r Recipe) Record(from, values gjson.Result) (e channels.Result) {
	if !from.IsObject() {
		return e
	}
	if r.ofQuery && len(from.Map()) > 0 {
		from = gjson.Parse(`{"$":` + values.Raw + `,` + strings.TrimSpace(from.Raw)[1:])
	}
	e.Title = r.fields["title"].text(from, style{})
	e.Snippet = r.fields["snippet"].text(from, style{list: " … ", clean: normal.Plain})
	e.DOI = r.fields["doi"].text(from, style{})
	e.Language = normal.Language(r.fields["language"].text(from, style{}))
	e.SourceType = r.fields["type"].text(from, style{})
	e.Container = r.fields["container"].text(from, style{})
	e.Version = r.fields["version"].text(from, style{})
	e.Update = channels.Update{Kind: r.fields["update"].text(from, style{}), Notice: r.fields["update_notice"].text(from, style{})}
	for said := range r.fields["url"].each(from, style{escape: true}) {
		if e.URL == "" || !normal.ValidURL(e.URL) {
			e.URL = normal.FirstValid(said...)
		}
		e.URL = cmp.Or(e.URL, strings.Join(said, " "))
	}
	e.PublishedAt, e.Update.Date = r.date("date", from), r.date("update_date", from)
	for _, path := range r.fields["each_author"] {
		if e.Authors != nil {
			break
		}
		for _, author := range from.Get(path[0].pieces[0].path).Array() {
			e.Authors = append(e.Authors, r.fields["authors"].texts(author, style{})...)
		}
	}
	if e.Authors == nil {
		e.Authors = r.fields["authors"].texts(from, style{})
	}
	e.IDs, e.Related = typedIDs(r.ids, from), typedIDs(r.related, from)
	return e
}

// date returns the first date that the alternatives of a field give.
func (r Recipe) date(field string, from gjson.Result) string {
	for _, a := range r.fields[field] {
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
func typedIDs(kinds map[string]template, r gjson.Result) (ids []string) {
	for kind, w := range kinds {
		for said := range w.each(r, style{}) {
			for _, one := range said {
				ids = normal.Distinct(append(ids, typedID[kind](one))...)
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// explain reads the message of an error, at the configured place or at the usual ones.
func (r Recipe) explain(code int, body []byte) (channels.Status, string) {
	answer, err := r.Decode(body)
	said := r.fields["error"].text(answer, style{clean: normal.Plain})
	if said == "" {
		if _, said = channels.ExplainMessage(code, body); err != nil || r.kind != kindJSON {
			said = channels.MessageInXML(body)
		}
	}
	for _, rule := range r.errors {
		at := said
		if rule.Path != "" {
			at = normal.Text(answer, rule.Path)
		}
		at = strings.ToLower(at)
		if (rule.Code == 0 || rule.Code == code) && (rule.Words == nil || slices.ContainsFunc(rule.Words, func(w string) bool { return strings.Contains(at, strings.ToLower(w)) })) {
			return rule.Status, strings.TrimPrefix(rule.Say+": "+said, ": ")
		}
	}
	return "", said
}
