package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/tidwall/gjson"
)

// The two APIs.
const (
	zoteroLocal = "http://127.0.0.1:23119/api"
	zoteroWeb   = "https://api.zotero.org"
)

var zoteroPlace = lazyregexp.New(`^(?:local|(local/)?((?:users|groups)/[0-9]{1,12}))$`)

// ZoteroURL returns the base address for a value of CITELOOP_ZOTERO: local, local/groups/ID, users/ID or groups/ID.
func ZoteroURL(place string) (string, error) {
	m := zoteroPlace.FindStringSubmatch(place)
	switch {
	case m == nil:
		return "", fmt.Errorf("invalid CITELOOP_ZOTERO=%q: use local, local/groups/ID, users/ID or groups/ID", place)
	case m[2] == "":
		return zoteroLocal + "/users/0", nil
	case m[1] != "":
		return zoteroLocal + "/" + m[2], nil
	}
	return zoteroWeb + "/" + m[2], nil
}

const (
	zoteroMost  = 100 // items of one answer, and the Web API's limit
	zoteroKeys  = 50  // item keys of one request
	zoteroWords = 3   // keywords that are searched one by one
)

// zotero is the library that reads zotero: addresses. If the channel is not configured, its errors name the setting.
type zotero struct {
	*channels.Client
	Recipe // of its records
}

// Zotero addresses one item in Zotero's own form, which selects it there: zotero://select/library/items/KEY for the user's
// library, zotero://select/groups/ID/items/KEY for a group's. The earlier form without "library" is read too.
var (
	zoteroKey = lazyregexp.New(`^[A-Z0-9]{8}$`)
)

// group returns the id of the group whose library is configured; "" = the user's.
func (c zotero) group() string {
	base := strings.TrimRight(cmp.Or(c.Base, c.URL), "/")
	if before, id := path.Split(base); strings.HasSuffix(before, "/groups/") {
		return id
	}
	return ""
}

func (c zotero) address(key string) string {
	if group := c.group(); group != "" {
		return "zotero://select/groups/" + group + "/items/" + key
	}
	return "zotero://select/library/items/" + key
}

// search searches the user's library, by the local API of a running Zotero or by the Web API
// (https://www.zotero.org/support/dev/web_api/v3/basics and …/v3/local_api). Each result has a zotero: address, which
// zoteroLibrary reads. It searches for the whole query, then for its keywords, and then for its longest words, because
// the Web API matches phrases only and the local API requires every word.
func (c zotero) search(ctx context.Context, of *channels.Client, q channels.Query) ([]channels.Result, error) {
	c.Client = of
	words := normal.Keywords(q.Text)
	search := func(text string) ([]channels.Result, error) {
		return c.items(ctx, url.Values{"q": {text}, "qmode": {"everything"}, "itemType": {"-annotation"}, "limit": {fmt.Sprint(zoteroMost)}})
	}
	found, err := search(q.Text)
	if err == nil && len(found) == 0 {
		found, err = RetryWithKeywords(q.Text, search)
	}
	if err != nil || len(found) > 0 || len(words) < 3 {
		return byWords(found, words), err
	}
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	words = words[:min(len(words), zoteroWords)]
	for _, w := range words {
		some, err := search(w)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	if len(found) == 0 {
		return nil, nil
	}
	return byWords(found, words), channels.Fail(channels.StatusOK, "no results for the whole query; searched for any of %q", words)
}

// byWords returns the results with the most words in title and snippet first, without repeats. The API sorts by date. A
// result with none of the words was found by the text of an attachment.
func byWords(found []channels.Result, words []string) []channels.Result {
	ranked := append(Containing(found, words), found...)
	seen := map[string]bool{}
	return slices.DeleteFunc(ranked, func(e channels.Result) bool {
		again := seen[e.URL] && e.Title != ""
		seen[e.URL] = true
		return again
	})
}

// items searches items. In place of an attachment or a note it returns the parent item.
func (c zotero) items(ctx context.Context, params url.Values) ([]channels.Result, error) {
	items, err := c.list(ctx, params, "items")
	if err != nil {
		return nil, err
	}
	var found []channels.Result
	var parents []string
	for _, item := range items.Array() {
		switch parent := normal.Text(item, "data.parentItem"); {
		case parent != "":
			parents = append(parents, parent)
		case normal.Text(item, "data.itemType") == "note": // the user's own words
		default:
			found = append(found, c.result(item))
		}
	}
	known := map[string]bool{}
	for _, item := range items.Array() {
		known[normal.Text(item, "key")] = true
	}
	parents = slices.DeleteFunc(normal.Distinct(parents...), func(key string) bool { return known[key] })
	if len(parents) == 0 {
		return found, nil
	}
	above, err := c.list(ctx, url.Values{"itemKey": {strings.Join(parents[:min(len(parents), zoteroKeys)], ",")}}, "items")
	if err != nil {
		return nil, err
	}
	for _, item := range above.Array() {
		found = append(found, c.result(item))
	}
	return found, nil
}

// list requests a list of items.
func (c zotero) list(ctx context.Context, params url.Values, path ...string) (gjson.Result, error) {
	return askZoteroFor(ctx, c, channels.Request{Params: params, Path: path}, readZoteroItems)
}

func askZoteroFor[T any](ctx context.Context, c zotero, req channels.Request, read func([]byte) (T, error)) (T, error) {
	req.Header = http.Header{"Zotero-Api-Version": {"3"}}
	if c.Key != "" && !c.isLocal() {
		req.Header.Set("Authorization", "Bearer "+c.Key) // a redirect to another host drops it, unlike Zotero-API-Key
	}
	req.Explain = explainZotero
	got, err := channels.Ask(ctx, c.Client, req, read)
	return got, c.withRemedy(err)
}

// withRemedy adds a remedy for the user to a failure.
func (c zotero) withRemedy(err error) error {
	fail, ok := errors.AsType[*channels.Failure](err)
	if !ok {
		return err
	}
	refused := strings.HasPrefix(fail.Message, "answered 403") && fail.RetryAfter == 0
	switch local := c.isLocal(); {
	case local && errors.Is(fail.Cause, syscall.ECONNREFUSED):
		fail.Message += ": start Zotero on this machine"
	case local && refused:
		fail.Message += `: in Zotero, open Settings, Advanced, and check "Allow other applications on this computer to communicate with Zotero"`
	case local && strings.HasPrefix(fail.Message, "answered 404") && fail.Status == channels.StatusError:
		fail.Message += ": this Zotero has no such library; check CITELOOP_ZOTERO"
	case refused && c.Key == "":
		fail.Status = channels.StatusAuthRequired
		fail.Message += ": the library is private; set CITELOOP_ZOTERO_KEY (https://www.zotero.org/settings/keys)"
	case refused:
		fail.Status = channels.StatusAuthRequired
		fail.Message += ": the key may not read this library; check CITELOOP_ZOTERO_KEY and CITELOOP_ZOTERO"
	case strings.HasPrefix(fail.Message, "answered 404") && fail.Status == channels.StatusError:
		fail.Message += ": zotero.org has no such library; check CITELOOP_ZOTERO"
	}
	return fail
}

func (c zotero) isLocal() bool { return !strings.HasPrefix(cmp.Or(c.Base, c.URL), zoteroWeb) }

// explainZotero reads the message of a refusal, which is one line of plain text.
func explainZotero(code int, body []byte) (channels.Status, string) {
	if status, words := channels.ExplainMessage(code, body); words != "" || status != "" {
		return status, words
	}
	if line := sanitize.Line(string(body[:min(len(body), 1_000)])); !strings.ContainsAny(line, "<{[") {
		return "", line
	}
	return "", ""
}

func readZoteroItems(body []byte) (gjson.Result, error) {
	answer, err := channels.ReadJSON(body)
	if err == nil && !answer.IsArray() {
		_, words := channels.ExplainMessage(http.StatusOK, body)
		err = channels.NoList(words, "items")
	}
	return answer, err
}

// result returns the result for an item.
func (c zotero) result(item gjson.Result) channels.Result {
	e := c.Record(item, gjson.Result{})
	if key := normal.Text(item, "key"); zoteroKey.MatchString(key) {
		e.URL = c.address(key)
	}
	e.Snippet, e.Container = normal.Join(e.Snippet, e.Container), ""
	return e
}

// zoteroContainer returns what the publication is, as [document.Document.Container].
func zoteroContainer(data gjson.Result) string {
	switch {
	case normal.Text(data, "itemType") == "journalArticle" && normal.Text(data, "publicationTitle") != "":
		return document.Journal
	case normal.Text(data, "proceedingsTitle") != "":
		return document.Proceedings
	}
	return ""
}
